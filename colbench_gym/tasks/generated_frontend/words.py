"""Words that pages of all domains share: people, places, and what small parts say."""

from __future__ import annotations

from colbench_gym.tasks.generated_frontend.wordings import lists_in

_LISTS = lists_in("words")
FIRST_NAMES, SURNAMES = _LISTS["first_names"], _LISTS["surnames"]
STREETS, TOWNS, PLACES = _LISTS["streets"], _LISTS["towns"], _LISTS["places"]
MONTHS, DAYS = _LISTS["months"], _LISTS["days"]
FIELDS, SEND, SUBSCRIBE = _LISTS["fields"], _LISTS["send"], _LISTS["subscribe"]
NOTICES, CAPTIONS, EVENTS = _LISTS["notices"], _LISTS["captions"], _LISTS["events"]
PARTNERS, DIRECTIONS, INVITATIONS = _LISTS["partners"], _LISTS["directions"], _LISTS["invitations"]
SIDEBAR, SMALL_PRINT = _LISTS["sidebar"], _LISTS["small_print"]
PLAN_LINES = tuple(  # of the three plans, from the smallest to the largest
    tuple(tuple(pair.split(" = ")) for pair in pairs) for name, pairs in _LISTS.items() if name.startswith("plan_lines")
)
SEARCH = "Search this site"
RIGHTS = "© 2024 {name}. All rights reserved."
