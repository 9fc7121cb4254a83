"""Several wave fields, each with its own direction: they superpose."""

import math

import numpy as np
import pytest

import fairlead as fl
from fairlead.formats.yaml.write import to_yaml

HULL = [(-16.0, 2.0), (-1.0, 2.0), (3.0, 1.5)]
LINEAR = {"cd": 0.0, "waterline": "still", "kinematics": "undisplaced"}  # what is not linear in the waves left out
SEA, SWELL = fl.Jonswap(2, 6, seed=3, components=40), fl.Jonswap(1, 11, seed=4, components=30, direction=math.pi / 2)


def floating(waves, **morison):
    """Return a hull that leans, moves and turns in waves."""
    body = fl.Body(4.6e4, (1e6, 1e6, 3e4), (3.0, 2.0, -9.0), velocity=(0.3, 0.1, 0.0), angular_velocity=(0, 0.1, 0))
    options = {"ca": 1.0, "cd": 0.7} | morison
    loads = {"water": fl.Buoyancy("hull", HULL), "waves": fl.Morison("hull", HULL, **options)}
    start = fl.Free("world", "hull", initial={"a": 0.1, "b": -0.2})
    return fl.Model(
        "two seas", {"hull": body}, {"start": start}, loads, environment=fl.Environment(depth=30, waves=waves)
    )


def felt(waves, **morison):
    """Return force, moment and elevation of waves at an instant."""
    data = fl.accelerations(floating(waves, **morison), 4.0, formulation="cloud")
    return np.array([*data["load_force"].values[1], *data["load_moment"].values[1], float(data["wave_elevation"])])


def test_fields_across_one_another_add():
    """Without drag and Wheeler's stretching, at the drawn member up to the still water, loads are linear in the waves.

    What moves and turns with the body is in every term: two fields are the sum of each less still water.
    """
    first = SEA.model_copy(update={"stretching": "vertical"})
    across = first.model_copy(update={"direction": math.pi / 2})
    along, one, both = (felt(waves, **LINEAR) for waves in (first, across, (first, across)))
    still = felt(fl.RegularWave(0.0, 9.0), **LINEAR)
    # Accelerations, and with them the term of the added mass, follow the sum: rounding of a few times 1e-16.
    assert np.abs(both - (along + one - still)).max() < 1e-12 * np.abs(both).max()
    assert np.abs(along - one).max() > 0.1 * np.abs(along).max()


def test_two_fields_of_one_direction_are_one_spectrum():
    """With everything that is not linear: drag, waterline, stretching, kinematics of the displaced member."""
    first, second = fl.WaveTable([0.5, 0.8], [0.4, 0.3], [0, 1]), fl.WaveTable([1.2], [0.2], [2])
    whole = fl.WaveTable([0.5, 0.8, 1.2], [0.4, 0.3, 0.2], [0, 1, 2])
    turned = [waves.model_copy(update={"direction": 0.7}) for waves in (first, second, whole)]
    options = {"axial_pressure": True, "end_ca": 0.6, "end_cd": 0.4}
    found, expected = felt(tuple(turned[:2]), **options), felt(turned[2], **options)
    assert np.abs(found - expected).max() < 1e-13 * np.abs(expected).max()  # three terms in another order


def test_tables_of_several_fields_agree_with_the_sum():
    """Twenty seconds of motion: the tables' error is 1e-3 of the waves' root mean square, of which motions follow."""
    runs = []
    for lookup in ("sum", "table"):
        waves = tuple(one.model_copy(update={"lookup": lookup}) for one in (SEA, SWELL))
        runs.append(fl.simulate(floating(waves), 20.0, 0.05, formulation="cloud", progress=False))
    summed, tabled = (run["position"].values[:, 0] for run in runs)
    assert np.abs(summed - tabled).max() < 5e-3 * np.abs(summed - summed.mean(0)).max()
    assert np.abs(runs[0]["wave_elevation"] - runs[1]["wave_elevation"]).max() < 5e-3
    assert fl.audit(runs[1]).passed and "beyond_tables" not in runs[1].attrs
    alone = fl.simulate(floating(SEA), 20.0, 0.05, formulation="cloud", progress=False)
    assert np.abs(tabled[:, 1] - alone["position"].values[:, 0, 1]).max() > 0.02  # the swell across is felt


def test_a_list_of_waves_is_read_and_written(tmp_path):
    path = tmp_path / "model.yaml"
    path.write_text(to_yaml(floating((SEA, SWELL))))
    model = fl.load(path)
    assert model.environment.waves == (SEA, SWELL) and to_yaml(model) == path.read_text()
    assert [found for found in fl.check(path) if found.severity != "note"] == []
    assert model.with_({"environment.waves.1.seed": 9}).environment.waves[1].seed == 9


@pytest.mark.parametrize(
    ("second", "path", "said"),
    [
        ("{type: still-water}", "environment.waves.1", "still water beside other waves"),
        ("{type: regular-wave, height: 1, period: 8, stretching: none}", "environment.waves.1.stretching", "the same"),
        ("{type: regular-wave, height: -1, period: 8}", "environment.waves.1.height", "at least 0"),
        ("{type: regular-wave, height: 1, period: 8, direction: 20}", "environment.waves.1.direction", "20 deg"),
    ],
)
def test_what_is_wrong_with_one_of_several_waves_is_said_there(second, path, said, tmp_path):
    data = to_yaml(floating(fl.RegularWave(1.0, 7.0))).splitlines()
    at = next(i for i, line in enumerate(data) if line.strip().startswith("waves:") and "type: regular-wave" in line)
    indent = data[at][: len(data[at]) - len(data[at].lstrip())]
    data[at] = f"{indent}waves: [{{type: regular-wave, height: 1, period: 7}}, {second}]"
    file = tmp_path / "model.yaml"
    file.write_text("\n".join(data))
    found = [one for one in fl.check(file) if one.path == path]
    assert len(found) == 1 and said in found[0].message


def test_an_empty_list_of_waves_is_refused():
    with pytest.raises(fl.InvalidInput, match=r"waves: needs one or more waves"):
        fl.Environment(waves=[])
