"""How many random models a test draws: the same ones in every run, and three times as many in `make validate`."""

import os

from hypothesis import Phase, settings


def cases(number):
    """Return the settings of a test over so many random models, a third of them where the quick tests run."""
    phases = (Phase.explicit, Phase.generate, Phase.shrink)
    count = number if os.environ.get("FAIRLEAD_LONG_TESTS") else number // 3
    return settings(max_examples=count, deadline=None, derandomize=True, database=None, phases=phases)
