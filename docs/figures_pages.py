"""Pictures of report pages for the gallery, taken in a browser: `make browser`, then

PYTHONPATH=tests .venv/bin/python docs/figures_pages.py [NAME ...]
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

import fairlead as fl
from page.chromium import launched, page_of

ROOT = Path(__file__).parent.parent
STORM = {
    "environment.waves": {"type": "jonswap", "height": 10.5, "period": 14.3, "seed": 2},
    "environment.wind.speed": 24,
    "run.ramp": "30 s",
}
# Name: model, changes, part of the run at which the picture is taken, what is done on the page first.
PAGES: dict[str, tuple[str, dict[str, Any], float, str]] = {
    "slider_crank": ("examples/slider_crank_dynamic.yaml", {}, 0.27, ""),
    "andrews": ("examples/andrews.yaml", {}, 0.4, ""),
    "spacecraft": ("examples/02_spacecraft_wheels.yaml", {}, 0.4, "document.getElementById('show-frames').click()"),
    "robot_arm": ("examples/robot_arm_floating.yaml", {}, 0.4, "fairlead.stage.setTrace({body: 5, point: [0, 0, 0]})"),
    "storm": ("models/oc3_hywind.yaml", STORM, 0.47, ""),
    "storm_dark": ("models/oc3_hywind.yaml", STORM, 0.47, "fairlead.theme(true)"),
    "storm_histories": (
        "models/oc3_hywind.yaml",
        STORM,
        0.47,
        HISTORIES := "document.getElementById('histories').scrollIntoView({behavior: 'instant'})",
    ),
}


def main(names: list[str]) -> None:
    """Take the pictures of these pages, all unless named."""
    with tempfile.TemporaryDirectory() as folder, launched() as browser:
        for name in names or list(PAGES):
            file, changes, part, act = PAGES[name]
            run = Path(folder) / Path(file).stem
            if not run.exists():
                model = fl.load(ROOT / file)
                fl.simulate(model.with_(changes) if changes else model, out=run, progress=False)
            page_file = fl.report(run, Path(folder) / f"{name}.html")
            with page_of(browser, page_file.as_uri(), color_scheme="light") as page:
                page.set_viewport_size({"width": 1440, "height": 900})
                page.evaluate(f"() => {{ fairlead.setTime({part} * fairlead.span); fairlead.view('fit'); {act} }}")
                page.wait_for_timeout(1500)
                picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB").resize((1080, 675), Image.LANCZOS)
            picture.save(ROOT / "docs" / "img" / f"page_{name}.jpg", quality=86, optimize=True)
            print(name)


if __name__ == "__main__":
    main(sys.argv[1:])
