"""Trees and their loops placed at a state: what every formulation in tree coordinates begins with."""

from __future__ import annotations

from fairlead.core.arrays import ANGLES_READ
from fairlead.core.codes import CODE, MEASURED
from fairlead.core.constraints.relations import recall_turns_by_symbol
from fairlead.core.controllers.commands import follow_commands
from fairlead.core.jit.kernel import inlined
from fairlead.core.observe import measure_turns_by_symbol
from fairlead.core.trees.loops import loop_errors, loop_rows_by_symbol
from fairlead.core.trees.state import place_tree, set_coordinates


@inlined
def place_trees(t, y, of_centre, A, W):
    """Place every body at (t, y); the point of a base's state is its own mass centre or, `of_centre`, the tree's."""
    W.status[CODE] = 0
    set_coordinates(t, y, A, W)
    place_all(y, of_centre, A, W)
    if A.options[MEASURED] == ANGLES_READ:
        measure_turns_by_symbol(A, W)


@inlined
def place_all(y, of_centre, A, W):
    """Place every body whose coordinates are known, and fill the loop equations."""
    for tree in range(A.trees.shape[0]):
        place_tree(tree, y, of_centre, A, W)
    if A.constraints.shape[0] > 0:
        if A.relations.shape[0] > 0:
            recall_turns_by_symbol(y, A, W)
        loop_rows_by_symbol(y, A, W)


@inlined
def obey_commands(y, dy, of_centre, A, W):
    """Let controllers move their coordinates, and place all bodies once more with the accelerations that gives."""
    follow_commands(dy, A, W)
    place_all(y, of_centre, A, W)


@inlined
def look_at_loops(t, y, of_centre, A, W):
    """Place the bodies at (t, y) and return how far the loops are open, in position and velocity."""
    set_coordinates(t, y, A, W)
    for tree in range(A.trees.shape[0]):
        place_tree(tree, y, of_centre, A, W)
    if A.relations.shape[0] > 0:
        recall_turns_by_symbol(y, A, W)
    return loop_errors(A, W)
