"""A page of references made from references.bib, and citations such as [Stone 2008] that lead there."""

import re
import unicodedata
from pathlib import Path

from mkdocs.structure.files import File

CODE = re.compile(r"(^```.*?^```|^    [^\n]*|`[^`\n]*`)", re.MULTILINE | re.DOTALL)
CITATION = re.compile(r"(?<!\])\[([A-Z][A-Za-z]+ ?(?:19|20)\d\d[A-Z]*)((?:, [^\]]*)?)\](?![(:])")
ENTRY = re.compile(r"@\w+\{(\w+),")
FIELD = re.compile(r"(\w+)=\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")
ACCENT = re.compile(r"\\([\"'`^~]|v(?=\{))\{?(\w)\}?")
MARKS = {'"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", "v": "\u030c"}
LETTERS = {r"\ae": "æ", r"\o": "ø", r"\&": "&", "--": "–", "``": "“", "''": "”"}


def plain(latex):
    """Text of a field of BibTeX."""
    text = ACCENT.sub(lambda accent: accent[2] + MARKS[accent[1]], latex)
    for code, letter in LETTERS.items():
        text = text.replace(code, letter)
    return unicodedata.normalize("NFC", re.sub(r"[{}]", "", text))


def bibliography(config):
    """Fields of the entries, which are one a line, by their keys."""
    lines = Path(config["docs_dir"], "references.bib").read_text().splitlines()
    return {entry[1]: {name: plain(text) for name, text in FIELD.findall(line)} for line in lines if (entry := ENTRY.match(line))}


def on_files(files, config):
    """Adds the page."""
    lines = ["# References"]
    for key, entry in sorted(bibliography(config).items()):
        place = " ".join(entry[field] for field in ("journal", "booktitle", "publisher", "howpublished", "volume", "pages") if field in entry)
        authors = entry.get("author", "").replace(" and ", ", ")
        lines.append(f'**{key}**{{#{key}}} {authors}: *{entry["title"]}*. {place} ({entry["year"]})')
    files.append(File.generated(config, "references.md", content="\n\n".join(lines)))
    return files


def on_page_markdown(markdown, page, config, files):
    """Citations become links, unless they are code or have no entry."""
    up, known = "../" * page.file.src_uri.count("/"), bibliography(config)

    def link(citation):
        key = citation[1].replace(" ", "")
        return rf"[\[{citation[1]}{citation[2]}\]]({up}references.md#{key})" if key in known else citation[0]

    parts = CODE.split(markdown)
    return "".join(part if place % 2 else CITATION.sub(link, part) for place, part in enumerate(parts))
