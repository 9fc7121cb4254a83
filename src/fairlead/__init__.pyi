"""Fairlead: rigid-body systems from a slider-crank to a floating wind turbine, every run audited."""

# Written by tools/make_stub.py (`make stub`); do not edit.

import os
import xarray as xr
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fairlead.errors import (
    CheckpointUnusable as CheckpointUnusable, FairleadError as FairleadError, FilesFailure as FilesFailure,
    InvalidInput as InvalidInput, NumericalFailure as NumericalFailure, PartnerFailure as PartnerFailure,
    Problem as Problem, StudyIncomplete as StudyIncomplete,
)
from fairlead.formats.foreign.questions import audit as audit, internal_loads as internal_loads
from fairlead.formats.openfast.outb import write_outb as write_outb
from fairlead.model.loads.catenary import catenary as catenary
from fairlead.model.schema import Model as _Model
from fairlead.results.channels.channels import channels as channels
from fairlead.results.channels.gyroscopic import gyroscopic_moments as gyroscopic_moments
from fairlead.results.reading import open_result as open_result
from fairlead.results.summaries.statistics import statistics as statistics
from fairlead.running.crosscheck import Crosscheck
from fairlead.running.ensembles.study import study as study
from fairlead.running.partners.program import PartnerProgram as PartnerProgram
from fairlead.running.resume import resume as resume
from fairlead.running.run import Progress
from fairlead.running.stepping.looks import Coordinates, Motions
from fairlead.running.stepping.snapshot import State
from fairlead.view.plots import plot as plot
from fairlead.view.reports import report as report
from numpy import floating, integer
from numpy.typing import NDArray
from pathlib import Path
from typing import Any, ClassVar, Literal, Self, TypeAlias, overload

_Plain: TypeAlias = float | floating[Any] | integer[Any]
_Number: TypeAlias = _Plain | str  # SI, or a text with its unit
_Numbers: TypeAlias = Sequence[_Number] | NDArray[Any]
_Rows: TypeAlias = Sequence[_Numbers] | NDArray[Any]
_Fields: TypeAlias = Mapping[str, Any]  # a word by its fields, as in a file

__version__: str
__all__: list[str]

_AnyChange: TypeAlias = (DirectionChange | ExtremeDirectionChange | ExtremeGust)

_AnyController: TypeAlias = (YawFollow | BaselineTurbine | ExpressionController | Pid | Schedule | Sensor |
    StateFeedback | Discon | PythonController)

_AnyJoint: TypeAlias = (AbsoluteOrientation | Cylindrical | Distance | Fixed | Free | Ground | Planar | Prismatic |
    RelativeAngle | Revolute | RevoluteCylindrical | Spherical | Universal | AbsoluteX | AbsoluteY | AbsoluteZ)

_AnyLoad: TypeAlias = (Catenary | Force | Matrix | MoorDyn | Rotor | RotorThrust | TautLine | Buoyancy | Morison |
    RotationalSpring | Spring | Generator)

_AnyMotion: TypeAlias = (Controlled | Expression | Polynomial | Ramp | Rate | Sine | Table)

_AnyShape: TypeAlias = (Box | Hull | Mesh | Sphere | Blade | Capsule | Cone | Cylinder)

_AnyWaves: TypeAlias = (StillWater | RegularWave | WaveRecord | WaveTable | Jonswap | PiersonMoskowitz)

_AnyWind: TypeAlias = (KaimalWind | SteadyWind | WindFile | WindTable)

class _SchemaModel:
    def model_copy(self, *, update: _Fields | None = None, deep: bool = False) -> Self: ...
    def model_dump(self, **options: Any) -> dict[str, Any]: ...
    def __iter__(self) -> Iterator[tuple[str, Any]]: ...

class _Controller(_SchemaModel):
    records: ClassVar[str]
    def outputs(self) -> tuple[str, ...]: ...
    def readable_states(self) -> tuple[str, ...]: ...
    def formulas(self) -> Iterator[tuple[Path, float | str]]: ...
    def asks(self) -> int: ...
    def wrong_files(self) -> tuple[str, str] | None: ...
    def try_out(self, name: str) -> str: ...
    def unsaved(self) -> str: ...
    def direct(self) -> Iterator[float | str]: ...

class _Joint(_SchemaModel):
    @property
    def parent(self) -> str: ...
    @property
    def child(self) -> str: ...
    @property
    def motion(self) -> dict[str, _AnyMotion]: ...
    @property
    def rate(self) -> dict[str, float | str]: ...
    @property
    def initial(self) -> dict[str, float | str]: ...
    @property
    def locked(self) -> tuple[str, ...]: ...
    @property
    def spring(self) -> dict[str, JointSpring]: ...
    @property
    def damper(self) -> dict[str, float | str]: ...
    @property
    def stop(self) -> dict[str, Stop]: ...
    @property
    def actuator(self) -> dict[str, Actuator]: ...
    @property
    def limits(self) -> dict[str, tuple[float | str, float | str]]: ...
    @property
    def parent_point(self) -> tuple[float, float, float] | None: ...
    @property
    def parent_axis(self) -> tuple[float, float, float] | None: ...
    @property
    def parent_axis2(self) -> tuple[float, float, float] | None: ...
    @property
    def child_point(self) -> tuple[float, float, float] | None: ...
    @property
    def child_axis(self) -> tuple[float, float, float] | None: ...
    @property
    def child_axis2(self) -> tuple[float, float, float] | None: ...
    only_constrains: ClassVar[bool]
    needs: ClassVar[tuple[str, ...]]
    @property
    def by_bodies(self) -> bool: ...
    def role(self, name: str) -> str: ...

class _Load(_SchemaModel):
    @property
    def body(self) -> str: ...
    records: ClassVar[str]
    needs: ClassVar[tuple[str, ...]]
    beyond: ClassVar[tuple[str, str]]
    def on_bodies(self) -> tuple[str, ...]: ...
    def own_formulas(self) -> dict[str, float | str]: ...

class _WholeFile(_SchemaModel): ...

class Body(_SchemaModel):
    """A rigid body drawn in the world at t = 0.

    mass: mass of the body [kg]
    inertia: inertia about the mass centre in body axes: three moments, a mapping xx, yy, zz (xy, xz, yz are tensor
        components), or 3x3 rows [kg m**2]
    position: mass centre in the drawing [m]
    orientation: body axes in the drawing; those of the world unless given
    velocity: velocity of the mass centre at t = 0 in world axes, for bodies that float [m/s]
    angular_velocity: angular velocity at t = 0 in body axes, for bodies that float [rad/s]
    wheels: wheels that spin in the body and store momentum
    geometry: shapes that pictures show, one or a list; without them it is drawn from its joints and its inertia
    idealised: allow moments no rigid body has (rods, point masses, parts of another program's tensors)
    """

    @property
    def mass(self) -> float: ...
    @property
    def inertia(self) -> tuple[tuple[float, float, float], ...]: ...
    @property
    def position(self) -> tuple[float, float, float]: ...
    @property
    def orientation(self) -> Orientation | None: ...
    @property
    def velocity(self) -> tuple[float, float, float]: ...
    @property
    def angular_velocity(self) -> tuple[float, float, float]: ...
    @property
    def wheels(self) -> tuple[Wheel, ...]: ...
    @property
    def geometry(self) -> tuple[_AnyShape, ...] | None: ...
    @property
    def idealised(self) -> bool: ...
    def __init__(
        self, mass: _Number, inertia: _Numbers | _Rows | Mapping[str, _Number], position: _Numbers = (0.0, 0.0, 0.0),
        orientation: Orientation | None | _Fields = None, velocity: _Numbers = (0.0, 0.0, 0.0),
        angular_velocity: _Numbers = (0.0, 0.0, 0.0), wheels: Sequence[Wheel | _Fields] = (),
        geometry: _AnyShape | _Fields | Sequence[_AnyShape | _Fields] | None = None, idealised: bool = False,
    ) -> None: ...

class Wheel(_SchemaModel):
    """A wheel that stores momentum axis * inertia * speed relative to its body; its locked inertia is in the body's.

    axis: direction of the spin in body axes
    inertia: moment of inertia about the axis [kg m**2]
    speed: rate of spin relative to the body [rad/s]
    """

    @property
    def axis(self) -> tuple[float, float, float]: ...
    @property
    def inertia(self) -> float: ...
    @property
    def speed(self) -> float: ...
    def __init__(self, axis: _Numbers, inertia: _Number, speed: _Number) -> None: ...

class Orientation(_SchemaModel):
    """Body axes in the drawing, in one of three forms.

    euler123: angles of R = Rx Ry Rz, body to world [rad]
    quaternion: unit quaternion, scalar first, body to world
    matrix: rotation matrix in three rows, body to world
    """

    @property
    def euler123(self) -> tuple[float, float, float] | None: ...
    @property
    def quaternion(self) -> tuple[float, float, float, float] | None: ...
    @property
    def matrix(self) -> tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]] | None: ...
    def __init__(
        self, euler123: _Numbers | None = None, quaternion: _Numbers | None = None, matrix: _Rows | None = None,
    ) -> None: ...

class _Drawn(_SchemaModel):
    @property
    def colour(self) -> str | None: ...

class Run(_SchemaModel):
    """How `fairlead run` runs the model; every word may be overridden on the command line.

    Without `dt` the method is adaptive and 1000 instants are recorded, or one every `interval`.

    duration: time to simulate [s]
    dt: step; the method is adaptive unless given [s]
    formulation: how the equations of motion are derived; `auto` chooses by the joints of the model
    integrator: method of the time steps; rk4 with `dt`, dop853 without
    rotation: coordinates of a floating base's attitude; `euler123` stops at its singular attitude
    output_every: record every so-many-th step
    rtol: relative tolerance of adaptive methods; 1e-9 unless given
    atol: absolute tolerance of adaptive methods, in SI units; 1e-12 unless given
    unknowns: unknowns of the rotations in `constrained`
    closing: how `constrained` keeps loops closed
    audit: how the audit judges the run
    interval: time between recorded instants, a whole number of steps where `dt` is given [s]
    start: where the run starts: as drawn, or where the model rests
    ramp: time over which waves and wind are raised smoothly at the start [s]
    discard: time at the start that statistics leave out [s]
    """

    @property
    def duration(self) -> float: ...
    @property
    def dt(self) -> float | None: ...
    @property
    def formulation(self) -> str: ...
    @property
    def integrator(self) -> Literal['rk4', 'symplectic-euler', 'rk45', 'dop853', 'generalised-alpha'] | None: ...
    @property
    def rotation(self) -> Literal['quaternion', 'euler123']: ...
    @property
    def output_every(self) -> int | None: ...
    @property
    def rtol(self) -> float | None: ...
    @property
    def atol(self) -> float | None: ...
    @property
    def unknowns(self) -> Literal['omega', 'euler-parameters']: ...
    @property
    def closing(self) -> Literal['auto', 'partition', 'partition-every-step', 'projection']: ...
    @property
    def audit(self) -> _RunAudit | None: ...
    @property
    def interval(self) -> float | None: ...
    @property
    def start(self) -> Literal['drawing', 'equilibrium']: ...
    @property
    def ramp(self) -> float | None: ...
    @property
    def discard(self) -> float | None: ...
    def __init__(
        self, duration: _Number, dt: _Number | None = None, formulation: str = 'auto',
        integrator: Literal['rk4', 'symplectic-euler', 'rk45', 'dop853', 'generalised-alpha'] | None = None,
        rotation: Literal['quaternion', 'euler123'] = 'quaternion', output_every: int | integer[Any] | None = None,
        rtol: _Plain | None = None, atol: _Plain | None = None,
        unknowns: Literal['omega', 'euler-parameters'] = 'omega',
        closing: Literal['auto', 'partition', 'partition-every-step', 'projection'] = 'auto',
        audit: None | _Fields = None, interval: _Number | None = None,
        start: Literal['drawing', 'equilibrium'] = 'drawing', ramp: _Number | None = None,
        discard: _Number | None = None,
    ) -> None: ...

class _RunAudit(_SchemaModel):
    @property
    def tolerance(self) -> float | None: ...

class Actuator(_SchemaModel):
    """A force or moment along a free coordinate that follows `command`, or the output of a `controller`.

    Without a response it gives the command; with `time_constant` it follows as first order, with `frequency` and
    `damping_ratio` as second order.

    command: commanded force or moment: a number, a table of time or of a channel, or an expression [N or N m]
    controller: name of the controller that commands, or of one of its outputs as `name.output`
    limit: largest size of command and force; none unless given [N or N m]
    time_constant: time constant of a first-order response [s]
    frequency: natural frequency of a second-order response [rad/s]
    damping_ratio: damping ratio of a second-order response [-]
    """

    @property
    def command(self) -> float | str | Expression | Table | ChannelTable | None: ...
    @property
    def controller(self) -> str | None: ...
    @property
    def limit(self) -> float | str | None: ...
    @property
    def time_constant(self) -> float | None: ...
    @property
    def frequency(self) -> float | None: ...
    @property
    def damping_ratio(self) -> float | None: ...
    @property
    def order(self) -> int: ...
    def __init__(
        self, command: _Number | Expression | Table | _Fields | None = None, controller: str | None = None,
        limit: _Number | None = None, time_constant: _Number | None = None, frequency: _Number | None = None,
        damping_ratio: _Plain | None = None,
    ) -> None: ...

class JointSpring(_SchemaModel):
    """A spring on a free joint coordinate: force or moment -stiffness (q - rest).

    stiffness: force or moment per displacement [N/m or N m/rad]
    rest: coordinate where the spring is relaxed; the drawing unless given [m or rad]
    """

    @property
    def stiffness(self) -> float | str: ...
    @property
    def rest(self) -> float | str: ...
    def __init__(self, stiffness: _Number, rest: _Number = 0.0) -> None: ...

class Stop(_SchemaModel):
    """A smooth, friction-free stop at each end: stiffness and damping come in over `width`.

    lower: coordinate where the lower stop begins; none unless given [m or rad]
    upper: coordinate where the upper stop begins; none unless given [m or rad]
    stiffness: stiffness behind the end [N/m or N m/rad]
    damping: damping behind the end [N s/m or N m s/rad]
    width: over how much travel the stop comes in; 1 mm or 1 mrad unless given [m or rad]
    """

    @property
    def lower(self) -> float | str | None: ...
    @property
    def upper(self) -> float | str | None: ...
    @property
    def stiffness(self) -> float | str: ...
    @property
    def damping(self) -> float | str: ...
    @property
    def width(self) -> float | str: ...
    @overload
    def __init__(
        self, lower: _Number | None, upper: _Number | None, stiffness: _Number, damping: _Number = 0.0,
        width: _Number = 0.001,
    ) -> None: ...
    @overload
    def __init__(
        self, *, lower: _Number | None = None, upper: _Number | None = None, stiffness: _Number,
        damping: _Number = 0.0, width: _Number = 0.001,
    ) -> None: ...

class _Motion(_SchemaModel):
    powers: ClassVar[dict[str, int]]
    def in_si(self, kind: str) -> dict[str, float]: ...

class ChannelTable(_SchemaModel):
    """A value by a channel of the model: linear between its points, held at the first and the last outside of them.

    of: the channel, `name.quantity`, such as `motor.rate`
    points: value of the channel, then the value there, the channel's growing [the channel's unit, then what it is
        for]
    """

    @property
    def of(self) -> str: ...
    @property
    def points(self) -> tuple[tuple[float | str, float | str], ...]: ...
    def __init__(self, of: str, points: _Rows) -> None: ...

