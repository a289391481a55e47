"""The texts of generated pages: kinds of site, each with its names, requests and what its pages may say."""

from __future__ import annotations

from dataclasses import dataclass

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Site:
    """One kind of site.

    Attributes:
        kind: what a person calls it, such as ``small bakery``.
        names: of the business; the request tells which.
        wants: what the site is for, in vague words of the request.
        headlines: of the opening.
        lead: the line under the headline.
        button: its label.
        links: of the navigation.
        offer_titles: the titles that the cards may have.
        offers: title and text of each card.
        story: a paragraph about the business.
        prices: name and price.
        quotes: words and speaker.
        steps: how it works.
        numbers: figures and what they count.
    """

    kind: str
    names: tuple[str, str, str, str]
    wants: tuple[str, str, str]
    headlines: tuple[str, str, str, str]
    lead: str
    button: str
    links: tuple[str, ...]
    offer_titles: tuple[str, str, str]
    offers: Pairs
    story: str
    prices: Pairs
    quotes: Pairs
    steps: tuple[str, ...]
    numbers: Pairs


TITLES: dict[str, tuple[str, str, str]] = {  # of the other sections; one choice decides for all of them
    "story": ("About Us", "Our Story", "Who We Are"),
    "prices": ("Prices", "What It Costs", "Our Rates"),
    "quotes": ("Kind Words", "Reviews", "What People Say"),
    "form": ("Contact", "Write to Us", "Get in Touch"),
    "steps": ("How It Works", "What Happens Next", "In Three Steps"),
    "numbers": ("In Numbers", "At a Glance", "Facts and Figures"),
}
FIELDS = ("Your name", "Your email", "Your message")
SEND = "Send message"

REQUESTS = (
    "{name}: a website for a {kind}. {wants} I have a picture of the page in my head; please build it with me.",
    "We run a {kind} called {name} and need a web page. {wants}",
    "{Kind} ({name}): {wants} Keep it simple and tidy, on a single page.",
)
