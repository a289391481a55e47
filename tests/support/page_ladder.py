"""Eight perturbations of a page, each on top of those before it, from a colour to all of its words.

Each adds to what is wrong and takes nothing back: what an earlier step spoilt is not what a later one removes, as
long as there is something else.
"""

from bs4 import BeautifulSoup, NavigableString

BLOCKS = ("h1", "h2", "h3", "h4", "h5", "h6", "p", "li", "td", "th", "a", "button", "span", "label", "div")
OTHER_WORDS = "Quartz vixens juggle bumpy foxglove jars while zinc owls hum"


def ladder(html: str) -> list[str]:
    """The page after one, two, ... all eight perturbations."""
    soup = BeautifulSoup(html, "html.parser")
    pages = []
    for step in STEPS:
        step(soup)
        pages.append(str(soup))
    return pages


def texts(soup):
    """The blocks with words of their own, those with most words first."""
    found = [
        tag
        for tag in (soup.body or soup).find_all(BLOCKS)
        if any(isinstance(child, NavigableString) and len(child.strip()) > 2 for child in tag.children)
    ]
    return sorted(found, key=lambda tag: -len(tag.get_text(strip=True)))


def parts(soup):
    """The parts of the page in order: the children of the first container that has more than one of them."""
    box = soup.body or soup
    while True:
        children = [one for one in box.find_all(True, recursive=False) if one.name not in ("link", "style", "script")]
        children = [one for one in children if one.get_text(strip=True) or one.find("img") or one.name == "img"]
        if len(children) != 1 or not children[0].find_all(True, recursive=False):
            return children
        box = children[0]


def mark(tag, style=""):
    tag["data-spoilt"] = ""
    if style:
        tag["style"] = f"{tag.get('style', '').rstrip('; ')};{style}".lstrip(";")


def widest(soup, at=0):
    found = texts(soup)
    return found[at % len(found)] if found else soup.body or soup.find(True)


def reword(tag):
    for child in list(tag.find_all(string=True)):
        if child.strip():
            child.replace_with((OTHER_WORDS * 20)[: max(5, len(child.strip()))])


def a_colour(soup):
    mark(widest(soup), "color:#e11d8f")


def a_text(soup):
    tag = widest(soup, 1)
    mark(tag)
    reword(tag)


def an_alignment(soup):
    mark(widest(soup), "display:block;width:auto;text-align:right;padding-left:15%")


def a_background(soup):
    mark(widest(soup), "background:#b45309")


def a_size(soup):
    tag = widest(soup)
    for one in (tag, *tag.find_all(True)):
        mark(one, "font-size:22px;font-weight:800")


def a_missing_part(soup):
    found = parts(soup)
    whole = [one for one in found if not one.has_attr("data-spoilt") and not one.find(attrs={"data-spoilt": True})]
    if len(found) > 1:
        (whole or found)[-1].extract()
    elif found:
        mark(found[0], "margin-left:320px")


def an_order(soup):
    found = parts(soup)
    if len(found) > 1:
        found[0].insert_before(found[-1].extract())
    elif found:
        mark(found[0], "margin-top:240px")


def all_words(soup):
    for tag in texts(soup):
        reword(tag)
    mark(soup.body or soup.find(True), "background:#1e293b;text-align:right")


STEPS = (a_colour, a_text, an_alignment, a_background, a_size, a_missing_part, an_order, all_words)
