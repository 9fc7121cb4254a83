"""Models changed in ways whose effect on the answer is known: the harness of `transformations/` over all of them.

Why the expected values are right: the laws of mechanics do not know where a machine stands, how it is turned, in which
order and units it is written down or how its run is cut; the second result must be the first one's image.
"""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from transformations.cases import case_names, case_of
from transformations.defects import DEFECTS
from transformations.harness import TRANSFORMATIONS, static_pairs, triples_of
from transformations.image import NOT_COMPARED
from transformations.kinds import missing_kinds

# What `make test` runs: a few models that between them have trees, loops, redundant loops, balls, wheels, sea and wind.
FEW = {
    "02_spacecraft_wheels": (),
    "double_pendulum": (),
    "four_bar_revolute": ("turn the world", "move the world", "heavy platform", "copy a joint", "scale", "restart"),
    "heavy_top_slow": ("turn the world", "other body axes", "swap parent and child"),
    "epicyclic": ("mirror", "rename", "swap parent and child", "scale"),
    "03_clock": ("driver as its reaction", "another base", "reorder", "moving frame"),
    "robot_arm_floating": ("mirror", "rename", "number as a formula"),
    "truncated_spar": ("move the world", "mirror", "scale"),
    "wind_shift": ("turn the world", "zero callable", "record seldom"),
    "forest of eight": ("half a turn of the world", "mirror", "YAML against Python"),
}


def assert_relations(triples, record_property):
    """Hold that every relation holds, or fails as it is known to."""
    triples = list(triples)
    record_property("triples", json.dumps([asdict(triple) for triple in triples]))
    failed = [f"{t.case}, {t.transformation}, {t.formulation}: {t.failed}" for t in triples if t.failed]
    assert not failed, "\n".join(failed)
    assert any(triple.ran for triple in triples)


@pytest.mark.parametrize("name", FEW)
def test_some_relations_hold(name, record_property):
    only = ("articulated", "constrained")
    assert_relations(triples_of(case_of(name), FEW[name] or TRANSFORMATIONS, only), record_property)


@pytest.mark.slow
@pytest.mark.parametrize("name", case_names())
def test_every_relation_holds(name, record_property):
    assert_relations(triples_of(case_of(name), TRANSFORMATIONS), record_property)


def test_every_kind_of_joint_load_and_controller_has_its_row():
    missing = missing_kinds()
    assert not missing, f"tests/transformations/kinds.py has no row for {', '.join(missing)}"


def test_what_is_not_compared_is_recorded():
    from fairlead.results.dataset import RECORDED

    assert set(NOT_COMPARED) <= set(RECORDED)


@pytest.mark.slow
def test_at_least_four_pairs_in_five_run():
    pairs = static_pairs()
    left_out = {pair: reason for pair, reason in pairs.items() if reason}
    assert len(left_out) <= 0.2 * len(pairs), left_out


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_planted_fault_is_seen(defect, monkeypatch):
    plant, (at, transformation, formulation) = DEFECTS[defect]
    (sound,) = triples_of(case_of(at), [transformation], [formulation])
    assert sound.ran and not sound.failed, sound
    plant(monkeypatch)
    (wrong,) = triples_of(case_of(at), [transformation], [formulation])
    assert wrong.failed, wrong
