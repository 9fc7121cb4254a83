"""A hook of MkDocs: the site needs nothing from elsewhere.

Files of the repository that pages link to (models, tests, scripts) come with it; a link to a folder becomes plain text,
since a site has no listing of it. The script that lets a page opened from disk search, which the theme would fetch, is
the copy in `tools/site` (iframe-worker 1.0.4, MIT).
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).parents[1]
ELSEWHERE = "https://unpkg.com/iframe-worker/shim"
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def _outside(page: str, target: str) -> Path | None:
    """Return the file of the repository that a link means, if it is no page and no picture of the site."""
    if "://" in target or target.startswith(("mailto:", "/")):
        return None
    path = ROOT / "docs" / posixpath.dirname(page) / target
    path = Path(posixpath.normpath(path.as_posix()))
    in_docs = path.is_relative_to(ROOT / "docs")
    return path if path.exists() and path.is_relative_to(ROOT) and (not in_docs or path.suffix == ".py") else None


def _place(path: Path) -> str:
    """Return where a file of the repository is in the site; the suffix keeps browsers from running or loading it."""
    return f"files/{path.relative_to(ROOT).as_posix()}.txt"


def on_files(files: Any, config: Any) -> Any:
    """Add every file that a page links to."""
    for name in ("iframe-worker.js", "iframe-worker.LICENSE.txt"):
        source = str(ROOT / "tools" / "site" / name)
        files.append(File.generated(config, f"assets/{name}", abs_src_path=source))
    known = set()
    for page in files.documentation_pages():
        for _, target, _ in LINK.findall(page.content_string):
            path = _outside(page.src_uri, target)
            if path is not None and path.is_file() and path not in known:
                known.add(path)
                files.append(File.generated(config, _place(path), abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Point links to files of the repository at their copies."""
    here = posixpath.dirname(page.file.src_uri)

    def changed(match: re.Match[str]) -> str:
        path = _outside(page.file.src_uri, match.group(2))
        if path is None:
            return match.group(0)
        return (
            f"[{match.group(1)}]({posixpath.relpath(_place(path), here or '.')})" if path.is_file() else match.group(1)
        )

    return LINK.sub(changed, markdown)


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Take the script of searches from disk from the site itself."""
    return output.replace(ELSEWHERE, f"{'../' * page.url.count('/')}assets/iframe-worker.js")


def on_post_template(output_content: str, template_name: str, **_: Any) -> str:
    """Do the same in pages that are no documents, such as the one for addresses that lead nowhere."""
    return output_content.replace(ELSEWHERE, "/assets/iframe-worker.js")
