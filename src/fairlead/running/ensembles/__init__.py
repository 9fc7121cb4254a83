"""Studies: many runs of varied models, spread over processes, summed up in one Dataset."""