class Event(_SchemaModel):
    """Something that happens at a time, or when a formula passes zero: parts are released, locked, cut, added or set.

    at: time at which it happens [s]
    when: formula that it happens at the zero of, found to rounding; it reads t and the channels of forces
    rising: True for a formula that grows through zero, False for one that falls; either unless given
    again: whether it happens at every zero of `when`; at the first alone unless given
    release: joints or joint coordinates that become free with the position and rate they have, or loads that are cut
    lock: joints or joint coordinates whose rate goes to zero by an impulse, and which stay where they are
    cut: loads that end
    add: loads that begin; until then they are not there
    set: new values by their path in the file: of motions, actuators, springs, dampers and stops of joints, and of
        loads
    stop: whether the run ends here
    """

    @property
    def at(self) -> float | None: ...
    @property
    def when(self) -> str | None: ...
    @property
    def rising(self) -> bool | None: ...
    @property
    def again(self) -> bool: ...
    @property
    def release(self) -> tuple[str, ...]: ...
    @property
    def lock(self) -> tuple[str, ...]: ...
    @property
    def cut(self) -> tuple[str, ...]: ...
    @property
    def add(self) -> tuple[str, ...]: ...
    @property
    def set(self) -> dict[str, Any]: ...
    @property
    def stop(self) -> bool: ...
    def __init__(
        self, at: _Number | None = None, when: str | None = None, rising: bool | None = None, again: bool = False,
        release: Sequence[str] = (), lock: Sequence[str] = (), cut: Sequence[str] = (), add: Sequence[str] = (),
        set: Mapping[str, Any] = {}, stop: bool = False,
    ) -> None: ...

class Iterate(_SchemaModel):
    """Iteration of one step until the load that was assumed is the load that is answered, with Aitken's relaxation.

    tolerance: relative difference of two answers that counts as none
    most: most answers in one step
    relaxation: share of the first correction that is taken
    """

    @property
    def tolerance(self) -> float: ...
    @property
    def most(self) -> int: ...
    @property
    def relaxation(self) -> float: ...
    def __init__(
        self, tolerance: _Plain = 1e-10, most: int | integer[Any] = 50, relaxation: _Plain = 0.5,
    ) -> None: ...

class Limits(_SchemaModel):
    """How long a partner may take before the run ends.

    start: time until it has joined [s]
    answer: time for one answer [s]
    stop: time until it has ended after it was told to [s]
    """

    @property
    def start(self) -> float: ...
    @property
    def answer(self) -> float: ...
    @property
    def stop(self) -> float: ...
    def __init__(self, start: _Number = 60.0, answer: _Number = 600.0, stop: _Number = 10.0) -> None: ...

class Partner(_SchemaModel):
    """Another program that computes the load on one body, exchanged for the body's motion as the run goes on.

    body: body that the load acts on
    command: program and its arguments; none for a partner that joins by itself or runs in this process
    transport: how messages travel: "socket" (Unix), "tcp" (of this machine), "mpi", or "in-process"
    processes: processes that the command is started on, of which the first speaks; more than one with "mpi"
    address: path of a Unix socket or port of this machine at which a partner joins that is not started here
    folder: folder in which the command is started; that of the model file unless given
    step: "small" answers at once for the instant it is sent; "large" advances while we do and answers at its end
    exchanges: exchanges in a step: 1, or 2 for predictor and corrector
    every: steps of ours between two exchanges
    extrapolation: order of the polynomial through the last loads: 0 holds them, 1 and 2 go on with them
    iterate: iteration within a step; none unless given
    added_mass: estimate of the fluid's added mass at the point, taken to our side of the equation [kg, kg m, kg m**2]
    point: point that loads are about and motions are of; the mass centre unless given [m]
    axes: attitude of the partner's axes in the world; those of the world unless given
    origin: place of the partner's origin in the world [m]
    scale: how its numbers without dimension become SI; it speaks SI unless given
    sends: what of the motion it is sent
    limits: how long it may take
    """

    @property
    def body(self) -> str: ...
    @property
    def command(self) -> tuple[str, ...] | None: ...
    @property
    def transport(self) -> Literal['socket', 'tcp', 'mpi', 'in-process']: ...
    @property
    def processes(self) -> int: ...
    @property
    def address(self) -> str | None: ...
    @property
    def folder(self) -> str | None: ...
    @property
    def step(self) -> Literal['small', 'large']: ...
    @property
    def exchanges(self) -> int: ...
    @property
    def every(self) -> int: ...
    @property
    def extrapolation(self) -> int: ...
    @property
    def iterate(self) -> Iterate | None: ...
    @property
    def added_mass(self) -> tuple[tuple[float, ...], ...] | None: ...
    @property
    def point(self) -> tuple[float, float, float] | None: ...
    @property
    def axes(self) -> Orientation | None: ...
    @property
    def origin(self) -> tuple[float, float, float]: ...
    @property
    def scale(self) -> Scale | None: ...
    @property
    def sends(self) -> tuple[Literal['position', 'orientation', 'velocity', 'angular_velocity'], ...]: ...
    @property
    def limits(self) -> Limits: ...
    def __init__(
        self, body: str, command: Sequence[str] | None = None,
        transport: Literal['socket', 'tcp', 'mpi', 'in-process'] = 'socket', processes: int | integer[Any] = 1,
        address: str | None = None, folder: str | None = None, step: Literal['small', 'large'] = 'small',
        exchanges: int | integer[Any] = 1, every: int | integer[Any] = 1, extrapolation: int | integer[Any] = 0,
        iterate: Iterate | None | _Fields = None, added_mass: _Rows | None = None, point: _Numbers | None = None,
        axes: Orientation | None | _Fields = None, origin: _Numbers = (0.0, 0.0, 0.0),
        scale: Scale | None | _Fields = None,
        sends: Sequence[Literal['position', 'orientation', 'velocity', 'angular_velocity']] = ...,
        limits: Limits | _Fields = ...,
    ) -> None: ...

class Scale(_SchemaModel):
    """How a partner's numbers without dimension become SI: MBDM note section 7.1.5.

    Length C and velocity U make forces rho U^2 C^2, moments rho U^2 C^3, times C/U; rpm and R say how fast the tip is.

    rpm: speed of the rotor [rpm]
    speed: velocity of the inflow, U [m/s]
    density: density of the fluid, rho [kg/m**3]
    chord: reference length, the largest chord C [m]
    radius: radius of the rotor, R [m]
    """

    @property
    def rpm(self) -> float: ...
    @property
    def speed(self) -> float: ...
    @property
    def density(self) -> float: ...
    @property
    def chord(self) -> float: ...
    @property
    def radius(self) -> float: ...
    @property
    def pressure(self) -> float: ...
    def __init__(self, rpm: _Number, speed: _Number, density: _Number, chord: _Number, radius: _Number) -> None: ...

class Shaft(_SchemaModel):
    """A drive train that twists: a spring and a damper between the joint's body and the gearbox, on the slow side.

    stiffness: moment per twist [N m/rad]
    damping: moment per rate of twist [N m s/rad]
    """

    @property
    def stiffness(self) -> float: ...
    @property
    def damping(self) -> float: ...
    def __init__(self, stiffness: _Number, damping: _Number = 0.0) -> None: ...

class Curve(_SchemaModel):
    """A coefficient at wind speeds, linear between them and held at its ends (which is counted).

    speeds: wind speeds, growing [m/s]
    values: coefficient at each speed [-]
    """

    @property
    def speeds(self) -> tuple[float, ...]: ...
    @property
    def values(self) -> tuple[float, ...]: ...
    def __init__(self, speeds: _Numbers, values: _Numbers) -> None: ...

class OfCt(_SchemaModel):
    """C_P as a multiple of C_T (0.7 in the Dissertation).

    of_ct: the factor C_P / C_T [-]
    """

    @property
    def of_ct(self) -> float: ...
    def __init__(self, of_ct: _Plain) -> None: ...

class Performance(_SchemaModel):
    """C_P and C_T over tip-speed ratio and blade pitch, and the pitch and rotor speed held at each wind speed.

    file: table with the columns tip_speed_ratio, pitch_deg, cp and ct (a full grid), sought beside the model file
    speeds: wind speeds of the schedule, growing [m/s]
    pitch: blade pitch at each wind speed [rad]
    rotor_speed: rotor speed at each wind speed [rad/s]
    """

    @property
    def file(self) -> str: ...
    @property
    def speeds(self) -> tuple[float, ...]: ...
    @property
    def pitch(self) -> tuple[float, ...]: ...
    @property
    def rotor_speed(self) -> tuple[float, ...]: ...
    def __init__(self, file: str, speeds: _Numbers, pitch: _Numbers, rotor_speed: _Numbers) -> None: ...

class Current(_SchemaModel):
    """Horizontal current: `speed` at the still water, uniform or with ((z + depth) / depth)^exponent below it.

    speed: speed at the still water [m/s]
    direction: where the current flows to, from +x towards +y [rad]
    exponent: exponent of the profile over depth; uniform for 0 [-]
    """

    @property
    def speed(self) -> float: ...
    @property
    def direction(self) -> float: ...
    @property
    def exponent(self) -> float: ...
    def __init__(self, speed: _Number, direction: _Number = 0.0, exponent: _Plain = 0.0) -> None: ...

class StillWater(_SchemaModel):
    """No waves."""

    @property
    def type(self) -> Literal['still-water']: ...
    def __init__(self, *, type: Literal['still-water'] = 'still-water') -> None: ...

class _Waves(_SchemaModel):
    @property
    def direction(self) -> float: ...
    @property
    def stretching(self) -> Literal['none', 'vertical', 'wheeler']: ...
    @property
    def lookup(self) -> Literal['auto', 'sum', 'table']: ...
    @property
    def accuracy(self) -> float: ...
    @property
    def reach(self) -> float: ...

class Environment(_SchemaModel):
    """Water and air around the bodies; the still water is at z = 0.

    water_density: density of the water [kg/m**3]
    depth: depth of the water; deep unless given [m]
    waves: waves; none unless given
    current: current; none unless given
    air_density: density of the air [kg/m**3]
    wind: wind; none unless given
    """

    @property
    def water_density(self) -> float: ...
    @property
    def depth(self) -> float | None: ...
    @property
    def waves(self) -> _AnyWaves | None: ...
    @property
    def current(self) -> Current | None: ...
    @property
    def air_density(self) -> float: ...
    @property
    def wind(self) -> _AnyWind | None: ...
    def __init__(
        self, water_density: _Number = 1025.0, depth: _Number | None = None,
        waves: _AnyWaves | None | _Fields = None, current: Current | None | _Fields = None,
        air_density: _Number = 1.225, wind: _AnyWind | None | _Fields = None,
    ) -> None: ...

class DirectionChange(_SchemaModel):
    """The direction turns `by` an angle from `begin` on.

    begin: when the change begins [s]
    by: angle of the change, positive from +x towards +y [rad]
    duration: time of the change, evenly; at once for 0 [s]
    """

    @property
    def type(self) -> Literal['direction-change']: ...
    @property
    def begin(self) -> float: ...
    @property
    def by(self) -> float: ...
    @property
    def duration(self) -> float: ...
    def __init__(
        self, begin: _Number, by: _Number, duration: _Number = 0.0, *,
        type: Literal['direction-change'] = 'direction-change',
    ) -> None: ...

class ExtremeDirectionChange(_SchemaModel):
    """IEC 61400-1 extreme direction change over 6 s.

    begin: when the change begins [s]
    turbulence: turbulence class A+, A, B or C, or the standard deviation [m/s]
    diameter: diameter of the rotor [m]
    towards: sense of the change; left is positive, from +x towards +y
    """

    @property
    def type(self) -> Literal['extreme-direction-change']: ...
    @property
    def begin(self) -> float: ...
    @property
    def turbulence(self) -> float | str: ...
    @property
    def diameter(self) -> float: ...
    @property
    def towards(self) -> Literal['left', 'right']: ...
    def __init__(
        self, begin: _Number, turbulence: _Number, diameter: _Number, towards: Literal['left', 'right'] = 'left', *,
        type: Literal['extreme-direction-change'] = 'extreme-direction-change',
    ) -> None: ...

class ExtremeGust(_SchemaModel):
    """IEC 61400-1 extreme operating gust over 10.5 s.

    begin: when the gust begins [s]
    turbulence: turbulence class A+, A, B or C, or the standard deviation [m/s]
    reference_speed: turbine class I, II or III, or its V_ref [m/s]
    diameter: diameter of the rotor [m]
    """

    @property
    def type(self) -> Literal['extreme-gust']: ...
    @property
    def begin(self) -> float: ...
    @property
    def turbulence(self) -> float | str: ...
    @property
    def reference_speed(self) -> float | str: ...
    @property
    def diameter(self) -> float: ...
    def __init__(
        self, begin: _Number, turbulence: _Number, reference_speed: _Number, diameter: _Number, *,
        type: Literal['extreme-gust'] = 'extreme-gust',
    ) -> None: ...

class _Wind(_SchemaModel):
    @property
    def height(self) -> float: ...
    @property
    def exponent(self) -> float | None: ...
    @property
    def roughness(self) -> float | None: ...
    @property
    def changes(self) -> tuple[_AnyChange, ...]: ...

class Relation(_SchemaModel):
    """An equation between joint coordinates that always holds: a weighted sum of them, or any smooth formula.

    It pushes along its coordinates as an ideal gear does and does no work in all.

    between: factor of each coordinate, by its name: crank.angle, or crank where the joint has but one; their sum
        stays at `offset`
    offset: what that sum is; 0 unless given, so that it stays as drawn
    formula: a formula of joint coordinates that stays zero, instead of a sum
    """

    @property
    def between(self) -> dict[str, float] | None: ...
    @property
    def offset(self) -> float: ...
    @property
    def formula(self) -> str | None: ...
    def __init__(
        self, between: Mapping[str, _Plain] | None = None, offset: _Plain = 0.0, formula: str | None = None,
    ) -> None: ...

class _AnyFeedback(_Controller):
    from_outputs: ClassVar[bool]
    def every(self) -> float | None: ...
    def start_outputs(self) -> tuple[float, ...]: ...
    def state_names(self) -> tuple[str, ...]: ...
    def start_states(self) -> tuple[float, ...]: ...

class Catenary(_Load):
    """A heavy elastic line in static balance, that may rest on the bed its anchor lies on.

    body: body that the load acts on
    point: fairlead on the body [m]
    anchor: end in the world, on the bed if there is one [m]
    length: unstretched length [m]
    EA: stiffness of the cross-section: tension per strain [N]
    weight: weight per length in water [N/m]
    friction: coefficient of friction between line and bed [-]
    seabed: False if nothing carries the line from below
    """

    @property
    def type(self) -> Literal['catenary']: ...
    @property
    def point(self) -> tuple[float, float, float]: ...
    @property
    def anchor(self) -> tuple[float, float, float]: ...
    @property
    def length(self) -> float: ...
    @property
    def EA(self) -> float: ...
    @property
    def weight(self) -> float: ...
    @property
    def friction(self) -> float: ...
    @property
    def seabed(self) -> bool: ...
    records: ClassVar[str]
    def __init__(
        self, body: str, point: _Numbers, anchor: _Numbers, length: _Number, EA: _Number, weight: _Number,
        friction: _Plain = 0.0, seabed: bool = True, *, type: Literal['catenary'] = 'catenary',
    ) -> None: ...

class Force(_Load):
    """A force at a point and a moment, in world axes or turning with the body; from Python also a `function`.

    A function gets `(t, motion)` and returns the force and moment (six numbers, world axes, at the mass centre);
    `motion` is a mapping from body name to (position, rotation matrix, velocity, angular velocity), in world axes.
    One compiled by `numba.njit` gets `(t, position, rotation, velocity, angular_velocity)` of its own body, as tuples,
    and returns a tuple of six numbers; the run then stays in compiled code.

    body: body that the load acts on
    point: where the force acts; at the mass centre unless given [m]
    force: force in x, y, z, each a number, an expression, or a table of time or of a channel [N]
    moment: moment about x, y, z, each a number, an expression, or a table of time or of a channel [N m]
    axes: axes of force and moment: those of the world, or of the body and turning with it
    function: Python function that gives force and moment; no file can hold it [N and N m]
    """

    @property
    def type(self) -> Literal['force']: ...
    @property
    def point(self) -> tuple[float, float, float] | None: ...
    @property
    def force(self) -> tuple[float | Expression | Table | ChannelTable, float | ChannelTable] | None: ...
    @property
    def moment(self) -> tuple[float | Expression | Table | ChannelTable, float | ChannelTable] | None: ...
    @property
    def axes(self) -> Literal['world', 'body']: ...
    @property
    def function(self) -> Callable[..., Any] | None: ...
    records: ClassVar[str]
    beyond: ClassVar[tuple[str, str]]
    def __init__(
        self, body: str, point: _Numbers | None = None,
        force: Sequence[_Number | Expression | Table | ChannelTable | _Fields] | None = None,
        moment: Sequence[_Number | Expression | Table | ChannelTable | _Fields] | None = None,
        axes: Literal['world', 'body'] = 'world', function: Callable[..., Any] | None = None, *,
        type: Literal['force'] = 'force',
    ) -> None: ...

