"""The keys of legacy MBDM files: the field each one fills, as the MBDM note spells it (Tables 3 to 10)."""

from __future__ import annotations

from fairlead.formats.mbdm.text import Keys

HEAD = Keys(
    "the head of the file",
    {
        "name": "Name",
        "dynamic": "Kinematic (0), Dynamic (1)",
        "bodies": "Number of bodies",
        "joints": "Number of joints (including drivers)",
        "t_start": "t_start",
        "t_end": "t_end",
        "dt": "dt",
        "accuracy": "N-R accuracy",
        "iterations": "N-R steps",
        "save_output": "Save output every (n) steps",
        "save_checkpoint": "Save checkpoint every (n) steps",
        "save_tracers": "Save tracers every (n) steps",
    },
)
BODY = Keys(
    "a body",
    {
        "name": "name",
        "angles": "angles (1-2-3 notation)",
        "r": "r",
        "v": "v",
        "omega": "omega",
        "mass": "mass",
        "i1": "I(1,1-3)",
        "i2": "I(2,1-3)",
        "i3": "I(3,1-3)",
    },
)
JOINT = Keys(
    "a joint",
    {name: name for name in ("type", "bodies", "p1", "q1", "r1", "p2", "q2", "r2", "dist")},
)
GROUPS = Keys("the file", {"groups": "Number of tracer groups"})
GROUP = Keys(
    "a tracer group",
    {"group": "Tracer group", "body": "Body ID", "count": "Number of tracers", "tracers": "Tracer(x, y, z in LCS)"},
)
LINES = Keys("the file", {"lines": "Number of mooring lines"})
LINE = Keys(
    "a mooring line",
    {
        "body": "Fairlead attached to body nr",
        "anchor": "Anchor location in GCS",
        "fairlead": "Fairlead location in LCS of the body",
        "correction": "Correction for mass centre offset",
        "length": "Not stretched length of the line",
        "stiffness": "Stiffness coefficient",
        "damping": "Damping coefficient",
    },
)
PARAMETERS = Keys(
    "the file",
    {"debug": "Debug", "timer": "Timer", "store_a_matrix": "Store A matrix", "attempt_fix": "Attempt fix"},
)
SOLVERS = Keys(
    "the file",
    {
        "hmb_cores": "hmb nproc",
        "hmb_root": "hmb root",
        "hmb_arguments": "hmb argv",
        "sph_cores": "sph nproc",
        "sph_root": "sph root",
        "coupling": "coupling type ([1] HMB, [2] SPH, [0] Both)",
        "rpm": "RPM",
        "wind_speed": "Uwind [m/s]",
        "air_density": "Rho [kg/m3]",
        "largest_chord": "Cmax [m]",
        "radius": "R [m]",
        "hmb_body": "HMB body ID",
        "sph_body": "SPH body ID",
        "hmb_every": "Update HMB every (n) MBDM steps",
        "spoolup": "spoolup [deg]",
        "coupling_start": "t start coupling [s]",
    },
    optional=("spoolup", "coupling_start"),
)
