"""Kinematics, state and recursion of trees: shared by the formulations in joint coordinates."""
