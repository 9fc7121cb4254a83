"""Studies run: the same bits however they are run, failures named, nothing lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
import xarray as xr

import fairlead as fl
from fairlead.running.ensembles.cases import plan_of
from fairlead.running.ensembles.convergence import convergence
from fairlead.running.ensembles.read import read_study
from fairlead.running.ensembles.steps import SUFFICES, steps_tried
from fairlead.running.ensembles.store import Ledger
from fairlead.running.ensembles.study import conducted, failures, planned
from support.study_specs import CUBE, ROOT, Z, buoy, cubes, seas

distributed = pytest.importorskip("distributed", reason="dask is not installed: pip install 'fairlead[study]'")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Give a dask cluster of threads, which costs no new processes."""
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0"
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as found,
    ):
        yield found


def test_a_case_is_the_run_that_its_command_says(client: Any):
    """Statistics of a study have the bits of fl.statistics of the run alone, with waves shared or not."""
    data = fl.study(seas(), client, progress=False)
    assert data["surge_std"].dims == ("sea", "drag", "realisation")
    seed = int(data["environment.waves.seed"].isel(sea=1, drag=0, realisation=1))
    changes = {"environment.waves.height": 4, "environment.waves.period": 10, "environment.waves.seed": seed}
    for drag in (0.6, 1.0):
        alone = fl.simulate(buoy().with_({**changes, "loads.waves.cd": drag}), discard="10 s", progress=False)
        expected = fl.statistics(alone, "surge")
        found = data.sel(drag=drag).isel(sea=1, realisation=1)
        assert float(found["surge_mean"]) == float(expected["mean"].item())
        assert float(found["surge_std"]) == float(expected["std"].item())
    assert (data["wave_elevation_std"].sel(drag=0.6) == data["wave_elevation_std"].sel(drag=1.0)).all()
    assert (data["audit_passed"] == 1).all()
    assert (data["outcome"] == "done").all()
    assert data["surge_std"].attrs == {
        "units": "m",
        "long_name": "standard deviation",
        "channel": "surge",
        "statistic": "std",
    }
    assert list(data["environment.waves.period"].values) == [8, 10]


def test_a_second_start_runs_what_is_missing(client: Any, tmp_path: Path):
    """Finished cases are not run again; a result that is damaged is; the answer is the same to the bit."""
    out = tmp_path / "cubes.study"
    first = fl.study(cubes(), client, out, progress=False)
    files = sorted((out / "cases").glob("*.json"))
    assert len(files) == 6
    before = {file: file.stat().st_mtime_ns for file in files}
    files[0].write_bytes(files[0].read_bytes()[:-20] + b"x" * 20)
    files[1].unlink()
    with open(out / "ledger", "ab") as ledger:  # killed while it wrote
        ledger.write(b'00000000 {"case": "hal')
    again = fl.study(cubes(), client, out, progress=False)
    assert first.identical(again)
    assert first.identical(xr.open_dataset(out / "study.nc", engine="h5netcdf").load())
    now = {file: file.stat().st_mtime_ns for file in files}
    assert [file for file in files if now[file] != before[file]] == files[:2]
    found = Ledger(out / "ledger")
    assert len(found.outcomes) == 6
    assert found.damaged == 0
    assert {file.stem for file in files} == set(found.outcomes)
    wider = cubes()
    wider["vary"]["mass"]["values"] = [50, 55, 60, "70 kg"]
    assert fl.study(wider, client, out, progress=False).sizes["mass"] == 4
    assert all(file.stat().st_mtime_ns == now[file] for file in files)
    rows = (out / "study.csv").read_text().splitlines()
    assert len(rows) == 9
    assert rows[0] == "mass,loads.spring.stiffness,realisation,bodies.cube.mass," + rows[0].split("mass,", 3)[-1]


