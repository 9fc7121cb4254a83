"""Examples and models go into wheels, where `fairlead examples` finds them; all else is in pyproject."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).parent


class WithExamples(build_py):
    """Build as usual, then copy the shipped models beside the module that lists them."""

    def run(self):
        super().run()
        if self.editable_mode:
            return
        for folder in ("examples", "models"):
            target = Path(self.build_lib) / "fairlead" / "shipped" / folder
            target.mkdir(parents=True, exist_ok=True)
            for file in sorted((HERE / folder).iterdir()):
                if file.suffix in (".yaml", ".txt"):
                    shutil.copyfile(file, target / file.name)


setup(cmdclass={"build_py": WithExamples})
