"""The whole harness without pytest: `python -m transformations [model ...]` from `tests/`."""

from __future__ import annotations

import sys
import time

from transformations.cases import case_names, case_of
from transformations.harness import TRANSFORMATIONS, Summary, triples_of

summary = Summary()
for name in sys.argv[1:] or case_names():
    begin = time.process_time()
    for triple in triples_of(case_of(name), TRANSFORMATIONS):
        summary.triples.append(triple)
        if triple.failed:
            print(
                f"FAILED {triple.case} | {triple.transformation} | {triple.formulation} | {triple.failed}", flush=True
            )
    print(f"{name}: {time.process_time() - begin:.1f} CPU s", flush=True)
print(summary.text())
