"""Words that pages of all domains share: people, places, and titles of sections."""

from __future__ import annotations


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split("|" if "|" in text else None))


FIRST_NAMES = _split(
    "Aylin Paul Ines Tom Hanna Leo Maria Jonas Amara Felix Priya Oskar Lena Mateo Nadia Samuel Yuki Clara Viktor "
    "Elif Ruben Greta Malik Sofia Anton Beatriz Dario Esther Farid Gloria Henrik Irene Jamal Katja Lorenzo Mina "
    "Nils Olga Pedro Quinn Rosa Stefan Tamar Ulrich Vera Walter Ximena Yusuf Zoe Agnes Boris Celia Dmitri Emeka "
    "Fiona Gustav Hilda Ivan Judith Kofi Leila Magnus Noor Otto Petra Rafael Selma Tobias Uma Valentin Wanda "
    "Xavier Yara Zeno Alba Bruno Chidi Dalia Enzo Freya Gideon Heidi Ismail Jasmin Kamil Liv Marek Nora Omar "
    "Paula Quentin Rhea Silas Thea Umberto Viola Wim Yvonne Zainab Arvid Birgit Cyril Delphine Emil Franka Georg "
    "Hester Imre Joana Klaus Ludmila Milan Nerys Orla Piotr Ramona Sven Tilda Urban Verena Wesley Yannick Ada "
    "Bashir Carmen Dominik Elodie Fabian Giulia Hugo Ingrid Joaquin Kirsten Lars Moira Nikolai Odette Pavel "
    "Renata Sandro Tessa Ugo Vivian Willem Yolanda Zoltan"
)
SURNAMES = _split(
    "Brandt Okafor Lindqvist Marsh Adler Costa Novak Ferreira Haddad Iversen Jansen Keller Laurent Moretti "
    "Nakamura Olsen Petrov Quist Romero Sandoval Takahashi Ulmer Varga Weiss Yilmaz Zimmer Abbott Barlow "
    "Castellan Dunmore Eriksen Fairfax Gallagher Hartmann Ibarra Jovanov Kowalski Lombardi Mbeki Northcott "
    "Osborne Pellegrini Rasmussen Sorensen Thornton Underhill Vandermeer Whitlock Yardley Zeller Andersson "
    "Bianchi Carvalho Dubois Engel Fischer Grimaldi Hoffmann Ishikawa Janssen Kaminski Leclerc Mahmoud Nilsson "
    "Ortega Papadopoulos Quigley Richter Salazar Tanaka Ulrich Vasquez Wallace Yamamoto Zapata Achebe Bergstrom "
    "Cavendish Delacroix Esposito Fontaine Greenwood Halloran Ivanova Jablonski Kovacs Langford Mansour Nguyen "
    "Oduya Pemberton Rosenthal Schneider Tremblay Vogel Winterbourne Abernathy Blackwell Chaudhry Dragomir "
    "Ellsworth Fitzroy Goldberg Hawthorne Jorgensen Kingsley Lockhart Montgomery Nakagawa Ostrowski Pritchard "
    "Rutherford Stavros Templeton Wakefield Ashcroft Beaumont Christensen Drummond Falkner Gunnarsson Hathaway "
    "Klein Lindholm Mercer Novotny Peralta Ramirez Sinclair Tolliver Vance Whitaker"
)
STREETS = _split(
    "Harbour Lane|Mill Road|Chestnut Avenue|Station Square|River Walk|Cooper Street|Orchard Way|Lantern "
    "Alley|Bridge Street|Tannery Yard|Linden Court|Market Hill|Foundry Row|Quay Terrace|Saddler Street|Meadow "
    "Close|Abbey Gardens|Weaver Passage|Granary Wharf|Poplar Drive|Cobbler Lane|Windmill Road|Sycamore "
    "Crescent|Cathedral Close|Fishermen Quay|Gasworks Street|Rope Walk|Copperfield Place|Vineyard Hill|Almond "
    "Grove|Barrack Square|Candlemaker Row|Dockside Parade|Elder Path|Ferry Steps|Gooseberry Lane|Hopyard "
    "Street|Ironmonger Alley|Jasmine Terrace|Kiln Yard|Lavender Mews|Monument Place|North Gate|Old Brewery "
    "Lane|Parsonage Road|Quarry View|Rampart Street|Silk Mill Way|Theatre Passage|Upper Common|Viaduct "
    "Street|Weir Cottages"
)
TOWNS = _split(
    "Ashford Brindle Calderbrook Dunmere Elmstead Farrowby Glenholm Hartsea Inverlea Kestrelton Larkfield Marlowe "
    "Northwick Oakhaven Pendle Quarrington Redcliffe Stonebridge Thornbury Whitmore Applecross Barrowmere "
    "Coldharbour Deepwater Eastleigh Fernwick Greyfriars Highmoor Ivybridge Kingsmarsh Longmeadow Millbrook "
    "Netherby Oxbow Pinehurst Queensbury Ravenglass Silverdale Thistledown Upperton Vale Wexcombe Yarborough "
    "Ambleford Birchfield Claymore Danesbury Ebbingham Foxley Goldcrest Hollowell Kirkby"
)
PLACES = _split(
    "Harbour Maple Lantern Juniper Northside Willow Copper Silver Meadow Granite Cedar Amber Riverside Falcon Birch "
    "Saffron Compass Orchard Pebble Thistle Beacon Hazel Marigold Summit Clover Anchor Ivory Heron Linden Sparrow "
    "Bramble Cobalt Driftwood Ember Fern Garnet Hollow Indigo Jasper Kestrel Lavender Mosaic Nettle Opal Pinewood "
    "Quarry Rosewood Sandstone Timber Umber Velvet Walnut Yarrow Zephyr Acorn Barley Cinder Dapple Elder Foxglove "
    "Gable Heather Islet Jackdaw Keystone Larkspur Mallow Nimbus Osprey Parable Quill Rowan Sequoia Tamarind Upland "
    "Verbena Wren Yonder Zenith Alder Bluebell Chestnut Dovetail Everly Flint Gosling Hearth Inkwell Jubilee "
    "Kindred Lodestar Merlin Nightjar Oakleaf Peregrine Redwing Sycamore Tinker Uplift Vesper Whistle"
)
MONTHS = ("January", "March", "April", "May", "June", "September", "October", "November")
DAYS = ("Monday to Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
FIELDS = ("Your name", "Email address", "Phone number", "Your message")
SEND = ("Send message", "Get in contact", "Submit request")
NOTICES = (
    "New opening hours from {month} on",
    "Closed on the first Monday of {month}",
    "Gift vouchers are back for {month}",
    "We are hiring: start in {month}",
    "Open day on the second Saturday of {month}",
)
SUBSCRIBE = ("Subscribe", "Keep me posted", "Sign me up")
SEARCH = "Search this site"
CAPTIONS = (
    "The entrance",
    "Behind the scenes",
    "A quiet corner",
    "Early in the morning",
    "Our favourite spot",
    "On a busy day",
    "Under the skylight",
    "Tools of the trade",
    "Our neighbours dropping by",
    "The mosaic staircase",
    "Polished brass and wood",
    "Before anybody arrives",
)
PLAN_LINES = (  # of the three plans, from the smallest to the largest
    (("One person, one visit", "Pay as you go"), ("Two people or four visits", "Cancel any month"),
     ("Groups of up to ten", "A personal contact")),
    (("A first taste", "No commitment"), ("Our most popular choice", "One guest for free"),
     ("Everything we have", "Priority on busy days")),
    (("For beginners", "Valid for a month"), ("For regulars", "Valid for half a year"),
     ("For enthusiasts", "Valid for a full year")),
    (("Weekdays only", "Helpful basics"), ("Every day until six", "Advice included"),
     ("Day and night", "Tailored to your wishes")),
)  # fmt: skip
EVENTS = (
    "Opened in a single room on {street}",
    "The first {role} joined us",
    "Doubled in size within one winter",
    "Moved to larger rooms in {town}",
    "Won the regional award for small companies",
    "The second generation took over",
)
PARTNERS = ("{} & Sons", "{} Foundation", "{} Group", "Studio {}", "{} Institute", "House of {}")
DIRECTIONS = (
    "Bus 14 stops right at the door",
    "Five minutes on foot from the railway station",
    "Parking behind the building is free",
    "The entrance is through the courtyard",
    "Bicycles can be left under the arch",
    "Step-free access from the side street",
    "Ring twice, the bell is quiet",
    "The ferry lands a hundred metres away",
    "Opposite the red telephone kiosk",
    "Look for the crooked chimney",
    "Past the roundabout, second archway on the right",
    "Tram nine terminates beneath our windows",
)
INVITATIONS = (
    "One short letter, no advertising, and you can leave whenever you like.",
    "Dates, offers and a story or two, straight from the people who do the work.",
    "We write rarely, but we mean every line.",
    "Be the first to hear about places, prices and small surprises.",
    "Invitations, anecdotes and the occasional apology, straight to your mailbox.",
    "Thousands skim it at breakfast; some even reply.",
)
SIDEBAR = ("On This Page", "Quick Links", "In Short", "Overview")
RIGHTS = "© 2024 {name}. All rights reserved."
SMALL_PRINT = ("Privacy", "Imprint", "Accessibility", "Press", "Careers")
