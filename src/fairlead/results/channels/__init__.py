"""Named channels of a result: motions, loads and machine quantities as engineers call them."""
