"""The kinds of section: their variants, how many items each takes, titles, navigation words and words of a request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """One kind of section.

    Attributes:
        variants: how it may be set, with the numbers of items that each takes.
        titles: its heading, one of these; empty where the domain says it.
        link: its word in the navigation.
        phrases: how a request names it, without telling the variant.
    """

    variants: Mapping[str, tuple[int, ...]]
    titles: tuple[str, ...]
    link: str
    phrases: tuple[str, ...]


KINDS: Mapping[str, Kind] = {
    "cards": Kind(
        {
            "2 columns": (2, 4),
            "3 columns": (3, 6),
            "4 columns": (4, 8),
            "2 columns with pictures": (2, 4),
            "3 columns with pictures": (3, 6),
            "4 columns with pictures": (4,),
            "picture beside": (2, 3),
            "numbered": (3, 4),
        },
        (),
        "Offer",
        ("cards for what we offer", "a grid of what there is", "a block for each thing we offer"),
    ),
    "features": Kind(
        {"list": (3, 4), "two columns": (4,), "row": (3, 4), "beside picture": (3, 4)},
        ("Why People Choose Us", "Good to Know", "What Sets Us Apart", "Our Promise"),
        "Benefits",
        ("a list of what is good about us", "our strong points", "a few reasons to choose us"),
    ),
    "story": Kind(
        {"picture right": (2, 3), "picture left": (2, 3), "text": (2, 3), "framed": (2,), "two columns": (2,)},
        ("About Us", "Our Story", "Who We Are", "How It Began"),
        "About",
        ("something about us", "our story", "a paragraph on who we are"),
    ),
    "plans": Kind(
        {"three cards": (3,), "highlighted": (3,), "two cards": (2,)},
        ("Choose a Plan", "Packages", "What You Can Book", "Our Rates"),
        "Plans",
        ("a pricing section", "packages with prices", "plans to choose from"),
    ),
    "prices": Kind(
        {"table": (4, 5, 6), "dotted list": (4, 5), "two columns": (4, 6)},
        ("Price List", "What It Costs", "Fees at a Glance", "Prices"),
        "Costs",
        ("a price list", "what things cost", "a table of prices"),
    ),
    "quotes": Kind(
        {"two columns": (2, 4), "three columns": (3,), "single": (1,), "stacked": (2, 3)},
        ("Kind Words", "Reviews", "What People Say", "Heard From Guests"),
        "Voices",
        ("testimonials", "what customers say", "a few quotes"),
    ),
    "gallery": Kind(
        {"three": (3, 6), "four": (4,), "captions": (3,), "wide and two": (3,)},
        ("Gallery", "Impressions", "A Look Around", "In Pictures"),
        "Photos",
        ("a gallery", "some photos", "pictures of the place"),
    ),
    "form": Kind(
        {"narrow": (3, 4), "with address": (3,), "boxed": (3, 4), "in a row": (2,)},
        ("Write to Us", "Get in Touch", "Ask a Question", "Contact"),
        "Message",
        ("a contact form", "a form to write to us", "a way to get in touch"),
    ),
    "figures": Kind(
        {"plain": (3, 4), "accent bar": (3, 4), "boxes": (3, 4)},
        ("In Numbers", "Facts and Figures", "At a Glance", "What We Count"),
        "Numbers",
        ("some figures", "a bar of statistics", "our numbers"),
    ),
    "steps": Kind(
        {"row": (3, 4), "list": (3, 4), "boxes": (3,)},
        ("How It Works", "What Happens Next", "Step by Step", "Getting Started"),
        "Process",
        ("how it works", "the steps one takes", "an explanation in steps"),
    ),
    "questions": Kind(
        {"list": (3, 4), "two columns": (2, 4), "boxes": (2, 3)},
        ("Questions and Answers", "Often Asked", "Before You Ask", "Frequent Questions"),
        "Help",
        ("frequent questions", "an FAQ", "questions and answers"),
    ),
    "news": Kind(
        {"list": (2, 3, 4), "cards": (2, 3), "with dates": (3, 4)},
        ("Latest News", "What Is New", "From Our Journal", "Upcoming Dates"),
        "News",
        ("news", "upcoming events", "the latest updates"),
    ),
    "team": Kind(
        {"round portraits": (3, 4), "square portraits": (3, 4), "list": (3, 4)},
        ("Meet the Team", "The People Here", "Our Faces", "Who Takes Care of You"),
        "Team",
        ("the team", "the people behind it", "who works here"),
    ),
    "hours": Kind(
        {"table": (5,), "beside address": (5,), "boxes": (3,)},
        ("Opening Hours", "When We Are Open", "Times", "Plan Your Visit"),
        "Hours",
        ("opening hours", "when we are open", "our times"),
    ),
    "call": Kind(
        {"accent band": (1,), "dark band": (1,), "framed": (1,), "split": (1,)},
        ("Ready When You Are", "Shall We Begin?", "Come and See", "Do Not Wait Too Long"),
        "Start",
        ("a call to action", "a band that invites people", "a last push to act"),
    ),
    "subscribe": Kind(
        {"band": (1,), "boxed": (1,), "plain": (1,)},
        ("Letters From Us", "Stay Informed", "Once a Month in Your Inbox", "Join Our Mailing List"),
        "Newsletter",
        ("a newsletter sign-up", "a field to subscribe", "a place to leave an email address"),
    ),
    "partners": Kind(
        {"row": (4,), "boxes": (4,), "list": (4,)},
        ("Our Partners", "They Trust Us", "Who We Work With", "In Good Company"),
        "Partners",
        ("our partners", "names of those who trust us", "who we work with"),
    ),
    "history": Kind(
        {"line": (3, 4), "columns": (3, 4), "table": (3, 4)},
        ("Our History", "Milestones", "The Road So Far", "Year by Year"),
        "History",
        ("a timeline", "our history", "milestones"),
    ),
    "place": Kind(
        {"map right": (1,), "map left": (1,), "map below": (1,)},
        ("How to Find Us", "Where We Are", "Visit Us", "Our Address"),
        "Location",
        ("our address with a map", "how to find us", "directions"),
    ),
    "tags": Kind(
        {"pills": (4, 5, 6), "tabs": (4,), "links": (4, 5)},
        ("Browse by Topic", "Explore", "Pick a Subject", "Find Your Way"),
        "Topics",
        ("topics to pick from", "a row of categories", "categories"),
    ),
}
