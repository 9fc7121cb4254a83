"""Water and air at a point and time."""