class Matrix(_Load):
    """Preload - stiffness (displacement, rotation) - damping (velocity) - added_mass (acceleration) at a point.

    Displacement of the point and rotation are counted from the drawing. A matrix is 6x6, or its six diagonal terms;
    linear before angular. In world axes the rotation is the rotation vector (below pi). In yawing axes, turned with the
    body's yaw about the world's z, it is roll, pitch and yaw (R = Rz Ry Rx from the drawn attitude, yaw below half a
    turn), as OpenFAST has linear hydrostatics.

    body: body that the load acts on
    point: point on the body whose displacement counts and where the force acts [m]
    stiffness: force and moment per displacement and rotation [N/m, N/rad, N, N m/rad]
    damping: force and moment per velocity and rate of rotation [N s/m, N s/rad, N s, N m s/rad]
    preload: three forces and three moments as drawn [N and N m]
    added_mass: symmetric force and moment per acceleration [kg, kg m, kg m**2]
    axes: along which all the terms are: "world", "yawing" with the body about the world's z, or those of the "body"
    """

    @property
    def type(self) -> Literal['matrix']: ...
    @property
    def point(self) -> tuple[float, float, float]: ...
    @property
    def stiffness(self) -> tuple[tuple[float, ...], ...] | None: ...
    @property
    def damping(self) -> tuple[tuple[float, ...], ...] | None: ...
    @property
    def preload(self) -> tuple[float, float, float, float, float, float] | None: ...
    @property
    def added_mass(self) -> tuple[tuple[float, ...], ...] | None: ...
    @property
    def axes(self) -> Literal['world', 'yawing', 'body']: ...
    records: ClassVar[str]
    def __init__(
        self, body: str, point: _Numbers, stiffness: _Numbers | _Rows | None = None,
        damping: _Numbers | _Rows | None = None, preload: _Numbers | None = None,
        added_mass: _Numbers | _Rows | None = None, axes: Literal['world', 'yawing', 'body'] = 'world', *,
        type: Literal['matrix'] = 'matrix',
    ) -> None: ...

class MoorDyn(_Load):
    """Dynamic lines by MoorDyn (extra `moordyn`) from its own input file; its coupled points move with the body.

    They are where the file has them when the body is where it is drawn. Advanced once per step of ours.

    body: body that the load acts on
    file: input file of MoorDyn, sought beside the model file
    """

    @property
    def type(self) -> Literal['moordyn']: ...
    @property
    def file(self) -> str: ...
    def __init__(self, body: str, file: str, *, type: Literal['moordyn'] = 'moordyn') -> None: ...

class Rotor(_Load):
    """Thrust 1/2 rho pi R^2 C_T V |V| and torque 1/2 rho pi R^3 C_Q V^2 at `point`, V the relative wind along `axis`.

    The coefficients are looked up at the tip-speed ratio, speed R / |V|, and at the blade pitch. Outside of the table
    its edge holds, and the result says so.

    body: body that the load acts on
    point: the rotor's apex, where thrust and torque act [m]
    axis: the shaft as drawn, pointing downwind; it turns with the body
    radius: radius of the rotor [m]
    coefficients: file of a full grid with the columns tip_speed_ratio, pitch_deg, ct and cq, or cp for cp / ratio
    speed: rotor speed: a channel such as spin.rate, or a formula [rad/s]
    pitch: collective blade pitch: a channel such as baseline.pitch, a formula or a number [rad]
    interpolation: between the rows of the table: linear in both directions, or a cubic spline
    """

    @property
    def type(self) -> Literal['rotor']: ...
    @property
    def point(self) -> tuple[float, float, float]: ...
    @property
    def axis(self) -> tuple[float, float, float]: ...
    @property
    def radius(self) -> float: ...
    @property
    def coefficients(self) -> str: ...
    @property
    def speed(self) -> float | str: ...
    @property
    def pitch(self) -> float | str: ...
    @property
    def interpolation(self) -> Literal['linear', 'cubic']: ...
    records: ClassVar[str]
    needs: ClassVar[tuple[str, ...]]
    beyond: ClassVar[tuple[str, str]]
    after_control: ClassVar[tuple[str, ...]]
    def own_formulas(self) -> dict[str, float | str]: ...
    def comes_late(self, controllers: Mapping[str, Any]) -> bool: ...
    def __init__(
        self, body: str, point: _Numbers, axis: _Numbers, radius: _Number, coefficients: str, speed: _Number,
        pitch: _Number = 0.0, interpolation: Literal['linear', 'cubic'] = 'linear', *,
        type: Literal['rotor'] = 'rotor',
    ) -> None: ...

class RotorThrust(_Load):
    """T = 1/2 rho pi radius^2 C_T V^2 at `point` along `axis`, V the relative wind along it. Dissertation Eq. 3.19.

    body: body that the load acts on
    point: hub, where the thrust acts [m]
    axis: the shaft as drawn, pointing downwind; it turns with the body
    radius: radius of the rotor [m]
    ct: thrust coefficient: a number (fixed) or a Curve over the wind speed; or give `performance` [-]
    cp: power coefficient: a number, a Curve or `OfCt`; no power unless given [-]
    performance: both coefficients from a table and a schedule
    torque: torque on the body about the axis, or a mapping with `power` and `speed` [N m]
    """

    @property
    def type(self) -> Literal['rotor-thrust']: ...
    @property
    def point(self) -> tuple[float, float, float]: ...
    @property
    def axis(self) -> tuple[float, float, float]: ...
    @property
    def radius(self) -> float: ...
    @property
    def ct(self) -> float | Curve | None: ...
    @property
    def cp(self) -> float | Curve | OfCt | None: ...
    @property
    def performance(self) -> Performance | None: ...
    @property
    def torque(self) -> float: ...
    records: ClassVar[str]
    needs: ClassVar[tuple[str, ...]]
    beyond: ClassVar[tuple[str, str]]
    def __init__(
        self, body: str, point: _Numbers, axis: _Numbers, radius: _Number,
        ct: _Plain | Curve | None | _Fields = None, cp: _Plain | Curve | OfCt | None | _Fields = None,
        performance: Performance | None | _Fields = None, torque: _Number | _Fields = 0.0, *,
        type: Literal['rotor-thrust'] = 'rotor-thrust',
    ) -> None: ...

class _Stack(_Load):
    @property
    def sections(self) -> tuple[tuple[float, float], ...]: ...
    @property
    def x(self) -> float | None: ...
    @property
    def y(self) -> float | None: ...
    needs: ClassVar[tuple[str, ...]]
    def segments(self) -> list[tuple[float, float, float, float]]: ...

class TautLine(_Load):
    """A straight elastic line, Dissertation Eq. 3.16: tension = pretension + EA / length (distance - length).

    body: body that the load acts on
    point: end on the body [m]
    anchor: end in the world [m]
    EA: stiffness of the cross-section: tension per strain [N]
    length: length at which it carries the pretension; as drawn unless given [m]
    pretension: tension at `length` [N]
    damping: tension per rate of stretch [N s/m]
    tension_only: True for a line that cannot push
    """

    @property
    def type(self) -> Literal['taut-line']: ...
    @property
    def point(self) -> tuple[float, float, float]: ...
    @property
    def anchor(self) -> tuple[float, float, float]: ...
    @property
    def EA(self) -> float: ...
    @property
    def length(self) -> float | None: ...
    @property
    def pretension(self) -> float: ...
    @property
    def damping(self) -> float: ...
    @property
    def tension_only(self) -> bool: ...
    records: ClassVar[str]
    def drawn_length(self) -> float: ...
    def __init__(
        self, body: str, point: _Numbers, anchor: _Numbers, EA: _Number, length: _Number | None = None,
        pretension: _Number = 0.0, damping: _Number = 0.0, tension_only: bool = False, *,
        type: Literal['taut-line'] = 'taut-line',
    ) -> None: ...

class _TwoEnds(_Load): ...

class Model(_WholeFile):
    """Everything that is to be simulated.

    name: name of the model
    bodies: rigid bodies by name
    joints: joints between bodies, or to the `world`, by name
    loads: forces and moments on bodies by name
    gravity: acceleration of gravity in world axes [m/s**2]
    environment: water, waves, current and wind; none unless given
    controllers: what commands joints and actuators, by name
    relations: equations between joint coordinates, by name: gears, screws, differentials
    events: what changes while it runs, by name, in the order in which things at one instant happen
    partners: other programs that compute loads, by name; `fairlead couple` runs the model with them
    run: how to run the model; duration and step may be given when it is run instead
    base: base body of the cloud; the first that floats or is joined to the world unless given
    """

    @property
    def name(self) -> str: ...
    @property
    def bodies(self) -> dict[str, Body]: ...
    @property
    def joints(self) -> dict[str, _AnyJoint]: ...
    @property
    def loads(self) -> dict[str, _AnyLoad]: ...
    @property
    def gravity(self) -> tuple[float, float, float]: ...
    @property
    def environment(self) -> Environment | None: ...
    @property
    def controllers(self) -> dict[str, _AnyController]: ...
    @property
    def relations(self) -> dict[str, Relation]: ...
    @property
    def events(self) -> dict[str, Event]: ...
    @property
    def partners(self) -> dict[str, Partner]: ...
    @property
    def run(self) -> Run | None: ...
    @property
    def base(self) -> str | None: ...
    def with_(self, changes: Mapping[str, Any]) -> Model: ...
    def __init__(
        self, name: str, bodies: Mapping[str, Body | _Fields], joints: Mapping[str, _AnyJoint | _Fields] = {},
        loads: Mapping[str, _AnyLoad | _Fields] = {}, gravity: _Numbers = (0.0, 0.0, -9.80665),
        environment: Environment | None | _Fields = None, controllers: Mapping[str, _AnyController | _Fields] = {},
        relations: Mapping[str, Relation | _Fields] = {}, events: Mapping[str, Event | _Fields] = {},
        partners: Mapping[str, Partner | _Fields] = {}, run: Run | None | _Fields = None, base: str | None = None,
    ) -> None: ...

class _Between(_Drawn):
    @property
    def ends(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]: ...

class Box(_Drawn):
    """A box.

    size: its three sides along its own axes [m]
    position: its middle in the drawing; the mass centre unless given [m]
    orientation: its axes in the drawing; those of the body unless given
    colour: white, grey, black, red, orange, yellow, green, blue, purple, brown, or `#rrggbb`; chosen unless given
    """

    @property
    def type(self) -> Literal['box']: ...
    @property
    def size(self) -> tuple[float, float, float]: ...
    @property
    def position(self) -> tuple[float, float, float] | None: ...
    @property
    def orientation(self) -> Orientation | None: ...
    def __init__(
        self, size: _Numbers, position: _Numbers | None = None, orientation: Orientation | None | _Fields = None,
        colour: str | None = None, *, type: Literal['box'] = 'box',
    ) -> None: ...

class Hull(_Drawn):
    """A stack of cylinders and cones along a vertical line of the drawing, in the words of buoyancy.

    sections: rows of drawn z and diameter from bottom to top, straight between them; the same z twice makes a step
        [m]
    x: where the vertical line is; through the body's mass centre unless given [m]
    y: where the vertical line is; through the body's mass centre unless given [m]
    colour: white, grey, black, red, orange, yellow, green, blue, purple, brown, or `#rrggbb`; chosen unless given
    """

    @property
    def type(self) -> Literal['hull']: ...
    @property
    def sections(self) -> tuple[tuple[float, float], ...]: ...
    @property
    def x(self) -> float | None: ...
    @property
    def y(self) -> float | None: ...
    def __init__(
        self, sections: _Rows, x: _Number | None = None, y: _Number | None = None, colour: str | None = None, *,
        type: Literal['hull'] = 'hull',
    ) -> None: ...

class Mesh(_Drawn):
    """A shape from an STL or OBJ file.

    file: STL (text or binary) or OBJ file, sought beside the model file
    scale: metres per unit of the file [-]
    position: where the origin of the file is in the drawing; the mass centre unless given [m]
    orientation: axes of the file in the drawing; those of the body unless given
    colour: white, grey, black, red, orange, yellow, green, blue, purple, brown, or `#rrggbb`; chosen unless given
    """

    @property
    def type(self) -> Literal['mesh']: ...
    @property
    def file(self) -> str: ...
    @property
    def scale(self) -> float: ...
    @property
    def position(self) -> tuple[float, float, float] | None: ...
    @property
    def orientation(self) -> Orientation | None: ...
    def __init__(
        self, file: str, scale: _Plain = 1.0, position: _Numbers | None = None,
        orientation: Orientation | None | _Fields = None, colour: str | None = None, *,
        type: Literal['mesh'] = 'mesh',
    ) -> None: ...

class Sphere(_Drawn):
    """A ball.

    diameter: its diameter [m]
    position: its middle in the drawing; the mass centre unless given [m]
    colour: white, grey, black, red, orange, yellow, green, blue, purple, brown, or `#rrggbb`; chosen unless given
    """

    @property
    def type(self) -> Literal['sphere']: ...
    @property
    def diameter(self) -> float: ...
    @property
    def position(self) -> tuple[float, float, float] | None: ...
    def __init__(
        self, diameter: _Number, position: _Numbers | None = None, colour: str | None = None, *,
        type: Literal['sphere'] = 'sphere',
    ) -> None: ...

class AbsoluteOrientation(_Joint):
    """Holds the attitude of the child as drawn; it may move.

    parent: body it starts from, or `world`
    child: body it carries; positive motion is the child's relative to the parent
    motion: motion of each driven coordinate
    rate: rate of a free coordinate at t = 0 [rad/s or m/s]
    initial: value at t = 0 of a free or locked coordinate; zero is the drawing [rad or m]
    locked: coordinates that keep their value: True for all, a name, several names, or a mapping to True or False
    spring: spring on a free coordinate; a plain number is its stiffness [N m/rad or N/m]
    damper: damping of a free coordinate [N m s/rad or N s/m]
    stop: smooth stop of a free coordinate
    actuator: force or moment under command on a free coordinate
    limits: lower and upper end of a coordinate's range, which is checked and carries no force [rad or m]
    parent_point: point of the joint in the parent's axes [m]
    parent_axis: first axis of the joint in the parent's axes
    parent_axis2: second axis of the joint in the parent's axes
    child_point: point of the joint in the child's axes [m]
    child_axis: first axis of the joint in the child's axes
    child_axis2: second axis of the joint in the child's axes
    """

    @property
    def type(self) -> Literal['absolute-orientation']: ...
    @property
    def parent(self) -> str: ...
    @overload
    def __init__(
        self, parent: str, child: str, motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
        *, type: Literal['absolute-orientation'] = 'absolute-orientation',
    ) -> None: ...
    @overload
    def __init__(
        self, *, parent: str = 'world', child: str,
        motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
        type: Literal['absolute-orientation'] = 'absolute-orientation',
    ) -> None: ...

class Cylindrical(_Joint):
    """Rotation about and sliding along `axis` through `point`.

    parent: body it starts from, or `world`
    child: body it carries; positive motion is the child's relative to the parent
    point: a point on the axis [m]
    axis: direction of positive sliding, and of rotation by the right hand
    motion: motion of each driven coordinate
    rate: rate of a free coordinate at t = 0 [rad/s or m/s]
    initial: value at t = 0 of a free or locked coordinate; zero is the drawing [rad or m]
    locked: coordinates that keep their value: True for all, a name, several names, or a mapping to True or False
    spring: spring on a free coordinate; a plain number is its stiffness [N m/rad or N/m]
    damper: damping of a free coordinate [N m s/rad or N s/m]
    stop: smooth stop of a free coordinate
    actuator: force or moment under command on a free coordinate
    limits: lower and upper end of a coordinate's range, which is checked and carries no force [rad or m]
    parent_point: point of the joint in the parent's axes [m]
    parent_axis: first axis of the joint in the parent's axes
    parent_axis2: second axis of the joint in the parent's axes
    child_point: point of the joint in the child's axes [m]
    child_axis: first axis of the joint in the child's axes
    child_axis2: second axis of the joint in the child's axes
    """

    @property
    def type(self) -> Literal['cylindrical']: ...
    @property
    def point(self) -> tuple[float, float, float] | None: ...
    @property
    def axis(self) -> tuple[float, float, float] | None: ...
    def __init__(
        self, parent: str, child: str, point: _Numbers | None = None, axis: _Numbers | None = None,
        motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
        *, type: Literal['cylindrical'] = 'cylindrical',
    ) -> None: ...

