"""Statistics of runs: moments, crossings, spectra, fatigue and extremes of its channels."""
