"""The pages of docs/ and their neighbours as the tests of documentation read them: fenced blocks, links, anchors."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

FENCE = re.compile(r"^\s*(```+|~~~+)\s*(\S*)")
COMMENT = re.compile(r"^<!--\s*(needs|not run):\s*(.*?)\s*-->$")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
CITATION = re.compile(r"\[((?:[A-Z][A-Za-z]+ ?(?:19|20)\d\d[A-Z]*(?:, )?)+)(?:, [^\]]*)?\](?!\()")
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?[^)]*\)|(?:src|href)=\"([^\"]+)\"")


@dataclass
class Block:
    """A fenced block; `comment` is the kind and text of the `<!-- needs: ... -->` or `<!-- not run: ... -->` above it."""

    language: str
    text: str
    line: int
    comment: tuple[str, str] | None


def all_pages():
    """Every page that readers are sent to."""
    return sorted((ROOT / "docs").rglob("*.md")) + [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md",
                                                                           "app/python/README.md")]


def blocks(page):
    """The fenced blocks of `page` in their order."""
    found, fence, comment = [], None, None
    for number, line in enumerate(page.read_text().splitlines(), 1):
        match = FENCE.match(line)
        if fence is None and match:
            fence, language, text, start = match[1], match[2], [], number
        elif fence is not None and line.strip() == fence:
            found.append(Block(language, "\n".join(text) + "\n", start, comment))
            fence = comment = None
        elif fence is not None:
            text.append(line)
        elif line.strip():
            match = COMMENT.match(line.strip())
            comment = (match[1], match[2]) if match else None
    return found


def prose(page):
    """(number, line) of what is neither a fenced block, nor indented as code, nor between backticks."""
    fence, blank_above, in_code = None, True, False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        match = FENCE.match(line)
        if fence is None and match:
            fence = match[1]
        elif fence is not None:
            fence = None if line.strip() == fence else fence
        else:
            in_code = line.startswith("    ") and (blank_above or in_code)
            if not in_code:
                yield number, re.sub(r"`[^`]*`", "", line)
        blank_above = not line.strip()


def anchors(page):
    """Names of the headings of `page`, made as code hosts and docs/site/mkdocs.yml make them."""
    names, fence = set(), None
    for line in page.read_text().splitlines():
        match = FENCE.match(line)
        if match:
            fence = None if fence else match[1]
        heading = HEADING.match(line)
        if fence or not heading:
            continue
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[2]).replace("`", "")
        name = re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-")
        copies = [name] + [f"{name}-{copy}" for copy in range(1, 10)]
        names.add(next(copy for copy in copies if copy not in names))
    return names


def citations(page):
    """(line, key) of what `page` cites, [Stone 2008] or [Stone2008], with keys as in references.bib."""
    for number, line in prose(page):
        for match in CITATION.finditer(line):
            for key in match[1].rstrip(", ").split(", "):
                yield number, key.replace(" ", "")


def links(page):
    """(line, target) of the links and pictures of `page`."""
    for number, line in prose(page):
        for match in LINK.finditer(line):
            yield number, match[1] or match[2]
