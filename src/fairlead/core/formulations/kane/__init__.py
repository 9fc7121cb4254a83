"""Kane's equations in relative coordinates."""