class Distance(_Joint):
    """Keeps `point` on the parent and `other_point` on the child at `length`.

    parent: body it starts from, or `world`
    child: body it carries; positive motion is the child's relative to the parent
    point: point on the parent [m]
    motion: motion of each driven coordinate
    rate: rate of a free coordinate at t = 0 [rad/s or m/s]
    initial: value at t = 0 of a free or locked coordinate; zero is the drawing [rad or m]
    locked: coordinates that keep their value: True for all, a name, several names, or a mapping to True or False
    spring: spring on a free coordinate; a plain number is its stiffness [N m/rad or N/m]
    damper: damping of a free coordinate [N m s/rad or N s/m]
    stop: smooth stop of a free coordinate
    actuator: force or moment under command on a free coordinate
    limits: lower and upper end of a coordinate's range, which is checked and carries no force [rad or m]
    parent_point: point of the joint in the parent's axes [m]
    parent_axis: first axis of the joint in the parent's axes
    parent_axis2: second axis of the joint in the parent's axes
    child_point: point of the joint in the child's axes [m]
    child_axis: first axis of the joint in the child's axes
    child_axis2: second axis of the joint in the child's axes
    other_point: point on the child [m]
    length: distance that is kept; as drawn unless given [m]
    """

    @property
    def type(self) -> Literal['distance']: ...
    @property
    def point(self) -> tuple[float, float, float] | None: ...
    @property
    def other_point(self) -> tuple[float, float, float] | None: ...
    @property
    def length(self) -> float | None: ...
    def __init__(
        self, parent: str, child: str, point: _Numbers | None = None,
        motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
        other_point: _Numbers | None = None, length: _Number | None = None, *,
        type: Literal['distance'] = 'distance',
    ) -> None: ...

class Fixed(_Joint):
    """No relative motion.

    parent: body it starts from, or `world`
    child: body it carries; positive motion is the child's relative to the parent
    point: where reactions are recorded; the child's mass centre unless given [m]
    motion: motion of each driven coordinate
    rate: rate of a free coordinate at t = 0 [rad/s or m/s]
    initial: value at t = 0 of a free or locked coordinate; zero is the drawing [rad or m]
    locked: coordinates that keep their value: True for all, a name, several names, or a mapping to True or False
    spring: spring on a free coordinate; a plain number is its stiffness [N m/rad or N/m]
    damper: damping of a free coordinate [N m s/rad or N s/m]
    stop: smooth stop of a free coordinate
    actuator: force or moment under command on a free coordinate
    limits: lower and upper end of a coordinate's range, which is checked and carries no force [rad or m]
    parent_point: point of the joint in the parent's axes [m]
    parent_axis: first axis of the joint in the parent's axes
    parent_axis2: second axis of the joint in the parent's axes
    child_point: point of the joint in the child's axes [m]
    child_axis: first axis of the joint in the child's axes
    child_axis2: second axis of the joint in the child's axes
    """

    @property
    def type(self) -> Literal['fixed']: ...
    @property
    def point(self) -> tuple[float, float, float] | None: ...
    def __init__(
        self, parent: str, child: str, point: _Numbers | None = None,
        motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
        *, type: Literal['fixed'] = 'fixed',
    ) -> None: ...

class Free(_Joint):
    """All six: sliding x, y, z along the drawing's axes fixed in the parent, then 1-2-3 angles a, b, c.

    parent: body it starts from, or `world`
    child: body it carries; positive motion is the child's relative to the parent
    point: point of the child whose sliding counts; its mass centre unless given [m]
    motion: motion of each driven coordinate
    rate: rate of a free coordinate at t = 0 [rad/s or m/s]
    initial: value at t = 0 of a free or locked coordinate; zero is the drawing [rad or m]
    locked: coordinates that keep their value: True for all, a name, several names, or a mapping to True or False
    spring: spring on a free coordinate; a plain number is its stiffness [N m/rad or N/m]
    damper: damping of a free coordinate [N m s/rad or N s/m]
    stop: smooth stop of a free coordinate
    actuator: force or moment under command on a free coordinate
    limits: lower and upper end of a coordinate's range, which is checked and carries no force [rad or m]
    parent_point: point of the joint in the parent's axes [m]
    parent_axis: first axis of the joint in the parent's axes
    parent_axis2: second axis of the joint in the parent's axes
    child_point: point of the joint in the child's axes [m]
    child_axis: first axis of the joint in the child's axes
    child_axis2: second axis of the joint in the child's axes
    """

    @property
    def type(self) -> Literal['free']: ...
    @property
    def point(self) -> tuple[float, float, float] | None: ...
    def __init__(
        self, parent: str, child: str, point: _Numbers | None = None,
        motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
        *, type: Literal['free'] = 'free',
    ) -> None: ...

class Ground(_Joint):
    """A body held by the world where it is drawn.

    parent: body it starts from, or `world`
    child: body it carries; positive motion is the child's relative to the parent
    point: where reactions are recorded; the child's mass centre unless given [m]
    motion: motion of each driven coordinate
    rate: rate of a free coordinate at t = 0 [rad/s or m/s]
    initial: value at t = 0 of a free or locked coordinate; zero is the drawing [rad or m]
    locked: coordinates that keep their value: True for all, a name, several names, or a mapping to True or False
    spring: spring on a free coordinate; a plain number is its stiffness [N m/rad or N/m]
    damper: damping of a free coordinate [N m s/rad or N s/m]
    stop: smooth stop of a free coordinate
    actuator: force or moment under command on a free coordinate
    limits: lower and upper end of a coordinate's range, which is checked and carries no force [rad or m]
    parent_point: point of the joint in the parent's axes [m]
    parent_axis: first axis of the joint in the parent's axes
    parent_axis2: second axis of the joint in the parent's axes
    child_point: point of the joint in the child's axes [m]
    child_axis: first axis of the joint in the child's axes
    child_axis2: second axis of the joint in the child's axes
    """

    @property
    def type(self) -> Literal['ground']: ...
    @property
    def parent(self) -> str: ...
    @property
    def point(self) -> tuple[float, float, float] | None: ...
    @overload
    def __init__(
        self, parent: str, child: str, point: _Numbers | None = None,
        motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
        *, type: Literal['ground'] = 'ground',
    ) -> None: ...
    @overload
    def __init__(
        self, *, parent: str = 'world', child: str, point: _Numbers | None = None,
        motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
        type: Literal['ground'] = 'ground',
    ) -> None: ...

class Planar(_Joint):
    """Sliding `x` along `axis2` and `y` across it in the parent's plane, then `angle` about the normal `axis`.

    parent: body it starts from, or `world`
    child: body it carries; positive motion is the child's relative to the parent
    point: a point of the plane [m]
    axis: normal of the plane
    axis2: direction of `x` in the plane
    motion: motion of each driven coordinate
    rate: rate of a free coordinate at t = 0 [rad/s or m/s]
    initial: value at t = 0 of a free or locked coordinate; zero is the drawing [rad or m]
    locked: coordinates that keep their value: True for all, a name, several names, or a mapping to True or False
    spring: spring on a free coordinate; a plain number is its stiffness [N m/rad or N/m]
    damper: damping of a free coordinate [N m s/rad or N s/m]
    stop: smooth stop of a free coordinate
    actuator: force or moment under command on a free coordinate
    limits: lower and upper end of a coordinate's range, which is checked and carries no force [rad or m]
    parent_point: point of the joint in the parent's axes [m]
    parent_axis: first axis of the joint in the parent's axes
    parent_axis2: second axis of the joint in the parent's axes
    child_point: point of the joint in the child's axes [m]
    child_axis: first axis of the joint in the child's axes
    child_axis2: second axis of the joint in the child's axes
    """

    @property
    def type(self) -> Literal['planar']: ...
    @property
    def point(self) -> tuple[float, float, float] | None: ...
    @property
    def axis(self) -> tuple[float, float, float] | None: ...
    @property
    def axis2(self) -> tuple[float, float, float] | None: ...
    def __init__(
        self, parent: str, child: str, point: _Numbers | None = None, axis: _Numbers | None = None,
        axis2: _Numbers | None = None, motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
        *, type: Literal['planar'] = 'planar',
    ) -> None: ...

class Prismatic(_Joint):
    """Sliding along `axis`.

    parent: body it starts from, or `world`
    child: body it carries; positive motion is the child's relative to the parent
    point: where reactions are recorded; the child's mass centre unless given [m]
    axis: direction of positive sliding
    motion: motion of each driven coordinate
    rate: rate of a free coordinate at t = 0 [rad/s or m/s]
    initial: value at t = 0 of a free or locked coordinate; zero is the drawing [rad or m]
    locked: coordinates that keep their value: True for all, a name, several names, or a mapping to True or False
    spring: spring on a free coordinate; a plain number is its stiffness [N m/rad or N/m]
    damper: damping of a free coordinate [N m s/rad or N s/m]
    stop: smooth stop of a free coordinate
    actuator: force or moment under command on a free coordinate
    limits: lower and upper end of a coordinate's range, which is checked and carries no force [rad or m]
    parent_point: point of the joint in the parent's axes [m]
    parent_axis: first axis of the joint in the parent's axes
    parent_axis2: second axis of the joint in the parent's axes
    child_point: point of the joint in the child's axes [m]
    child_axis: first axis of the joint in the child's axes
    child_axis2: second axis of the joint in the child's axes
    """

    @property
    def type(self) -> Literal['prismatic']: ...
    @property
    def point(self) -> tuple[float, float, float] | None: ...
    @property
    def axis(self) -> tuple[float, float, float] | None: ...
    def __init__(
        self, parent: str, child: str, point: _Numbers | None = None, axis: _Numbers | None = None,
        motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
        *, type: Literal['prismatic'] = 'prismatic',
    ) -> None: ...

class RelativeAngle(_Joint):
    """Holds or drives one angle between two bodies, which other joints leave free to turn; nothing else is held.

    About `axis`, fixed in the parent: from `parent_axis2` to `child_axis2` as seen along the axis (both in body axes;
    without them the angle is zero as drawn). The child's direction may lean out of the plane across the axis, but not
    point along it.

    parent: body it starts from, or `world`
    child: body it carries; positive motion is the child's relative to the parent
    axis: direction that the angle is counted about, fixed in the parent
    motion: motion of each driven coordinate
    rate: rate of a free coordinate at t = 0 [rad/s or m/s]
    initial: value at t = 0 of a free or locked coordinate; zero is the drawing [rad or m]
    locked: coordinates that keep their value: True for all, a name, several names, or a mapping to True or False
    spring: spring on a free coordinate; a plain number is its stiffness [N m/rad or N/m]
    damper: damping of a free coordinate [N m s/rad or N s/m]
    stop: smooth stop of a free coordinate
    actuator: force or moment under command on a free coordinate
    limits: lower and upper end of a coordinate's range, which is checked and carries no force [rad or m]
    parent_point: point of the joint in the parent's axes [m]
    parent_axis: first axis of the joint in the parent's axes
    parent_axis2: second axis of the joint in the parent's axes
    child_point: point of the joint in the child's axes [m]
    child_axis: first axis of the joint in the child's axes
    child_axis2: second axis of the joint in the child's axes
    """

    @property
    def type(self) -> Literal['relative-angle']: ...
    @property
    def axis(self) -> tuple[float, float, float]: ...
    def __init__(
        self, parent: str, child: str, axis: _Numbers,
        motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
        *, type: Literal['relative-angle'] = 'relative-angle',
    ) -> None: ...

class Revolute(_Joint):
    """Rotation about `axis` through `point`.

    parent: body it starts from, or `world`
    child: body it carries; positive motion is the child's relative to the parent
    point: a point on the axis [m]
    axis: direction of the axis, positive by the right hand
    motion: motion of each driven coordinate
    rate: rate of a free coordinate at t = 0 [rad/s or m/s]
    initial: value at t = 0 of a free or locked coordinate; zero is the drawing [rad or m]
    locked: coordinates that keep their value: True for all, a name, several names, or a mapping to True or False
    spring: spring on a free coordinate; a plain number is its stiffness [N m/rad or N/m]
    damper: damping of a free coordinate [N m s/rad or N s/m]
    stop: smooth stop of a free coordinate
    actuator: force or moment under command on a free coordinate
    limits: lower and upper end of a coordinate's range, which is checked and carries no force [rad or m]
    parent_point: point of the joint in the parent's axes [m]
    parent_axis: first axis of the joint in the parent's axes
    parent_axis2: second axis of the joint in the parent's axes
    child_point: point of the joint in the child's axes [m]
    child_axis: first axis of the joint in the child's axes
    child_axis2: second axis of the joint in the child's axes
    """

    @property
    def type(self) -> Literal['revolute']: ...
    @property
    def point(self) -> tuple[float, float, float] | None: ...
    @property
    def axis(self) -> tuple[float, float, float] | None: ...
    def __init__(
        self, parent: str, child: str, point: _Numbers | None = None, axis: _Numbers | None = None,
        motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
        *, type: Literal['revolute'] = 'revolute',
    ) -> None: ...

class RevoluteCylindrical(_Joint):
    """A coupler that turns about `axis` on the parent and turns and slides along `axis2` on the child.

    The two axes stay perpendicular and the child's passes through the parent's point. In body axes: `parent_axis`
    and `child_axis2`.

    parent: body it starts from, or `world`
    child: body it carries; positive motion is the child's relative to the parent
    point: point on the parent that the child's axis passes through [m]
    axis: axis of turning on the parent
    axis2: axis of turning and sliding on the child, perpendicular to `axis`
    motion: motion of each driven coordinate
    rate: rate of a free coordinate at t = 0 [rad/s or m/s]
    initial: value at t = 0 of a free or locked coordinate; zero is the drawing [rad or m]
    locked: coordinates that keep their value: True for all, a name, several names, or a mapping to True or False
    spring: spring on a free coordinate; a plain number is its stiffness [N m/rad or N/m]
    damper: damping of a free coordinate [N m s/rad or N s/m]
    stop: smooth stop of a free coordinate
    actuator: force or moment under command on a free coordinate
    limits: lower and upper end of a coordinate's range, which is checked and carries no force [rad or m]
    parent_point: point of the joint in the parent's axes [m]
    parent_axis: first axis of the joint in the parent's axes
    parent_axis2: second axis of the joint in the parent's axes
    child_point: point of the joint in the child's axes [m]
    child_axis: first axis of the joint in the child's axes
    child_axis2: second axis of the joint in the child's axes
    """

    @property
    def type(self) -> Literal['revolute-cylindrical']: ...
    @property
    def point(self) -> tuple[float, float, float] | None: ...
    @property
    def axis(self) -> tuple[float, float, float] | None: ...
    @property
    def axis2(self) -> tuple[float, float, float] | None: ...
    def __init__(
        self, parent: str, child: str, point: _Numbers | None = None, axis: _Numbers | None = None,
        axis2: _Numbers | None = None, motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
        *, type: Literal['revolute-cylindrical'] = 'revolute-cylindrical',
    ) -> None: ...

class Spherical(_Joint):
    """Rotation about `point`: driven or locked by 1-2-3 angles a, b, c about the drawing's axes.

    parent: body it starts from, or `world`
    child: body it carries; positive motion is the child's relative to the parent
    point: centre of the rotation [m]
    motion: motion of each driven coordinate
    rate: rate of a free coordinate at t = 0 [rad/s or m/s]
    initial: value at t = 0 of a free or locked coordinate; zero is the drawing [rad or m]
    locked: coordinates that keep their value: True for all, a name, several names, or a mapping to True or False
    spring: spring on a free coordinate; a plain number is its stiffness [N m/rad or N/m]
    damper: damping of a free coordinate [N m s/rad or N s/m]
    stop: smooth stop of a free coordinate
    actuator: force or moment under command on a free coordinate
    limits: lower and upper end of a coordinate's range, which is checked and carries no force [rad or m]
    parent_point: point of the joint in the parent's axes [m]
    parent_axis: first axis of the joint in the parent's axes
    parent_axis2: second axis of the joint in the parent's axes
    child_point: point of the joint in the child's axes [m]
    child_axis: first axis of the joint in the child's axes
    child_axis2: second axis of the joint in the child's axes
    """

    @property
    def type(self) -> Literal['spherical']: ...
    @property
    def point(self) -> tuple[float, float, float] | None: ...
    def __init__(
        self, parent: str, child: str, point: _Numbers | None = None,
        motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
        *, type: Literal['spherical'] = 'spherical',
    ) -> None: ...

