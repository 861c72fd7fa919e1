#!/usr/bin/env python3
"""Every relative link, anchor and citation of the pages leads somewhere, and every page of docs/ is reached from its first one."""

import re
import sys
from urllib.parse import unquote

from pages import ROOT, all_pages, anchors, citations, links


def main():
    broken, count, leads_to = [], 0, {}
    for page in all_pages():
        leads_to[page] = set()
        for line, link in links(page):
            path, _, anchor = unquote(link).partition("#")
            if ":" in path.split("/")[0]:
                continue  # on the network
            count += 1
            target = (page.parent / path).resolve() if path else page
            where = f"{page.relative_to(ROOT)}:{line}: {link}"
            if not target.is_relative_to(ROOT) or not target.exists():
                broken.append(f"{where}: there is no such file")
            elif target.is_dir() and target.is_relative_to(ROOT / "docs"):
                broken.append(f"{where}: a folder; name its page, which the site can show")
            elif anchor and (target.suffix != ".md" or anchor not in anchors(target)):
                broken.append(f"{where}: {target.name} has no heading of that name")
            else:
                leads_to[page].add(target)

    known = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "docs" / "references.bib").read_text(), re.MULTILINE))
    for page in all_pages():
        broken += [f"{page.relative_to(ROOT)}:{line}: [{key}] is not in docs/references.bib" for line, key in citations(page) if key not in known]

    reached, open_pages = set(), [ROOT / "docs" / "index.md"]
    while open_pages:
        page = open_pages.pop()
        if page not in reached:
            reached.add(page)
            open_pages += [target for target in leads_to.get(page, ()) if target in leads_to]
    lost = [page for page in leads_to if page.is_relative_to(ROOT / "docs") and page not in reached]
    broken += [f"{page.relative_to(ROOT)}: no page that docs/index.md leads to has a link to it" for page in lost]

    print("\n".join(broken + [f"{count} links of {len(leads_to)} pages, {len(broken)} findings"]))
    return 1 if broken or count < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
