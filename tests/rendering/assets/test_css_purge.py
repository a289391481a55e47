"""Cutting a stylesheet down to one page: no rule that could match is ever lost, and no pixel changes."""

import html as html_escapes
import json
import re

import pytest
from bs4 import BeautifulSoup
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.samples import sample
from support.tables import cases, program

from colbench_gym.rendering.assets import TAILWIND, Assets, cache_folder
from colbench_gym.rendering.assets.css_purge import StylesheetIndex, page_words

CLASSES = [
    "p-4", "md:p-4", "hover:bg-red", "w-1/2", "w-1.5", "-m-2", "2xl:flex", "a", "b", "c_d", "été", "x@y", "group",
]  # fmt: skip


def css_name(name: str, style: str) -> str:
    """A class name as CSS writes it, escaped in one of several ways."""
    out = ""
    for at, char in enumerate(name):
        plain = char.isalpha() or char == "_" or (at > 0 and (char.isdigit() or char == "-")) or ord(char) > 127
        if plain and style != "all":
            out += char
        elif style == "short" and not char.isalnum():
            out += "\\" + char
        else:
            out += f"\\{ord(char):x} "
    return out


def in_html(name: str, style: str) -> str:
    if style == "entities":
        return "".join(f"&#{ord(char)};" if not char.isalnum() else char for char in name)
    if style == "hex":
        return "".join(f"&#x{ord(char):X};" for char in name)
    return name


class_selectors = st.builds(
    lambda name, style: "." + css_name(name, style), st.sampled_from(CLASSES), st.sampled_from(["short", "all", "hex"])
)
extras = st.one_of(
    st.just(""),
    st.sampled_from(['[title="a.b,c{d}"]', "[href]", "[class~=a]", "#main", ":first-child", ":not([hidden])"]),
    st.builds(":not({})".format, class_selectors),
    st.builds(":is({},{})".format, class_selectors, class_selectors),
    st.builds("{}".format, class_selectors),
)
compounds = st.builds(
    lambda tag, name, extra: (tag + name + extra) or "*",
    st.sampled_from(["", "", "div", "p", "*"]),
    st.one_of(st.just(""), class_selectors),
    extras,
)
selectors = st.builds(
    lambda first, rest: first + "".join(rest),
    compounds,
    st.lists(st.builds("{}{}".format, st.sampled_from([" ", ">", "+", " ~ "]), compounds), max_size=2),
)
rules = st.lists(
    st.tuples(
        st.sampled_from(["", "", "@media all", "@media (min-width:640px)"]), st.lists(selectors, min_size=1, max_size=3)
    ),
    max_size=12,
)
attributes = st.builds(
    lambda names, quote, style, gap: (
        f"class={quote}{gap.join(in_html(name, style) for name in names)}{quote}"
        if quote
        else f"class={in_html(names[0], style)}"
    ),
    st.lists(st.sampled_from(CLASSES), min_size=1, max_size=4),
    st.sampled_from(['"', "'", ""]),
    st.sampled_from(["plain", "entities", "hex"]),
    st.sampled_from([" ", "\n", "\t ", "  "]),
)
nodes = st.recursive(
    st.builds("<{0} {1}>x</{0}>".format, st.sampled_from(["div", "p", "i"]), attributes),
    lambda inner: st.builds(
        lambda tag, attribute, children: f"<{tag} {attribute} id='main'>{''.join(children)}</{tag}>",
        st.sampled_from(["div", "section"]),
        attributes,
        st.lists(inner, max_size=3),
    ),
    max_leaves=6,
)


def written(model, keep=lambda number: True) -> str:
    """The stylesheet of a list of (at-rule, selectors), or the part of it that is kept."""
    out = ""
    for number, (media, found) in enumerate(model):
        if keep(number):
            rule = f"{','.join(found)}{{--r:{number};content:'}}'}}"
            out += f"{media}{{{rule}}}" if media else rule
    return out


@pytest.mark.slow
@given(rules, st.lists(nodes, max_size=4))
@settings(max_examples=sample(300), deadline=None)
def test_no_rule_that_matches_is_lost_and_nothing_else_changes(model, pieces):
    page = "<html><body>" + "".join(pieces) + "</body></html>"
    purged = StylesheetIndex.of(written(model)).purged(page)
    kept = {int(number) for number in re.findall(r"--r:(\d+)", purged)}
    assert purged == written(model, kept.__contains__)
    soup = BeautifulSoup(page, "html.parser")
    matching = {n for n, (_, found) in enumerate(model) if any(soup.select_one(selector) for selector in found)}
    assert matching <= kept