class Universal(_Joint):
    """`angle1` about `axis` fixed in the parent, then `angle2` about `axis2` fixed in the child.

    In body axes it is `parent_axis` and `child_axis2` (the two arms of the cross).

    parent: body it starts from, or `world`
    child: body it carries; positive motion is the child's relative to the parent
    point: where the arms of the cross meet [m]
    axis: arm of the cross that is fixed in the parent
    axis2: arm of the cross that is fixed in the child, perpendicular to `axis`
    motion: motion of each driven coordinate
    rate: rate of a free coordinate at t = 0 [rad/s or m/s]
    initial: value at t = 0 of a free or locked coordinate; zero is the drawing [rad or m]
    locked: coordinates that keep their value: True for all, a name, several names, or a mapping to True or False
    spring: spring on a free coordinate; a plain number is its stiffness [N m/rad or N/m]
    damper: damping of a free coordinate [N m s/rad or N s/m]
    stop: smooth stop of a free coordinate
    actuator: force or moment under command on a free coordinate
    limits: lower and upper end of a coordinate's range, which is checked and carries no force [rad or m]
    parent_point: point of the joint in the parent's axes [m]
    parent_axis: first axis of the joint in the parent's axes
    parent_axis2: second axis of the joint in the parent's axes
    child_point: point of the joint in the child's axes [m]
    child_axis: first axis of the joint in the child's axes
    child_axis2: second axis of the joint in the child's axes
    """

    @property
    def type(self) -> Literal['universal']: ...
    @property
    def point(self) -> tuple[float, float, float] | None: ...
    @property
    def axis(self) -> tuple[float, float, float] | None: ...
    @property
    def axis2(self) -> tuple[float, float, float] | None: ...
    def __init__(
        self, parent: str, child: str, point: _Numbers | None = None, axis: _Numbers | None = None,
        axis2: _Numbers | None = None, motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
        *, type: Literal['universal'] = 'universal',
    ) -> None: ...

class _Absolute(_Joint):
    """A point of the child held at its drawn world coordinate, or driven from it by `motion`.

    parent: body it starts from, or `world`
    child: body it carries; positive motion is the child's relative to the parent
    point: point of the child that is held; its mass centre unless given [m]
    motion: motion of each driven coordinate
    rate: rate of a free coordinate at t = 0 [rad/s or m/s]
    initial: value at t = 0 of a free or locked coordinate; zero is the drawing [rad or m]
    locked: coordinates that keep their value: True for all, a name, several names, or a mapping to True or False
    spring: spring on a free coordinate; a plain number is its stiffness [N m/rad or N/m]
    damper: damping of a free coordinate [N m s/rad or N s/m]
    stop: smooth stop of a free coordinate
    actuator: force or moment under command on a free coordinate
    limits: lower and upper end of a coordinate's range, which is checked and carries no force [rad or m]
    parent_point: point of the joint in the parent's axes [m]
    parent_axis: first axis of the joint in the parent's axes
    parent_axis2: second axis of the joint in the parent's axes
    child_point: point of the joint in the child's axes [m]
    child_axis: first axis of the joint in the child's axes
    child_axis2: second axis of the joint in the child's axes
    """

    @property
    def parent(self) -> str: ...
    @property
    def point(self) -> tuple[float, float, float] | None: ...
    @overload
    def __init__(
        self, parent: str, child: str, point: _Numbers | None = None,
        motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
    ) -> None: ...
    @overload
    def __init__(
        self, *, parent: str = 'world', child: str, point: _Numbers | None = None,
        motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
    ) -> None: ...

class Controlled(_Motion):
    """The coordinate follows a controller of the model: one that plans a motion gives it, feedback commands it.

    A commanded position u is followed by q'' = w^2 (u - q) - 2 z w q' with the `frequency` w and the `damping_ratio` z,
    a rate by q'' = (u - q') / `time_constant`; a commanded acceleration is the coordinate's own. Limits hold for the
    motion; near those of position the rate falls in time, with a double pole.

    controller: name of the controller, or of one of its outputs as `name.output`
    follows: whether the output is a position, a rate or an acceleration; a position unless given
    frequency: natural frequency with which a position is followed; a text may be in Hz [rad/s]
    damping_ratio: damping ratio of that; 1 unless given [-]
    time_constant: time in which a rate is followed, and in which limits are met where accelerations are commanded [s]
    limits: lower and upper end of the coordinate; none unless given [rad or m]
    rate_limit: largest rate; none unless given [rad/s or m/s]
    acceleration_limit: largest acceleration; none unless given [rad/s**2 or m/s**2]
    start: coordinate at t = 0 [rad or m]
    start_rate: its rate at t = 0 [rad/s or m/s]
    """

    @property
    def controller(self) -> str: ...
    @property
    def follows(self) -> Literal['position', 'rate', 'acceleration']: ...
    @property
    def frequency(self) -> float | None: ...
    @property
    def damping_ratio(self) -> float: ...
    @property
    def time_constant(self) -> float | None: ...
    @property
    def limits(self) -> tuple[float | str, float | str] | None: ...
    @property
    def rate_limit(self) -> float | str | None: ...
    @property
    def acceleration_limit(self) -> float | str | None: ...
    @property
    def start(self) -> float | str: ...
    @property
    def start_rate(self) -> float | str: ...
    def in_si(self, kind: str) -> dict[str, float]: ...
    def asked(self) -> list[str]: ...
    def __init__(
        self, controller: str, follows: Literal['position', 'rate', 'acceleration'] = 'position',
        frequency: _Number | None = None, damping_ratio: _Plain = 1.0, time_constant: _Number | None = None,
        limits: _Numbers | None = None, rate_limit: _Number | None = None, acceleration_limit: _Number | None = None,
        start: _Number = 0.0, start_rate: _Number = 0.0,
    ) -> None: ...

class Expression(_Motion):
    """A formula in the safe expression language.

    expression: the formula; as a motion it may use `t` alone
    """

    @property
    def expression(self) -> str: ...
    def __init__(self, expression: str) -> None: ...

class Polynomial(_Motion):
    """coordinate = c0 + c1 t + c2 t^2 + ...

    coefficients: c0, c1, c2, ..., plain numbers in SI; a file calls them `polynomial` [rad or m, per power of s]
    """

    @property
    def coefficients(self) -> tuple[float, ...]: ...
    def __init__(self, coefficients: _Numbers) -> None: ...

class Ramp(_Motion):
    """At `start` until `begin`, then the rate grows with `acceleration` until it is `rate`, and stays.

    rate: final rate; a file calls it `ramp` [rad/s or m/s]
    acceleration: how fast the rate grows; its sign follows the rate [rad/s**2 or m/s**2]
    start: coordinate until `begin` [rad or m]
    begin: when the rate begins to grow [s]
    """

    @property
    def rate(self) -> float | str: ...
    @property
    def acceleration(self) -> float | str: ...
    @property
    def start(self) -> float | str: ...
    @property
    def begin(self) -> float: ...
    def __init__(self, rate: _Number, acceleration: _Number, start: _Number = 0.0, begin: _Number = 0.0) -> None: ...

class Rate(_Motion):
    """A constant rate: coordinate = start + value t.

    value: the rate; a file calls it `rate` [rad/s or m/s]
    start: coordinate at t = 0 [rad or m]
    """

    @property
    def value(self) -> float | str: ...
    @property
    def start(self) -> float | str: ...
    def __init__(self, value: _Number, start: _Number = 0.0) -> None: ...

class Sine(_Motion):
    """coordinate = mean + amplitude sin(frequency t + phase); give `frequency` or `period`.

    amplitude: largest distance from the mean; a file calls it `sine` [rad or m]
    frequency: angular frequency; a text may be in Hz [rad/s]
    phase: phase at t = 0 [rad]
    mean: coordinate it swings about [rad or m]
    period: time of one swing, instead of `frequency` [s]
    """

    @property
    def amplitude(self) -> float | str: ...
    @property
    def frequency(self) -> float | None: ...
    @property
    def phase(self) -> float: ...
    @property
    def mean(self) -> float | str: ...
    @property
    def period(self) -> float | None: ...
    def __init__(
        self, amplitude: _Number, frequency: _Number | None = None, phase: _Number = 0.0, mean: _Number = 0.0,
        period: _Number | None = None,
    ) -> None: ...

class Table(_Motion):
    """Values at times; as a motion a C2 cubic spline, as a load linear between its rows.

    times: times of the rows, growing [s]
    values: value at each time, in the unit of what the table is for
    """

    @property
    def times(self) -> tuple[float, ...]: ...
    @property
    def values(self) -> tuple[float | str, ...]: ...
    def __init__(self, times: _Numbers, values: _Numbers) -> None: ...

class RegularWave(_Waves):
    """One component.

    height: crest to trough [m]
    period: time from crest to crest [s]
    phase: phase at the origin at t = 0; a crest for 0 [rad]
    direction: where the waves travel to, from +x towards +y [rad]
    stretching: what kinematics are taken above the still water
    lookup: the exact `sum`, a `table` of it, or tables wherever they pay (`auto`)
    accuracy: largest error of the tables, of the root mean square [-]
    reach: how far from where they are drawn bodies find tables; beyond it the sum is taken [m]
    """

    @property
    def type(self) -> Literal['regular-wave']: ...
    @property
    def height(self) -> float: ...
    @property
    def period(self) -> float: ...
    @property
    def phase(self) -> float: ...
    def __init__(
        self, height: _Number, period: _Number, phase: _Number = 0.0, direction: _Number = 0.0,
        stretching: Literal['none', 'vertical', 'wheeler'] = 'wheeler',
        lookup: Literal['auto', 'sum', 'table'] = 'auto', accuracy: _Plain = 0.001, reach: _Number = 30.0, *,
        type: Literal['regular-wave'] = 'regular-wave',
    ) -> None: ...

