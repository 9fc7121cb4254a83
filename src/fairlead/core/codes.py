"""Names for the places of small arrays of settings, status and memory: no kernel counts them."""

from __future__ import annotations

# Work.status: a status, and the number of the body (in the user's order) that it is about.
CODE, ABOUT = 0, 1
# Work.window: the stretch of time that evaluations belong to.
BEGIN, END = 0, 1
# Arrays.options: attitude as QUATERNION or EULER123; 1 where every body stands alone; OMEGA or EULER_PARAMETERS; how
# constraints are closed; which rates and angles of free rotations are read; 1 where more than six equations couple.
ATTITUDE_AS, LOOSE, UNKNOWNS, CLOSING, MEASURED, COUPLED = 0, 1, 2, 3, 4, 5
# Memory of a run with step control: time reached, next step, evaluations, tolerances, steps rejected and accepted,
# longest step allowed.
REACHED, NEXT_STEP, EVALUATIONS, RTOL, ATOL, REJECTED, ACCEPTED, LONGEST = 0, 1, 2, 3, 4, 5, 6, 7
# ConstraintWork.newton: violation that is not accepted, most steps, growth of amplification that ends a partition,
# pivot of zero, pivot below which a projection moves nothing, change of a doubtful pivot within a step that is much.
GAP_ACCEPTED, NEWTON_MOST, GROWTH, ZERO_PIVOT, STILL_PIVOT, MUCH_CHANGE = 0, 1, 2, 3, 4, 5
# ConstraintWork.rank: of the partition, least amplification of one so far, highest rank so far, smallest pivot when it
# was made (0: not yet known) and now, and the largest that it has been.
RANK, LEAST_GROWTH, HIGHEST_RANK, PIVOT_MADE, PIVOT_NOW, PIVOT_LARGEST = 0, 1, 2, 3, 4, 5
# ConstraintWork.stages: 1 where stages are closed before they are evaluated; 1 where a pivot has changed much since the
# step began; the most equations kept so far; 1 where the last choice kept fewer.
CLOSE_STAGES, CHANGED, MOST_KEPT, FEWER_KEPT = 0, 1, 2, 3
# ConstraintWork.weakest: smallest pivot kept in the last factorisation, on the system's scale, 0 where rank was lost,
# without those of frail rows; and with them, in the last choice.
SOUND, WITH_FRAIL = 0, 1
# ConstraintWork.worst: violation of position and of velocity, Newton steps of the last closing.
POSITION_GAP, VELOCITY_GAP, NEWTON_STEPS = 0, 1, 2
