"""What the pages need beyond Markdown: formulas without scripts, and no links to where the site has nothing."""

import html
import os
import re

from latex2mathml.converter import convert

LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((\.\./[^)#\s]+)(#[^)\s]*)?\)")
FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.DOTALL)


def on_page_markdown(markdown, page, config, **_):
    """Links to sources, which are in the repository and not on the site, become their text."""
    folder = os.path.dirname(os.path.join(config["docs_dir"], page.file.src_uri))

    def text_for_source(link):
        target = os.path.normpath(os.path.join(folder, link[2]))
        inside = os.path.commonpath([target, config["docs_dir"]]) == config["docs_dir"]
        return link[0] if inside or not os.path.exists(target) else link[1]

    return LINK.sub(text_for_source, markdown)


def on_page_content(content, **_):
    """Formulas as MathML, which browsers draw by themselves."""

    def drawn(formula):
        return convert(html.unescape(formula[3]), display="block" if formula[2] == "[" else "inline")

    return FORMULA.sub(drawn, content)