class _Spectrum(_Waves):
    @property
    def height(self) -> float: ...
    @property
    def period(self) -> float: ...
    @property
    def components(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def amplitudes(self) -> Literal['deterministic', 'random']: ...
    @property
    def spacing(self) -> Literal['equal', 'random']: ...
    @property
    def lowest(self) -> float | None: ...
    @property
    def highest(self) -> float | None: ...
    def band(self) -> tuple[float, float]: ...

class WaveRecord(_Waves):
    """A measured elevation at the origin, from t = 0 on; no run may be longer.

    Either `values` every `dt`, or a `file`. The mean is left out: the still water is at z = 0.

    dt: time between the values [s]
    values: elevations [m]
    highest: highest frequency that is kept; 4 times the one with most energy unless given [rad/s]
    file: table with time and elevation in each row, evenly spaced, sought beside the model file
    direction: where the waves travel to, from +x towards +y [rad]
    stretching: what kinematics are taken above the still water
    lookup: the exact `sum`, a `table` of it, or tables wherever they pay (`auto`)
    accuracy: largest error of the tables, of the root mean square [-]
    reach: how far from where they are drawn bodies find tables; beyond it the sum is taken [m]
    """

    @property
    def type(self) -> Literal['wave-record']: ...
    @property
    def dt(self) -> float | None: ...
    @property
    def values(self) -> tuple[float, ...] | None: ...
    @property
    def highest(self) -> float | None: ...
    @property
    def file(self) -> str | None: ...
    def __init__(
        self, dt: _Number | None = None, values: _Numbers | None = None, highest: _Number | None = None,
        file: str | None = None, direction: _Number = 0.0,
        stretching: Literal['none', 'vertical', 'wheeler'] = 'wheeler',
        lookup: Literal['auto', 'sum', 'table'] = 'auto', accuracy: _Plain = 0.001, reach: _Number = 30.0, *,
        type: Literal['wave-record'] = 'wave-record',
    ) -> None: ...

class WaveTable(_Waves):
    """Components given one by one.

    frequencies: angular frequency of each component [rad/s]
    amplitudes: amplitude of each component [m]
    phases: phase of each component at the origin at t = 0 [rad]
    direction: where the waves travel to, from +x towards +y [rad]
    stretching: what kinematics are taken above the still water
    lookup: the exact `sum`, a `table` of it, or tables wherever they pay (`auto`)
    accuracy: largest error of the tables, of the root mean square [-]
    reach: how far from where they are drawn bodies find tables; beyond it the sum is taken [m]
    """

    @property
    def type(self) -> Literal['wave-table']: ...
    @property
    def frequencies(self) -> tuple[float, ...]: ...
    @property
    def amplitudes(self) -> tuple[float, ...]: ...
    @property
    def phases(self) -> tuple[float, ...]: ...
    def __init__(
        self, frequencies: _Numbers, amplitudes: _Numbers, phases: _Numbers, direction: _Number = 0.0,
        stretching: Literal['none', 'vertical', 'wheeler'] = 'wheeler',
        lookup: Literal['auto', 'sum', 'table'] = 'auto', accuracy: _Plain = 0.001, reach: _Number = 30.0, *,
        type: Literal['wave-table'] = 'wave-table',
    ) -> None: ...

class KaimalWind(_Wind):
    """IEC 61400-1 Kaimal turbulence averaged over the rotor, made from a seed.

    speed: mean wind speed [m/s]
    turbulence: turbulence class A+, A, B or C, or the standard deviation at a point [m/s]
    seed: seed of the random numbers; the same seed gives the same wind
    direction: where the mean wind blows to, from +x towards +y [rad]
    duration: length of the record; no run may be longer [s]
    dt: time between its samples [s]
    radius: radius of the disc it is averaged over; the largest rotor's unless given, a point for 0 [m]
    components: along the wind alone, or with the two across it
    height: where the speed is meant, for the profile over height [m]
    exponent: exponent of a power law over height; uniform unless given [-]
    roughness: roughness length of a logarithmic profile, instead of `exponent` [m]
    changes: gusts and changes of direction on top of the wind
    """

    @property
    def type(self) -> Literal['kaimal']: ...
    @property
    def speed(self) -> float: ...
    @property
    def turbulence(self) -> float | str: ...
    @property
    def seed(self) -> int: ...
    @property
    def direction(self) -> float: ...
    @property
    def duration(self) -> float: ...
    @property
    def dt(self) -> float: ...
    @property
    def radius(self) -> float | None: ...
    @property
    def components(self) -> Literal['u', 'uvw']: ...
    def __init__(
        self, speed: _Number, turbulence: _Number, seed: int | integer[Any], direction: _Number = 0.0,
        duration: _Number = 600.0, dt: _Number = 0.1, radius: _Number | None = None,
        components: Literal['u', 'uvw'] = 'u', height: _Number = 90.0, exponent: _Plain | None = None,
        roughness: _Number | None = None, changes: Sequence[_AnyChange | _Fields] = (), *,
        type: Literal['kaimal'] = 'kaimal',
    ) -> None: ...

class SteadyWind(_Wind):
    """The same speed for ever.

    speed: wind speed [m/s]
    direction: where the wind blows to, from +x towards +y [rad]
    height: where the speed is meant, for the profile over height [m]
    exponent: exponent of a power law over height; uniform unless given [-]
    roughness: roughness length of a logarithmic profile, instead of `exponent` [m]
    changes: gusts and changes of direction on top of the wind
    """

    @property
    def type(self) -> Literal['steady']: ...
    @property
    def speed(self) -> float: ...
    @property
    def direction(self) -> float: ...
    def __init__(
        self, speed: _Number, direction: _Number = 0.0, height: _Number = 90.0, exponent: _Plain | None = None,
        roughness: _Number | None = None, changes: Sequence[_AnyChange | _Fields] = (), *,
        type: Literal['steady'] = 'steady',
    ) -> None: ...

class WindFile(_Wind):
    """A TurbSim `.bts` box, averaged over the rotor or taken at the hub, or a hub-height file (`.wnd`, `.hh`).

    file: the file, sought beside the model file
    direction: where the x axis of a box points to, from +x towards +y; a hub-height file carries its own directions
        [rad]
    take: average of a box over the rotor's disc, or its value at the hub
    interpolation: straight between the rows, or a C2 spline
    height: where the speed is meant, for the profile over height [m]
    exponent: exponent of a power law over height; uniform unless given [-]
    roughness: roughness length of a logarithmic profile, instead of `exponent` [m]
    changes: gusts and changes of direction on top of the wind
    """

    @property
    def type(self) -> Literal['file']: ...
    @property
    def file(self) -> str: ...
    @property
    def direction(self) -> float: ...
    @property
    def take(self) -> Literal['rotor', 'hub']: ...
    @property
    def interpolation(self) -> Literal['linear', 'spline']: ...
    def __init__(
        self, file: str, direction: _Number = 0.0, take: Literal['rotor', 'hub'] = 'rotor',
        interpolation: Literal['linear', 'spline'] = 'linear', height: _Number = 90.0,
        exponent: _Plain | None = None, roughness: _Number | None = None,
        changes: Sequence[_AnyChange | _Fields] = (), *, type: Literal['file'] = 'file',
    ) -> None: ...

class WindTable(_Wind):
    """Speed and direction at times.

    times: times of the rows, growing [s]
    speeds: wind speed at each time [m/s]
    directions: where the wind blows to at each time; along +x unless given [rad]
    vertical: upward speed at each time; none unless given [m/s]
    interpolation: straight between the rows, or a C2 spline
    height: where the speed is meant, for the profile over height [m]
    exponent: exponent of a power law over height; uniform unless given [-]
    roughness: roughness length of a logarithmic profile, instead of `exponent` [m]
    changes: gusts and changes of direction on top of the wind
    """

    @property
    def type(self) -> Literal['table']: ...
    @property
    def times(self) -> tuple[float, ...]: ...
    @property
    def speeds(self) -> tuple[float, ...]: ...
    @property
    def directions(self) -> tuple[float, ...]: ...
    @property
    def vertical(self) -> tuple[float, ...]: ...
    @property
    def interpolation(self) -> Literal['linear', 'spline']: ...
    def __init__(
        self, times: _Numbers, speeds: _Numbers, directions: _Numbers = (), vertical: _Numbers = (),
        interpolation: Literal['linear', 'spline'] = 'linear', height: _Number = 90.0,
        exponent: _Plain | None = None, roughness: _Number | None = None,
        changes: Sequence[_AnyChange | _Fields] = (), *, type: Literal['table'] = 'table',
    ) -> None: ...

class Buoyancy(_Stack):
    """Water density times gravity times the volume below the still water, at its centre; exact at any attitude.

    body: body that the load acts on
    sections: rows of drawn z and diameter from bottom to top, straight between them; the same z twice makes a step
        [m]
    x: where the vertical line is; through the body's mass centre unless given [m]
    y: where the vertical line is; through the body's mass centre unless given [m]
    """

    @property
    def type(self) -> Literal['buoyancy']: ...
    records: ClassVar[str]
    def __init__(
        self, body: str, sections: _Rows, x: _Number | None = None, y: _Number | None = None, *,
        type: Literal['buoyancy'] = 'buoyancy',
    ) -> None: ...

class _Feedback(_AnyFeedback):
    @property
    def period(self) -> float | None: ...
    def every(self) -> float | None: ...

class Morison(_Stack):
    """Added mass, wave inertia and drag across a member, per unit length (Dissertation Eq. 3.22).

    The alternatives of `kinematics`, `waterline` and `normal` are what other programs assume.

    body: body that the load acts on
    sections: rows of drawn z and diameter from bottom to top, straight between them; the same z twice makes a step
        [m]
    ca: coefficient of added mass [-]
    cd: coefficient of drag [-]
    cm: coefficient of wave inertia; 1 + ca unless given [-]
    kinematics: take the waves where the member is, or at the `undisplaced` member
    waterline: wet length up to the instantaneous surface, or to the `still` water of the drawing
    normal: forces across the axis of the body, or across the `fixed` axis of the drawing
    axial_pressure: True adds the dynamic pressure on ends and tapers
    end_ca: added mass along the axis at each wet end, as a multiple of a hemisphere of water [-]
    end_cd: coefficient of drag along the axis at each wet end [-]
    strips: number of Gauss points along the member
    x: where the vertical line is; through the body's mass centre unless given [m]
    y: where the vertical line is; through the body's mass centre unless given [m]
    """

    @property
    def type(self) -> Literal['morison']: ...
    @property
    def ca(self) -> float: ...
    @property
    def cd(self) -> float: ...
    @property
    def cm(self) -> float | None: ...
    @property
    def kinematics(self) -> Literal['displaced', 'undisplaced']: ...
    @property
    def waterline(self) -> Literal['instantaneous', 'still']: ...
    @property
    def normal(self) -> Literal['body', 'fixed']: ...
    @property
    def axial_pressure(self) -> bool: ...
    @property
    def end_ca(self) -> float: ...
    @property
    def end_cd(self) -> float: ...
    @property
    def strips(self) -> int: ...
    records: ClassVar[str]
    needs: ClassVar[tuple[str, ...]]
    beyond: ClassVar[tuple[str, str]]
    @property
    def added_mass(self) -> float | None: ...
    def __init__(
        self, body: str, sections: _Rows, ca: _Plain, cd: _Plain, cm: _Plain | None = None,
        kinematics: Literal['displaced', 'undisplaced'] = 'displaced',
        waterline: Literal['instantaneous', 'still'] = 'instantaneous', normal: Literal['body', 'fixed'] = 'body',
        axial_pressure: bool = False, end_ca: _Plain = 0.0, end_cd: _Plain = 0.0, strips: int | integer[Any] = 30,
        x: _Number | None = None, y: _Number | None = None, *, type: Literal['morison'] = 'morison',
    ) -> None: ...

class RotationalSpring(_TwoEnds):
    """Moment -stiffness phi - damping w on the body, phi the rotation vector from the drawn relative attitude.

    body: body that the load acts on
    other: body that the rotation is relative to; the world unless given
    stiffness: moment per rotation [N m/rad]
    damping: moment per rate of rotation [N m s/rad]
    axis: axis along which alone the moment acts, turning with `other`; all three unless given
    """

    @property
    def type(self) -> Literal['rotational-spring']: ...
    @property
    def other(self) -> str | None: ...
    @property
    def stiffness(self) -> float: ...
    @property
    def damping(self) -> float: ...
    @property
    def axis(self) -> tuple[float, float, float] | None: ...
    records: ClassVar[str]
    def __init__(
        self, body: str, other: str | None = None, stiffness: _Number = 0.0, damping: _Number = 0.0,
        axis: _Numbers | None = None, *, type: Literal['rotational-spring'] = 'rotational-spring',
    ) -> None: ...

class Spring(_TwoEnds):
    """A straight spring and damper from a point on the body to an anchor in the world or a point on another body.

    body: body that the load acts on
    point: end on the body [m]
    anchor: far end in the world [m]
    other: body of the far end, instead of an anchor
    other_point: far end on the other body [m]
    stiffness: force per stretch [N/m]
    damping: force per rate of stretch [N s/m]
    length: length without force; as drawn unless given [m]
    tension_only: True for a rope: it pulls and never pushes
    """

    @property
    def type(self) -> Literal['spring']: ...
    @property
    def point(self) -> tuple[float, float, float]: ...
    @property
    def anchor(self) -> tuple[float, float, float] | None: ...
    @property
    def other(self) -> str | None: ...
    @property
    def other_point(self) -> tuple[float, float, float] | None: ...
    @property
    def stiffness(self) -> float: ...
    @property
    def damping(self) -> float: ...
    @property
    def length(self) -> float | None: ...
    @property
    def tension_only(self) -> bool: ...
    records: ClassVar[str]
    def far_point(self) -> tuple[float, float, float]: ...
    def drawn_length(self) -> float: ...
    def __init__(
        self, body: str, point: _Numbers, anchor: _Numbers | None = None, other: str | None = None,
        other_point: _Numbers | None = None, stiffness: _Number = 0.0, damping: _Number = 0.0,
        length: _Number | None = None, tension_only: bool = False, *, type: Literal['spring'] = 'spring',
    ) -> None: ...

class YawFollow(_AnyFeedback):
    """Nacelle yaw that follows the wind's direction, Dissertation Chapter 2.

    Once the wind has been off by more than `dead_band` for `lag`, the nacelle turns to it: the rate grows to `rate`
        over
    `acceleration_time`, stays, and falls to zero over the same time. The motion is planned before the run from the wind
    alone; with a `body` it is feedback, which sees where that body faces and gives out `rate` and `acceleration`.

    dead_band: how far the wind may be off; 8 deg unless given [rad]
    lag: how long it must be off before the nacelle turns [s]
    rate: rate of turning; 0.3 deg/s unless given [rad/s]
    acceleration_time: time to reach the rate, and to stop from it [s]
    average: time over which the direction is averaged; none for 0 [s]
    sample: time between two looks at the wind [s]
    facing: direction the drawing faces; along the shaft of its rotor unless given, without a rotor where the wind
        blows to at t = 0 [rad]
    body: body whose heading is seen, such as the nacelle; the motion is planned from the wind alone unless given
    """

    @property
    def type(self) -> Literal['yaw-follow']: ...
    @property
    def dead_band(self) -> float: ...
    @property
    def lag(self) -> float: ...
    @property
    def rate(self) -> float: ...
    @property
    def acceleration_time(self) -> float: ...
    @property
    def average(self) -> float: ...
    @property
    def sample(self) -> float: ...
    @property
    def facing(self) -> float | None: ...
    @property
    def body(self) -> str | None: ...
    records: ClassVar[str]
    def every(self) -> float | None: ...
    def outputs(self) -> tuple[str, ...]: ...
    def start_states(self) -> tuple[float, ...]: ...
    def continuous(self) -> None: ...
    def __init__(
        self, dead_band: _Number = 0.13962634015954636, lag: _Number = 10.0, rate: _Number = 0.005235987755982988,
        acceleration_time: _Number = 10.0, average: _Number = 0.0, sample: _Number = 0.1,
        facing: _Number | None = None, body: str | None = None, *, type: Literal['yaw-follow'] = 'yaw-follow',
    ) -> None: ...

class Blade(_Between):
    """A blade from its root to its tip: round at the root, thin at the tip.

    ends: the two points, centres of its ends [m]
    chord: largest width and width at the tip; one number for both [m]
    edge: direction of the chord at the tip in the drawing
    root: diameter of the root; half of the largest width unless given [m]
    twist: angle by which the widest section is turned against the tip [rad]
    colour: white, grey, black, red, orange, yellow, green, blue, purple, brown, or `#rrggbb`; chosen unless given
    """

    @property
    def type(self) -> Literal['blade']: ...
    @property
    def chord(self) -> tuple[float, float]: ...
    @property
    def edge(self) -> tuple[float, float, float]: ...
    @property
    def root(self) -> float | None: ...
    @property
    def twist(self) -> float: ...
    def __init__(
        self, ends: _Rows, chord: _Number | _Numbers, edge: _Numbers, root: _Number | None = None,
        twist: _Number = 0.0, colour: str | None = None, *, type: Literal['blade'] = 'blade',
    ) -> None: ...

class Capsule(_Between):
    """A round bar between two points, with half a ball on each.

    ends: the two points, centres of its ends [m]
    diameter: its diameter [m]
    colour: white, grey, black, red, orange, yellow, green, blue, purple, brown, or `#rrggbb`; chosen unless given
    """

    @property
    def type(self) -> Literal['capsule']: ...
    @property
    def diameter(self) -> float: ...
    def __init__(
        self, ends: _Rows, diameter: _Number, colour: str | None = None, *, type: Literal['capsule'] = 'capsule',
    ) -> None: ...

class Cone(_Between):
    """A cone between two points, cut off where its second diameter is not zero.

    ends: the two points, centres of its ends [m]
    diameters: diameters at its two ends [m]
    colour: white, grey, black, red, orange, yellow, green, blue, purple, brown, or `#rrggbb`; chosen unless given
    """

    @property
    def type(self) -> Literal['cone']: ...
    @property
    def diameters(self) -> tuple[float, float]: ...
    def __init__(
        self, ends: _Rows, diameters: _Numbers, colour: str | None = None, *, type: Literal['cone'] = 'cone',
    ) -> None: ...

class Cylinder(_Between):
    """A round bar between two points.

    ends: the two points, centres of its ends [m]
    diameter: its diameter [m]
    colour: white, grey, black, red, orange, yellow, green, blue, purple, brown, or `#rrggbb`; chosen unless given
    """

    @property
    def type(self) -> Literal['cylinder']: ...
    @property
    def diameter(self) -> float: ...
    def __init__(
        self, ends: _Rows, diameter: _Number, colour: str | None = None, *, type: Literal['cylinder'] = 'cylinder',
    ) -> None: ...

class AbsoluteX(_Absolute):
    """Holds or drives the x coordinate of a point.

    parent: body it starts from, or `world`
    child: body it carries; positive motion is the child's relative to the parent
    point: point of the child that is held; its mass centre unless given [m]
    motion: motion of each driven coordinate
    rate: rate of a free coordinate at t = 0 [rad/s or m/s]
    initial: value at t = 0 of a free or locked coordinate; zero is the drawing [rad or m]
    locked: coordinates that keep their value: True for all, a name, several names, or a mapping to True or False
    spring: spring on a free coordinate; a plain number is its stiffness [N m/rad or N/m]
    damper: damping of a free coordinate [N m s/rad or N s/m]
    stop: smooth stop of a free coordinate
    actuator: force or moment under command on a free coordinate
    limits: lower and upper end of a coordinate's range, which is checked and carries no force [rad or m]
    parent_point: point of the joint in the parent's axes [m]
    parent_axis: first axis of the joint in the parent's axes
    parent_axis2: second axis of the joint in the parent's axes
    child_point: point of the joint in the child's axes [m]
    child_axis: first axis of the joint in the child's axes
    child_axis2: second axis of the joint in the child's axes
    """

    @property
    def type(self) -> Literal['absolute-x']: ...
    @overload
    def __init__(
        self, parent: str, child: str, point: _Numbers | None = None,
        motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
        *, type: Literal['absolute-x'] = 'absolute-x',
    ) -> None: ...
    @overload
    def __init__(
        self, *, parent: str = 'world', child: str, point: _Numbers | None = None,
        motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
        type: Literal['absolute-x'] = 'absolute-x',
    ) -> None: ...

class AbsoluteY(_Absolute):
    """Holds or drives the y coordinate of a point.

    parent: body it starts from, or `world`
    child: body it carries; positive motion is the child's relative to the parent
    point: point of the child that is held; its mass centre unless given [m]
    motion: motion of each driven coordinate
    rate: rate of a free coordinate at t = 0 [rad/s or m/s]
    initial: value at t = 0 of a free or locked coordinate; zero is the drawing [rad or m]
    locked: coordinates that keep their value: True for all, a name, several names, or a mapping to True or False
    spring: spring on a free coordinate; a plain number is its stiffness [N m/rad or N/m]
    damper: damping of a free coordinate [N m s/rad or N s/m]
    stop: smooth stop of a free coordinate
    actuator: force or moment under command on a free coordinate
    limits: lower and upper end of a coordinate's range, which is checked and carries no force [rad or m]
    parent_point: point of the joint in the parent's axes [m]
    parent_axis: first axis of the joint in the parent's axes
    parent_axis2: second axis of the joint in the parent's axes
    child_point: point of the joint in the child's axes [m]
    child_axis: first axis of the joint in the child's axes
    child_axis2: second axis of the joint in the child's axes
    """

    @property
    def type(self) -> Literal['absolute-y']: ...
    @overload
    def __init__(
        self, parent: str, child: str, point: _Numbers | None = None,
        motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
        *, type: Literal['absolute-y'] = 'absolute-y',
    ) -> None: ...
    @overload
    def __init__(
        self, *, parent: str = 'world', child: str, point: _Numbers | None = None,
        motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
        type: Literal['absolute-y'] = 'absolute-y',
    ) -> None: ...

class AbsoluteZ(_Absolute):
    """Holds or drives the z coordinate of a point.

    parent: body it starts from, or `world`
    child: body it carries; positive motion is the child's relative to the parent
    point: point of the child that is held; its mass centre unless given [m]
    motion: motion of each driven coordinate
    rate: rate of a free coordinate at t = 0 [rad/s or m/s]
    initial: value at t = 0 of a free or locked coordinate; zero is the drawing [rad or m]
    locked: coordinates that keep their value: True for all, a name, several names, or a mapping to True or False
    spring: spring on a free coordinate; a plain number is its stiffness [N m/rad or N/m]
    damper: damping of a free coordinate [N m s/rad or N s/m]
    stop: smooth stop of a free coordinate
    actuator: force or moment under command on a free coordinate
    limits: lower and upper end of a coordinate's range, which is checked and carries no force [rad or m]
    parent_point: point of the joint in the parent's axes [m]
    parent_axis: first axis of the joint in the parent's axes
    parent_axis2: second axis of the joint in the parent's axes
    child_point: point of the joint in the child's axes [m]
    child_axis: first axis of the joint in the child's axes
    child_axis2: second axis of the joint in the child's axes
    """

    @property
    def type(self) -> Literal['absolute-z']: ...
    @overload
    def __init__(
        self, parent: str, child: str, point: _Numbers | None = None,
        motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
        *, type: Literal['absolute-z'] = 'absolute-z',
    ) -> None: ...
    @overload
    def __init__(
        self, *, parent: str = 'world', child: str, point: _Numbers | None = None,
        motion: _AnyMotion | _Fields | Mapping[str, _AnyMotion | _Fields] = {},
        rate: _Number | Mapping[str, _Number] = {}, initial: _Number | Mapping[str, _Number] = {},
        locked: bool | str | Sequence[str] | Mapping[str, bool] = (),
        spring: JointSpring | _Fields | _Number | Mapping[str, JointSpring | _Fields | _Number] = {},
        damper: _Number | Mapping[str, _Number] = {}, stop: Stop | _Fields | Mapping[str, Stop | _Fields] = {},
        actuator: Actuator | _Fields | Mapping[str, Actuator | _Fields] = {},
        limits: _Numbers | Mapping[str, _Numbers] = {}, parent_point: _Numbers | None = None,
        parent_axis: _Numbers | None = None, parent_axis2: _Numbers | None = None,
        child_point: _Numbers | None = None, child_axis: _Numbers | None = None, child_axis2: _Numbers | None = None,
        type: Literal['absolute-z'] = 'absolute-z',
    ) -> None: ...

class Generator(_TwoEnds):
    """A generator behind a gearbox on the revolute joint between two bodies; it brakes the joint's positive rate.

    The joint feels gear_ratio times the torque, and gear_ratio squared times the inertia. `generator_speed`, of the
    fast side, is a channel that controllers may read. Work of the load is what leaves the shaft; what of it reaches the
    grid is the `electrical_energy`, what does not the `lost_energy`.

    body: body that the load acts on
    other: body that carries the generator, such as the nacelle
    torque: torque of the generator on its fast side: a number, a channel such as baseline.torque, or a formula [N m]
    gear_ratio: speed of the generator over that of the joint
    inertia: moment of inertia of the generator about its fast shaft [kg m2]
    efficiency: electrical power over mechanical power; the other way round where it drives [-]
    shaft: spring and damper of the drive train; rigid unless given
    """

    @property
    def type(self) -> Literal['generator']: ...
    @property
    def other(self) -> str: ...
    @property
    def torque(self) -> float | str: ...
    @property
    def gear_ratio(self) -> float: ...
    @property
    def inertia(self) -> float: ...
    @property
    def efficiency(self) -> float: ...
    @property
    def shaft(self) -> Shaft | None: ...
    records: ClassVar[str]
    def own_formulas(self) -> dict[str, float | str]: ...
    def braked_joint(self, model: Any) -> str | None: ...
    def __init__(
        self, body: str, other: str, torque: _Number, gear_ratio: _Plain = 1.0, inertia: _Number = 0.0,
        efficiency: _Plain = 1.0, shaft: Shaft | None | _Fields = None, *, type: Literal['generator'] = 'generator',
    ) -> None: ...

class Jonswap(_Spectrum):
    """JONSWAP spectrum.

    height: significant wave height [m]
    period: peak period [s]
    gamma: peak enhancement; that of IEC 61400-3 for the height and period unless given [-]
    direction: where the waves travel to, from +x towards +y [rad]
    stretching: what kinematics are taken above the still water
    lookup: the exact `sum`, a `table` of it, or tables wherever they pay (`auto`)
    accuracy: largest error of the tables, of the root mean square [-]
    reach: how far from where they are drawn bodies find tables; beyond it the sum is taken [m]
    components: number of components
    seed: seed of the random numbers; the same seed gives the same sea
    amplitudes: amplitudes from the spectrum, or random about it
    spacing: frequencies in the middle of each part, or anywhere in it
    lowest: lowest frequency; 0.4 times the peak's unless given [rad/s]
    highest: highest frequency; 4 times the peak's unless given [rad/s]
    """

    @property
    def type(self) -> Literal['jonswap']: ...
    @property
    def gamma(self) -> float | None: ...
    def __init__(
        self, height: _Number, period: _Number, gamma: _Plain | None = None, direction: _Number = 0.0,
        stretching: Literal['none', 'vertical', 'wheeler'] = 'wheeler',
        lookup: Literal['auto', 'sum', 'table'] = 'auto', accuracy: _Plain = 0.001, reach: _Number = 30.0,
        components: int | integer[Any] = 200, seed: int | integer[Any] = 0,
        amplitudes: Literal['deterministic', 'random'] = 'deterministic',
        spacing: Literal['equal', 'random'] = 'random', lowest: _Number | None = None,
        highest: _Number | None = None, *, type: Literal['jonswap'] = 'jonswap',
    ) -> None: ...

class PiersonMoskowitz(_Spectrum):
    """Pierson-Moskowitz spectrum of a height and peak period: JONSWAP with gamma 1.

    height: significant wave height [m]
    period: peak period [s]
    direction: where the waves travel to, from +x towards +y [rad]
    stretching: what kinematics are taken above the still water
    lookup: the exact `sum`, a `table` of it, or tables wherever they pay (`auto`)
    accuracy: largest error of the tables, of the root mean square [-]
    reach: how far from where they are drawn bodies find tables; beyond it the sum is taken [m]
    components: number of components
    seed: seed of the random numbers; the same seed gives the same sea
    amplitudes: amplitudes from the spectrum, or random about it
    spacing: frequencies in the middle of each part, or anywhere in it
    lowest: lowest frequency; 0.4 times the peak's unless given [rad/s]
    highest: highest frequency; 4 times the peak's unless given [rad/s]
    """

    @property
    def type(self) -> Literal['pierson-moskowitz']: ...
    def __init__(
        self, height: _Number, period: _Number, direction: _Number = 0.0,
        stretching: Literal['none', 'vertical', 'wheeler'] = 'wheeler',
        lookup: Literal['auto', 'sum', 'table'] = 'auto', accuracy: _Plain = 0.001, reach: _Number = 30.0,
        components: int | integer[Any] = 200, seed: int | integer[Any] = 0,
        amplitudes: Literal['deterministic', 'random'] = 'deterministic',
        spacing: Literal['equal', 'random'] = 'random', lowest: _Number | None = None,
        highest: _Number | None = None, *, type: Literal['pierson-moskowitz'] = 'pierson-moskowitz',
    ) -> None: ...

class BaselineTurbine(_Feedback):
    """Generator torque by regions of the filtered speed, collective pitch by a scheduled PI; TP-500-38060, section 7.

    Outputs are `torque` [N m] of the generator and `pitch` [rad]. Unless given, numbers are those of the NREL 5 MW
    turbine. Above the rated speed, or a pitch of `region3_pitch`, the torque is constant (or the power); below it grows
    with the square of the speed, and linearly at both ends. Without a period (null) it is the limit of a short one, and
    has no limits of rate.

    speed: speed of the generator, fast side: a channel such as generator.generator_speed, or a formula [rad/s]
    gains: gains of the pitch and what is constant above rated: of the turbine on land, or on OC3-Hywind
    kp: pitch per error of the speed; by `gains` unless given [s]
    ki: rate of the pitch per error of the speed; by `gains` unless given [-]
    region3: what is constant above rated; by `gains` unless given
    gain_pitch: pitch at which the gains have halved [rad]
    reference_speed: speed that the pitch holds [rad/s]
    filter_corner: corner of the low-pass of the speed [rad/s]
    min_pitch: smallest pitch [rad]
    max_pitch: largest pitch [rad]
    pitch_rate: largest rate of the pitch [rad/s]
    cut_in_speed: speed below which there is no torque [rad/s]
    region2_speed: speed from which the torque grows with its square [rad/s]
    region2_gain: torque over the square of the speed
    rated_speed: speed at which region 3 begins [rad/s]
    slip: how far below the rated speed the line to rated torque begins, over the speed there [-]
    rated_power: mechanical power of the generator in region 3 [W]
    region3_pitch: pitch above which region 3 holds at any speed [rad]
    max_torque: largest torque [N m]
    torque_rate: largest rate of the torque [N m/s]
    start_pitch: pitch before the first sample, from which the integral begins [rad]
    period: time between samples, between which the outputs are held; continuous unless given [s]
    """

    @property
    def type(self) -> Literal['baseline-turbine']: ...
    @property
    def speed(self) -> float | str: ...
    @property
    def gains(self) -> Literal['land-based', 'oc3']: ...
    @property
    def kp(self) -> float | None: ...
    @property
    def ki(self) -> float | None: ...
    @property
    def region3(self) -> Literal['constant-torque', 'constant-power'] | None: ...
    @property
    def gain_pitch(self) -> float: ...
    @property
    def reference_speed(self) -> float: ...
    @property
    def filter_corner(self) -> float: ...
    @property
    def min_pitch(self) -> float: ...
    @property
    def max_pitch(self) -> float: ...
    @property
    def pitch_rate(self) -> float | None: ...
    @property
    def cut_in_speed(self) -> float: ...
    @property
    def region2_speed(self) -> float: ...
    @property
    def region2_gain(self) -> float: ...
    @property
    def rated_speed(self) -> float: ...
    @property
    def slip(self) -> float: ...
    @property
    def rated_power(self) -> float: ...
    @property
    def region3_pitch(self) -> float: ...
    @property
    def max_torque(self) -> float: ...
    @property
    def torque_rate(self) -> float | None: ...
    @property
    def start_pitch(self) -> float: ...
    @property
    def period(self) -> float | None: ...
    records: ClassVar[str]
    from_outputs: ClassVar[bool]
    def outputs(self) -> tuple[str, ...]: ...
    def formulas(self) -> Iterator[tuple[Path, float | str]]: ...
    def direct(self) -> Iterator[float | str]: ...
    def start_outputs(self) -> tuple[float, ...]: ...
    def start_states(self) -> tuple[float, ...]: ...
    def state_names(self) -> tuple[str, ...]: ...
    def continuous(self) -> BaselineTurbine: ...
    def __init__(
        self, speed: _Number, gains: Literal['land-based', 'oc3'], kp: _Plain | None = None,
        ki: _Plain | None = None, region3: Literal['constant-torque', 'constant-power'] | None = None,
        gain_pitch: _Number = 0.1099965, reference_speed: _Number = 122.9096, filter_corner: _Number = 1.570796,
        min_pitch: _Number = 0.0, max_pitch: _Number = 1.570796, pitch_rate: _Number | None = 0.1396263,
        cut_in_speed: _Number = 70.16224, region2_speed: _Number = 91.21091, region2_gain: _Plain = 2.332287,
        rated_speed: _Number = 121.6805, slip: _Plain = 0.1, rated_power: _Number = 5296610.0,
        region3_pitch: _Number = 0.01745329, max_torque: _Number = 47402.91, torque_rate: _Plain | None = 15000.0,
        start_pitch: _Number = 0.0, period: _Number | None = 0.0125, *,
        type: Literal['baseline-turbine'] = 'baseline-turbine',
    ) -> None: ...

class ExpressionController(_Feedback):
    """Outputs and rates of states as formulas; with a `period` the states become what their formulas give.

    Formulas read channels and, as name.state, the controller's own states.

    output: formula of the output, or a mapping of formulas by the names of the outputs
    state: formula of the rate of each state, by its name; with a `period` of its next value
    start: value of each state at the start; 0 unless given
    period: time between samples, between which the outputs are held; continuous unless given [s]
    """

    @property
    def type(self) -> Literal['expression']: ...
    @property
    def output(self) -> dict[str, float | str]: ...
    @property
    def state(self) -> dict[str, float | str]: ...
    @property
    def start(self) -> dict[str, float]: ...
    records: ClassVar[str]
    def outputs(self) -> tuple[str, ...]: ...
    def readable_states(self) -> tuple[str, ...]: ...
    def formulas(self) -> Iterator[tuple[Path, float | str]]: ...
    def direct(self) -> Iterator[float | str]: ...
    def start_states(self) -> tuple[float, ...]: ...
    def continuous(self) -> ExpressionController: ...
    def __init__(
        self, output: _Number | Mapping[str, _Number], state: Mapping[str, _Number] = {},
        start: Mapping[str, _Number] = {}, period: _Number | None = None, *,
        type: Literal['expression'] = 'expression',
    ) -> None: ...

class _OutsideController(_Feedback):
    records: ClassVar[str]
    def asks(self) -> int: ...

class Pid(_Feedback):
    """output = kp e + ki (integral of e) + kd e' within `limits`, e = target - input. Astrom and Hagglund 2006, Ch. 13.

    While a limit holds the output back, the integral follows it (anti-windup). With a `period` it is sampled.

    input: what is measured: a channel such as spin.rate, or a formula
    target: what it should be: a number, a text with a unit, a channel or a formula
    kp: output per error
    ki: rate of the output per error
    kd: output per rate of the error
    derivative_filter: time constant of the filter of the derivative, which a continuous one needs [s]
    limits: lower and upper end of the output; none unless given
    tracking_time: time in which the integral follows an output that a limit holds; kp / ki unless given [s]
    start: the integral's part of the output at the start
    period: time between samples, between which the outputs are held; continuous unless given [s]
    """

    @property
    def type(self) -> Literal['pid']: ...
    @property
    def input(self) -> float | str: ...
    @property
    def target(self) -> float | str: ...
    @property
    def kp(self) -> float: ...
    @property
    def ki(self) -> float: ...
    @property
    def kd(self) -> float: ...
    @property
    def derivative_filter(self) -> float | None: ...
    @property
    def limits(self) -> tuple[float, float] | None: ...
    @property
    def tracking_time(self) -> float | None: ...
    @property
    def start(self) -> float: ...
    records: ClassVar[str]
    def outputs(self) -> tuple[str, ...]: ...
    def formulas(self) -> Iterator[tuple[Path, float | str]]: ...
    def start_states(self) -> tuple[float, ...]: ...
    def continuous(self) -> Pid: ...
    def __init__(
        self, input: _Number, target: _Number, kp: _Plain = 0.0, ki: _Plain = 0.0, kd: _Plain = 0.0,
        derivative_filter: _Number | None = None, limits: _Numbers | None = None,
        tracking_time: _Number | None = None, start: _Number = 0.0, period: _Number | None = None, *,
        type: Literal['pid'] = 'pid',
    ) -> None: ...

class Schedule(_Feedback):
    """output = what a table gives at its input: linear between its points, held at the first and the last.

    input: what it is looked up by: a channel such as rotor.relative_wind, or a formula
    points: value of the input, then the output there, the input's growing
    period: time between samples, between which the outputs are held; continuous unless given [s]
    """

    @property
    def type(self) -> Literal['schedule']: ...
    @property
    def input(self) -> float | str: ...
    @property
    def points(self) -> tuple[tuple[float, float], ...]: ...
    records: ClassVar[str]
    def outputs(self) -> tuple[str, ...]: ...
    def formulas(self) -> Iterator[tuple[Path, float | str]]: ...
    def __init__(
        self, input: _Number, points: _Rows, period: _Number | None = None, *,
        type: Literal['schedule'] = 'schedule',
    ) -> None: ...

class Sensor(_Feedback):
    """An instrument at a channel: it gives out the input and its noise, filtered, and `delay` later.

    Other controllers read it as name.output. The filter starts at the first value, as if it had always been measured.

    input: what is measured: a channel such as spin.rate, or a formula
    time_constant: time constant of a filter of first order [s]
    frequency: natural frequency of a filter of second order [rad/s]
    damping_ratio: damping ratio of a filter of second order [-]
    delay: how late the output is, a whole number of periods [s]
    noise: standard deviation of what is added at each sample, in the unit of the input
    seed: which noise: the same number gives the same noise
    period: time between samples, between which the outputs are held; continuous unless given [s]
    """

    @property
    def type(self) -> Literal['sensor']: ...
    @property
    def input(self) -> float | str: ...
    @property
    def time_constant(self) -> float | None: ...
    @property
    def frequency(self) -> float | None: ...
    @property
    def damping_ratio(self) -> float | None: ...
    @property
    def delay(self) -> float | None: ...
    @property
    def noise(self) -> float | None: ...
    @property
    def seed(self) -> int | None: ...
    records: ClassVar[str]
    @property
    def order(self) -> int: ...
    @property
    def late(self) -> int: ...
    def outputs(self) -> tuple[str, ...]: ...
    def formulas(self) -> Iterator[tuple[Path, float | str]]: ...
    def direct(self) -> Iterator[float | str]: ...
    def start_states(self) -> tuple[float, ...]: ...
    def __init__(
        self, input: _Number, time_constant: _Number | None = None, frequency: _Number | None = None,
        damping_ratio: _Plain | None = None, delay: _Number | None = None, noise: _Plain | None = None,
        seed: int | integer[Any] | None = None, period: _Number | None = None, *, type: Literal['sensor'] = 'sensor',
    ) -> None: ...

class StateFeedback(_Feedback):
    """output = sum of gain (target - input) over its inputs: u = K (x0 - x).

    inputs: what is measured: channels such as cart.rate, or formulas
    gains: one number per input, or a mapping of such rows by the names of the outputs
    targets: what each input should be; 0 unless given
    limits: lower and upper end of the outputs; none unless given
    period: time between samples, between which the outputs are held; continuous unless given [s]
    """

    @property
    def type(self) -> Literal['state-feedback']: ...
    @property
    def inputs(self) -> tuple[float | str, ...]: ...
    @property
    def gains(self) -> dict[str, tuple[float, ...]]: ...
    @property
    def targets(self) -> tuple[float | str, ...]: ...
    @property
    def limits(self) -> tuple[float, float] | None: ...
    records: ClassVar[str]
    def outputs(self) -> tuple[str, ...]: ...
    def formulas(self) -> Iterator[tuple[Path, float | str]]: ...
    def __init__(
        self, inputs: _Numbers, gains: _Numbers | Mapping[str, _Numbers], targets: _Numbers = (),
        limits: _Numbers | None = None, period: _Number | None = None, *,
        type: Literal['state-feedback'] = 'state-feedback',
    ) -> None: ...

class Discon(_OutsideController):
    """A library with a Bladed-style procedure DISCON, called at samples through the swap array, in its own process.

    What is not given stays zero in the array. Its own memory is in no checkpoint, so a run with it cannot be resumed.

    library: shared library, sought beside the model file; or rosco, for that of the installed package `rosco`
    inputs: what it is told: channels or formulas by the names of records (generator_speed, pitch, wind_speed ...) or
        their numbers
    input_file: its own input file, sought beside the model file
    output: names of outputs, or a mapping from names to records; torque and pitch unless given
    procedure: name of its procedure
    blades: number of blades [-]
    time_limit: longest time that it may take to answer [s]
    period: time between samples, between which the outputs are held; continuous unless given [s]
    """

    @property
    def type(self) -> Literal['discon']: ...
    @property
    def library(self) -> str: ...
    @property
    def inputs(self) -> dict[str, float | str]: ...
    @property
    def input_file(self) -> str | None: ...
    @property
    def output(self) -> dict[str, str]: ...
    @property
    def procedure(self) -> str: ...
    @property
    def blades(self) -> int: ...
    @property
    def time_limit(self) -> float: ...
    def outputs(self) -> tuple[str, ...]: ...
    def formulas(self) -> Iterator[tuple[Path, float | str]]: ...
    def unsaved(self) -> str: ...
    def path(self) -> str: ...
    def wrong_files(self) -> tuple[str, str] | None: ...
    def try_out(self, name: str) -> str: ...
    def __init__(
        self, library: str, inputs: Mapping[str, _Number] = {}, input_file: str | None = None,
        output: Mapping[str, str] = {'torque': 'torque', 'pitch': 'pitch'}, procedure: str = 'DISCON',
        blades: int | integer[Any] = 3, time_limit: _Number = 60.0, period: _Number | None = None, *,
        type: Literal['discon'] = 'discon',
    ) -> None: ...

class PythonController(_OutsideController):
    """A function or an object of one's own, asked at samples: function(t, inputs) gives the outputs.

    `inputs` is an array in the order of `inputs`; what is given back is one number, or one per output (a sequence, or a
    mapping by their names). An object that remembers something has `get_state()`, which returns numbers, always
    as many, and `set_state(numbers)`: then its memory is part of the state of the run.

    function: the function or object; no file can hold it
    inputs: what it is asked with: channels such as spin.rate, or formulas
    output: name of its output, or a list of names
    every_stage: whether it is asked at every stage of every step instead of at samples; then its answer must depend
        on time and inputs alone
    time_limit: longest time that it may take to answer [s]
    start: the numbers that it remembers at the start; what `get_state()` gives when the model is made unless given
    period: time between samples, between which the outputs are held; continuous unless given [s]
    """

    @property
    def type(self) -> Literal['python']: ...
    @property
    def function(self) -> Any: ...
    @property
    def inputs(self) -> tuple[float | str, ...]: ...
    @property
    def output(self) -> tuple[str, ...]: ...
    @property
    def every_stage(self) -> bool: ...
    @property
    def time_limit(self) -> float: ...
    @property
    def start(self) -> tuple[float, ...] | None: ...
    def outputs(self) -> tuple[str, ...]: ...
    def formulas(self) -> Iterator[tuple[Path, float | str]]: ...
    def start_states(self) -> tuple[float, ...]: ...
    def unsaved(self) -> str: ...
    def __init__(
        self, function: Any = None, inputs: _Numbers = (), output: Sequence[str] = ('output',),
        every_stage: bool = False, time_limit: _Number = 60.0, start: _Numbers | None = None,
        period: _Number | None = None, *, type: Literal['python'] = 'python',
    ) -> None: ...

class Simulation:
    """A run taken step by step; `dt` is one step. What is not given comes from the model's `run`.

    The steps are those of `fl.simulate`, to the bit, and there is no end. `duration` says for how long tables of waves
    are made and where a last step of `fl.simulate` would end (the model's `run`, else 10 minutes); behind it, waves
    are summed exactly, which takes longer. With an adaptive integrator a step goes to the next multiple of `dt`.
    """

    def __init__(
        self, model: Model, dt: float | str | None = None, *, duration: float | str | None = None,
        formulation: str | None = None, integrator: str | None = None, output_every: int | None = None,
        rotation: str | None = None, rtol: float | None = None, atol: float | None = None,
        unknowns: str | None = None, closing: str | None = None, audit: dict[str, float] | None = None,
        start: xr.Dataset | str | os.PathLike[str] | None = None, ramp: float | str | None = None,
        discard: float | str | None = None,
    ) -> None: ...
    @property
    def time(self) -> float: ...
    def step(self, n: int = 1) -> None: ...
    @property
    def stopped(self) -> str | None: ...
    def apply(self, body: str, force: Any = None, moment: Any = None, point: Any = None) -> None: ...
    def command(self, name: str, value: float | str) -> None: ...
    @property
    def motion(self) -> Motions: ...
    @property
    def joints(self) -> Coordinates: ...
    def dataset(self) -> xr.Dataset: ...
    @property
    def state(self) -> State: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...
    def restore(self, path: str | os.PathLike[str]) -> None: ...

def accelerations(
    model: Model | _Model, time: float | str = 0.0, formulation: str = 'auto', rotation: str = 'quaternion',
) -> xr.Dataset:
    """Return the Dataset of one instant of the drawing: accelerations of every body and joint, and joint reactions.

    At a `time` other than zero the base is where it is drawn and driven joints are where their motions put them.
    """

def check(model: Model | _Model | str | os.PathLike[str]) -> list[Problem]:
    """Return every problem of a model or a model file, none if all is well; a bad file is a problem, not an error."""

def couple(
    model: Model | _Model, duration: float | str | None = None, dt: float | str | None = None, *,
    programs: Mapping[str, Any] | None = None, out: str | Path | None = None, overwrite: bool = False,
    folder: str | Path | None = None, resume: bool = False, accept_mismatch: bool = False,
    say: Callable[[str], Any] | None = None, progress: Any = None, **options: Any,
) -> xr.Dataset:
    """Return the motion of `model` run together with its partners, as an xarray Dataset.

    `programs` gives, by their names, the partners with transport "in-process": functions `(t, motion) -> six numbers`
    or instances of `fl.PartnerProgram`. Commands are started in `folder`, the present one unless given. `out` is a run
    directory, without which nothing is kept; with `resume` the run in `out` goes on from its checkpoint, and
    `accept_mismatch` lets it do so though a partner's state is another than it wrote then. `say` gets remarks.
    The options of `fl.simulate` are taken as well. A partner's constant step becomes `dt`.
    """

def crosscheck(
    model: Model | _Model, duration: float | str | None = None, dt: float | str | None = None, *, tolerance: float = 1e-06,
    formulations: Sequence[str] | None = None, integrator: str = 'dop853', rtol: float | None = None,
    atol: float | None = None, progress: Any = None, patience: float = 60.0,
) -> Crosscheck:
    """Return how far the records of every formulation that can run `model` are apart, relative to each one's size.

    All run with the same integrator, by default at rtol 1e-12; `tolerance` decides `passed`. Where there are loops,
    `constrained` runs by projection, by partition and with Euler parameters. Reactions that redundant constraints leave
    open are not compared. One that takes longer than `patience` [s], and 30 times the fastest, is given up as failed.
    """

def equations(
    model: Model | _Model, time: float | str | None = None, formulation: str = 'kane', state: xr.Dataset | None = None, *,
    points: Mapping[str, tuple[str, Any]] | None = None, accelerations: Mapping[str, float] | None = None,
) -> xr.Dataset:
    """Return the Dataset of the equations of motion at one instant: mass matrix, forcing, coordinates by name.

    At the start, or at the last instant of the Dataset `state`; driven joints are where their motions put them at
    `time` (that of `state`, or 0). `formulation` is "kane" ([A], {f} and partial velocities of the Kane notes), "cloud"
    (P1, Q1, P2, Q2 of the MCM paper as printed), "articulated" (M(q), bias, gravity of a tree in joint coordinates) or
    "constrained" (masses, Jacobian and gamma of absolute coordinates). With "articulated", `points` such as
    {"tip": ("hand", (x, y, z))}, world points of the drawing on a body, have their Jacobians in the answer, and
    `accelerations` by coordinate (the others zero) the forces `inverse_dynamics` that they need.
    """

def equilibrium(
    model: Model | _Model, time: float | str = 0.0, start: xr.Dataset | None = None, formulation: str | None = None,
) -> xr.Dataset:
    """Return the Dataset of one instant at which a model rests, as `accelerations` gives it.

    The search starts from the drawing, or from the last instant of the Dataset `start`. Driven joints are held where
    they are at `time`; those that turn at a constant rate go on turning. Waves are left out and turbulent wind is its
    mean; the attribute `notes` says so. `residual_force` and `residual_moment` are what is left unbalanced per body.
    Where joints turn, it is the accelerations averaged over a revolution that are none; `notes` says what is left at
    single angles. Directions without restoring force stay as they start and are named in the attribute
    `free_directions`; `sought_from` and `stable` say which of several states of rest it is. NumericalFailure says what
    is still accelerated where no rest is found.
    """

def kinematics(
    model: Model | _Model, duration: float | str | None = None, dt: float | str | None = None, **options: Any,
) -> xr.Dataset:
    """Return the motion of a fully driven mechanism: position by Newton, then velocity and acceleration.

    InvalidInput says which coordinates still may move, when not all are driven.
    """

def linearize(
    model: Model | _Model, state: xr.Dataset | None = None, inputs: list[str] | None = None, outputs: list[str] | None = None,
    formulation: str | None = None, *, azimuths: int | None = None,
    amplitude: float | str | Mapping[str, float | str] | None = None,
) -> xr.Dataset:
    """Return the Dataset of the linearised model: A, B, C, D, and over `mode` periods, damping ratios and shapes.

    About the equilibrium, or about the last instant of the Dataset `state` with its velocities. `inputs` are joint
    coordinates that have an actuator (all of them unless given), `outputs` names of freedoms or 'rate of' one (the
    coordinates of the state unless given). Loops are eliminated and attitudes are rotation vectors in world axes. Waves
    are left out and turbulent wind is its mean. About a turning joint the matrices are those at its angle, or with
    `azimuths` their average over so many angles of a revolution. Quadratic drag has the slope it has at the state, none
    in still water; `amplitude` [m or rad], one for all modes or a mapping by their names, adds the equivalent linear
    drag of such oscillations. The attribute `largest_stable_step` is that of rk4 [s], `suggested_dt` a step to try.
    """

def load(path: str | Path, *, floating_base: bool = False) -> Model:
    """Return the model in a file: YAML or URDF by its ending, otherwise an MBDM main file or the folder that holds one.

    The root link of a URDF stands on the world unless `floating_base`; what a model cannot say of it is a
    warning, and so is what a legacy file may mean otherwise than it is read.
    """

def response(
    model: Model | _Model, periods: Iterable[float | str], heading: float | str | Iterable[float | str] = 0.0, *,
    amplitude: float | str | None = None, formulation: str | None = None,
) -> xr.Dataset:
    """Return the Dataset of transfer functions of a floating model in regular waves, per metre of wave amplitude.

    About its equilibrium in still water: A of `linearize`, and the accelerations that small waves give the model held
    there. `periods` [s] and `heading` [rad], where the waves travel to, may carry units. Over `heading, period`:
    `transfer` of every freedom (complex: motion = Re(transfer exp(i omega t)) where a crest passes the origin at t = 0;
    m/m or rad/m), its `amplitude` and `phase`, and `body_transfer` of each body's mass centre and rotation. Quadratic
    drag has no part in small waves; with an `amplitude` of the waves [m] the first harmonics of all forces, drag too,
    are balanced over a period at that height.
    """

def save(model: Model | _Model, path: str | os.PathLike[str]) -> None:
    """Write a model to a YAML file, whole or not at all: an earlier file stays until the new one is on the disk."""

def simulate(
    model: Model | _Model, duration: float | str | None = None, dt: float | str | None = None, *,
    formulation: str | None = None, integrator: str | None = None, output_every: int | None = None,
    interval: float | str | None = None, out: str | Path | None = None, overwrite: bool = False,
    progress: bool | Progress | None = None, rotation: str | None = None, rtol: float | None = None,
    atol: float | None = None, unknowns: str | None = None, closing: str | None = None,
    audit: dict[str, float] | None = None, start: xr.Dataset | str | Path | None = None,
    ramp: float | str | None = None, discard: float | str | None = None,
) -> xr.Dataset:
    """Return the motion of `model` as an xarray Dataset; what is not given comes from the model's `run`.

    Times are seconds or texts with a unit ('5 s', '1 ms'). With `dt` the method is rk4 in steps of that size; without
    it dop853 chooses its steps by tolerances (rtol 1e-9) and 1000 instants are recorded. `output_every` records every
    so many of these instants; `interval` is the time between recorded instants instead.
    `out` names a new run directory (written as the run goes, resumable) or a `.nc` file (written at the end); without
    it nothing is written. `progress` is a bar by default where there is a terminal, False for none, or a callable.
    `unknowns` of the constrained formulation are "omega" (MBDM note Eq. 67) or "euler-parameters" (Eq. 69);
    `closing` is by "projection" (default) or by coordinate "partition" (section 5), chosen anew when its conditioning
    asks for it, or with "partition-every-step". `audit` is {"tolerance": ...}: what `fl.audit` judges this result by
    unless told otherwise; it is kept in the attribute `audit_tolerance`.
    `start` is "drawing" (default), "equilibrium", a Dataset (its last instant) or the path of a result: bodies and
    joint coordinates start where that has them, by their names. `ramp` is the time over which waves and wind are raised
    smoothly at the start (from an equilibrium: waves and turbulence); statistics leave out what is before `discard`.
    """
