"""Running a model: formulations, integrators, the stepping loop, what it writes, and how it resumes."""