def test_failures_are_named_with_cause_and_command_and_the_others_go_on(client: Any, tmp_path: Path):
    """A step too long for its spring diverges; a wind file and a model file are not there; a record has no room."""
    file = tmp_path / "away.yaml"
    spec = cubes(
        vary={
            "model": {"models": {"there": CUBE, "away": str(file)}},
            "gain": {"path": "loads.spring.stiffness", "values": [1e4, 1e12]},
        }
    )
    del spec["model"]
    out = tmp_path / "s"
    with pytest.raises(fl.StudyIncomplete) as error:
        fl.study(spec, client, out, progress=False)
    assert error.value.exit_code == 8
    text = str(error.value)
    assert "3 of 4 cases failed" in text
    assert f"there is no file '{file}'" in text
    assert "2 x there is no file" in text  # grouped by cause
    assert "fairlead run" in text
    assert "loads.spring.stiffness=1e12" in text
    data = error.value.data
    assert data["outcome"].values[..., 0].tolist() == [["done", "failed"], ["failed", "failed"]]
    assert np.isfinite(data[f"{Z.replace(':', '_')}_mean"].values[0, 0, 0])
    fl.save(fl.load(CUBE), file)  # the file is there now: those cases are new ones, the failed one is told again
    with pytest.raises(fl.StudyIncomplete, match="2 of 4 cases failed"):
        fl.study(spec, client, out, progress=False)
    failed = [line for line in Ledger(out / "ledger").outcomes.values() if line["outcome"] == "failed"]
    assert {line["kind"] for line in failed} == {"InvalidInput", "NumericalFailure"}
    with pytest.raises(fl.StudyIncomplete, match="2 of 4 cases failed"):
        fl.study(spec, client, out, progress=False, retry_failed=True)


def test_a_record_without_room_fails_alone(client: Any):
    spec = cubes(vary={"run": {"path": "run.output_every", "values": [1]}}, run={"duration": "1e9 s", "dt": 1e-3})
    with pytest.raises(fl.StudyIncomplete, match="memory"):
        fl.study(spec, client, progress=False)


def test_a_misspelt_channel_is_told_before_anything_runs(client: Any, tmp_path: Path):
    with pytest.raises(
        fl.InvalidInput, match=r"statistics.position:cub:z: there is no 'cub' here; did you mean 'cube'"
    ):
        fl.study(cubes(statistics={"position:cub:z": "mean"}), client, tmp_path / "s", progress=False)
    assert list((tmp_path / "s" / "cases").iterdir()) == []


def test_records_and_spectra_are_kept_where_asked(client: Any, tmp_path: Path):
    spec = cubes(keep="decimated", decimate=50, statistics={Z: ["mean", "spectrum"]})
    data = fl.study(spec, client, tmp_path / "s", progress=False)
    spectrum = data["position_cube_z_spectrum"]
    assert spectrum.dims[-1] == "frequency"
    assert np.isfinite(spectrum).all()
    runs = sorted((tmp_path / "s" / "runs").glob("*.nc"))
    assert len(runs) == 6
    assert fl.open_result(runs[0]).sizes["time"] == 7


def test_convergence_says_what_is_known_and_how_many_it_takes():
    """Against Student's interval of known samples: mean 10, deviation 1, n = 4: 3.1824 / 2 = 1.5912."""
    values = 10 + np.array([-1.0, 1.0, -1.0, 1.0]) * np.sqrt(3 / 4)
    data = xr.Dataset(
        {"x_mean": (("case", "realisation"), [values, values * 0 + 3.0], {"statistic": "mean", "units": "m"})},
        coords={"case": ["a", "b"]},
    )
    row = convergence(data, 0.1).rows[0]
    assert row.half == pytest.approx(1.59122, rel=1e-5)
    assert (row.point, row.points, row.of, row.realisations) == ("case a", 1, 2, 4)
    assert row.needed == 7  # t(0.975, 6) / sqrt(7) = 0.925 < 1 < t(0.975, 5) / sqrt(6) = 1.049
    assert not convergence(data, 0.1).enough
    assert convergence(data, 0.2).enough
    assert "do not suffice" in convergence(data, 0.1).table()


