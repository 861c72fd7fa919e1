"""The tests of documentation find what they are there to find."""

import tempfile
import unittest
from pathlib import Path

import pages
import run_tutorial


class Pages(unittest.TestCase):
    def page(self, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name, "page.md")
        path.write_text(text)
        return path

    def test_blocks_carry_their_comments(self):
        page = self.page("<!-- needs: bart -->\n```sh\nbart\n```\n\n<!-- needs: bart -->\nbut\n```python\n1\n```\n")
        first, second = pages.blocks(page)
        self.assertEqual((first.language, first.text, first.line, first.comment), ("sh", "bart\n", 2, ("needs", "bart")))
        self.assertIsNone(second.comment)

    def test_links_are_those_of_prose(self):
        page = self.page("[a](b.md#c) `[d](e)` ![f [g]](h.png)\n\n```\n[i](j)\n```\n\n    S[k](l)\n\n- m\n    [n](o.md)\n")
        self.assertEqual([target for _, target in pages.links(page)], ["b.md#c", "h.png", "o.md"])

    def test_citations_are_told_from_links(self):
        page = self.page("[Stone 2008], [Wang 2004, eq. 13], [Mallows1973, Stein1981] [Stone 2007](a.md) `[Hall1987]`\n")
        self.assertEqual([key for _, key in pages.citations(page)], ["Stone2008", "Wang2004", "Mallows1973", "Stein1981"])

    def test_anchors_are_those_of_code_hosts(self):
        page = self.page("# `--girf FILE`\n## A & b, c\n## A & b, c\n```\n# not one\n```\n")
        self.assertEqual(pages.anchors(page), {"--girf-file", "a--b-c", "a--b-c-1"})

    def test_printed_lines_are_found_whatever_their_numbers(self):
        printed = "I 12:00 read x in 3.5 s\nerror 1e-05\n"
        self.assertEqual(run_tutorial.missing_lines("read x in 2 s\n\nerror 0.3\n", printed), [])
        self.assertEqual(run_tutorial.missing_lines("error 0.3\nread x in 2 s\n", printed), ["read x in 2 s"])
        self.assertEqual(run_tutorial.missing_lines("read y in 2 s\n", printed), ["read y in 2 s"])

    def run_page(self, text):
        return run_tutorial.run_page(Path("/bin/true"), self.page(text))

    def test_a_block_that_fails_or_prints_another_thing_is_a_finding(self):
        self.assertEqual(self.run_page("```sh\necho a > f\n```\n```sh\ncat f\n```\n```text\na\n```\n"), (0, 2, 0))
        self.assertEqual(self.run_page("```sh\nfalse\ntrue\n```\n"), (1, 1, 0))
        self.assertEqual(self.run_page("```sh\nfalse | cat\n```\n"), (1, 1, 0))
        self.assertEqual(self.run_page("```sh\necho a\n```\n```text\nb\n```\n"), (1, 1, 0))
        self.assertEqual(self.run_page("```python\nraise SystemExit(3)\n```\n"), (1, 1, 0))

    def test_what_needs_something_absent_is_skipped_with_its_output(self):
        self.assertEqual(self.run_page("<!-- needs: no-such-program -->\n```sh\nfalse\n```\n```text\nb\n```\n"), (0, 0, 1))
        self.assertEqual(self.run_page("<!-- needs: bash, python no_such_module -->\n```sh\nfalse\n```\n"), (0, 0, 1))
        self.assertEqual(self.run_page("<!-- needs: bash, python json -->\n```sh\ntrue\n```\n"), (0, 1, 0))
        self.assertEqual(self.run_page("<!-- not run: why -->\n```sh\nfalse\n```\n"), (0, 0, 1))


if __name__ == "__main__":
    unittest.main()