@given(st.text(alphabet=".ab{}()[]\"'\\/*;:@,<>!-x \n", max_size=60), st.text(alphabet="<>=\"' &ab;#38", max_size=30))
@settings(max_examples=sample(500), deadline=None)
@example(".a; .b{} .c{}", "<p class=c>")
@example("/**/@import 'x'; .a{}", "")
@example(".a{ :not(&) {color:red} }", "<p>")
def test_any_text_is_a_stylesheet_and_any_text_a_page(css, page):
    purged = StylesheetIndex.of(css).purged(page)
    assert purged is None or len(purged) <= len(css)


@pytest.mark.parametrize("css", cases(__file__, "a_stylesheet_that_is_not_well_formed_is_kept_whole"))
def test_a_stylesheet_that_is_not_well_formed_is_kept_whole(css):
    assert StylesheetIndex.of(css).purged("<p>") == css


@pytest.mark.parametrize("css", cases(__file__, "what_may_match_without_the_class_stays"))
def test_what_may_match_without_the_class_stays(css):
    assert StylesheetIndex.of(css + ".zz{top:0}").purged("<p>x</p>") == css


@pytest.mark.parametrize("page", cases(__file__, "class_names_in_every_kind_of_markup"))
def test_class_names_in_every_kind_of_markup(page):
    index = StylesheetIndex.of(r"@media(x:1){.md\:w-1\/2{width:50%}.md\:w-1\/3{width:33%}}")
    assert index.purged(page) == r"@media(x:1){.md\:w-1\/2{width:50%}}"


@pytest.mark.parametrize("page", cases(__file__, "unusual_pages_get_the_whole_stylesheet"))
def test_unusual_pages_get_the_whole_stylesheet(page):
    assert StylesheetIndex.of(".a{}").purged(page) is None


@given(st.lists(st.sampled_from(CLASSES), min_size=1), st.sampled_from(["plain", "entities", "hex"]))
def test_words_hold_every_plain_class(names, style):
    plain = {name.lower() for name in names if re.fullmatch(r"[-a-z0-9_:/.]+", name)}
    assert plain <= page_words(f'<p class="{" ".join(in_html(name, style) for name in names)}">')


@pytest.mark.slow
def test_nothing_of_the_real_stylesheet_is_lost_on_a_page_that_has_it_all(tailwind):
    css = (cache_folder() / TAILWIND.name).read_text(encoding="utf-8")
    names = {re.sub(r"\\3(\d) ?|\\(.)", r"\1\2", name) for name in re.findall(r"\.((?:[-\w]|\\.)+)", css)}
    page = f'<p class="{html_escapes.escape(" ".join(names))}">'
    assert StylesheetIndex.of(css).purged(page) == css


TRICKY = json.loads(program(__file__, "tricky_pages.json"))


@pytest.mark.full
@pytest.mark.browser
def test_not_one_pixel_changes(renderer, tailwind, official_data):
    from colbench_gym.rendering.chromium import Chromium

    rows = (official_data / "frontend_tasks.jsonl").read_text(encoding="utf-8").splitlines()
    pages = [json.loads(row)["ground_truth"] for row in rows[::10]]
    link = f"<link rel=stylesheet href={TAILWIND.url}>"
    pages += [link + page.replace("{0}", TAILWIND.url) for page in TRICKY.values()]
    with Chromium(browsers=1, assets=Assets(purge=False)) as full, Chromium(browsers=1, assets=Assets()) as purged:
        shown = [(full.render(page), purged.render(page)) for page in pages]
    different = [at for at, (one, other) in enumerate(shown) if one.png_sha256 != other.png_sha256]
    assert {one.status for one, _ in shown} == {"rendered"}
    assert different == []


@pytest.mark.parametrize("reference", ["&#" + "9" * 5000 + ";", "&#" + "0" * 5000 + "112;", "&#x" + "f" * 5000 + ";"])
def test_references_to_characters_of_thousands_of_digits_are_read(reference):
    page = f'<p class="{reference} text-red-500">'
    assert "p" in page_words("&#" + "0" * 5000 + "112;")
    assert "text-red-500" in page_words(page)


def test_a_comment_that_does_not_close_keeps_the_stylesheet_whole():
    for css in (".a{color:red}/* .b{color:red}", ".a{color:red}/*/", ".a{color:red}/*", "/*/.a{color:red}"):
        assert StylesheetIndex.of(css).purged("<p>") == css
    assert StylesheetIndex.of(".a{color:red}/**/.b{color:red}/* x **/").purged("<p class=b>").endswith("/* x **/")