def test_the_ledger_keeps_what_its_checksums_hold(tmp_path: Path):
    ledger = Ledger(tmp_path / "ledger")
    ledger.add({"case": "a", "outcome": "done"}, {"case": "b", "outcome": "failed"}, {"case": "b", "outcome": "done"})
    content = (tmp_path / "ledger").read_bytes()
    lines = content.splitlines(keepends=True)
    (tmp_path / "ledger").write_bytes(lines[0].replace(b"done", b"dune") + lines[1] + lines[2] + lines[0][:10])
    again = Ledger(tmp_path / "ledger")
    assert again.damaged == 1
    assert again.outcomes == {"b": {"case": "b", "outcome": "done"}}
    assert (tmp_path / "ledger").read_bytes().endswith(b"\n")
    assert json.loads(lines[2][9:]) == again.outcomes["b"]


def test_steps_are_tried_and_the_coarsest_that_suffices_is_named():
    """A cube on a spring, omega = 12.9 rad/s, by rk4: the error falls 16 times per halving; what is named suffices."""
    found = steps_tried(planned(cubes(run={"duration": "2 s", "dt": 0.01})))
    assert found.suggested is not None
    errors = {one.dt: one.error for one in found.tried}
    steps = sorted(errors)
    good = {one.dt: one.error <= SUFFICES and one.audit for one in found.tried}
    assert [good[step] for step in steps] == [step <= found.suggested for step in steps]
    fine = [step for step in steps if 1e-9 < errors[step] < 1e-2]
    orders = [np.log2(errors[large] / errors[small]) for small, large in pairwise(fine)]
    assert orders == pytest.approx([4.0] * len(orders), abs=0.3)
    assert f"dt: {found.suggested:g} s suffices" in found.table()


def test_pictures_show_what_is_named(client: Any, tmp_path: Path):
    """Means along the numeric parameter with most points, spectra, and the maxima of realisations on Gumbel's paper."""
    data = fl.study(cubes(statistics={Z: ["mean", "max", "spectrum"]}), client, tmp_path / "s", progress=False)
    figure = fl.plot(tmp_path / "s", tmp_path / "study.png", Z)
    assert (tmp_path / "study.png").read_bytes().startswith(b"\x89PNG")
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == ["position cube z mean", "position cube z max", "position cube z spectrum"]
    mean = data["position_cube_z_mean"].isel(realisation=0)
    lines = [line.get_ydata() for line in figure.axes[0].get_lines() if len(line.get_ydata()) == 3]
    assert any(np.array_equal(line, mean.isel({"loads.spring.stiffness": 1})) for line in lines)
    many = data.isel(realisation=[0] * 6).assign_coords(realisation=np.arange(1, 7))
    many["position_cube_z_max"] = many["position_cube_z_max"] + np.arange(6) * 0.01
    assert len(fl.plot(many, what="position_cube_z_max", against="mass").axes) == 2
    with pytest.raises(fl.InvalidInput, match="is no parameter of this study; did you mean 'mass'"):
        fl.plot(data, against="mas")
    with pytest.raises(fl.InvalidInput, match="is no statistic of this study"):
        fl.plot(data, what="pitch")


@pytest.mark.parametrize(
    "name", ["oc3_load_cases", "slider_crank_tolerances", "spacecraft_deployment", "compliant_family"]
)
def test_the_studies_that_are_shipped_run(name: str, client: Any):
    """A case or two of each, cut short."""
    words, source = read_study(ROOT / "studies" / f"{name}.yaml")
    short = {"oc3_load_cases": "301 s", "compliant_family": "310 s"}.get(name, "1 s")
    discard = {"discard": "290 s"} if short != "1 s" else {}
    plan = plan_of(words.model_copy(update={"run": words.run | {"duration": short} | discard}), source)
    first = next((case for case in plan.cases if "events.fault" in case.changes), plan.cases[0])
    chosen = [case for case in plan.cases if case.records == first.records][:2]
    with TemporaryDirectory() as folder:
        data, state = conducted(replace(plan, cases=chosen), Path(folder), client=client, progress=False)
    assert not state.failed, failures(plan, state)
    assert [one["audit"]["failed"] for one in state.done.values()] == [[]] * len(state.done)
    assert int((data["outcome"] == "done").sum()) == len(chosen)
