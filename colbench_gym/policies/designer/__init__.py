"""The scripted agent of the frontend track: proposes a page, reads what is said of it, revises. Needs no model."""

from __future__ import annotations

from functools import lru_cache

from colbench_gym.page_language.sentences import read_statements
from colbench_gym.page_language.statements import Statement
from colbench_gym.policies.designer.brief import first_page
from colbench_gym.policies.designer.evidence import Evidence
from colbench_gym.policies.designer.free_draft import FreeDraft
from colbench_gym.policies.designer.free_words import guess_statements
from colbench_gym.policies.designer.search import features_of, improve
from colbench_gym.policies.scripted import Scripted
from colbench_gym.rules import FRONTEND
from colbench_gym.tasks.generated_frontend.building.pages import page_html
from colbench_gym.tasks.generated_frontend.page import Page

PROPOSAL = "Here is my page."
QUESTIONS = (  # ours: of the first messages, what a generated page leaves open most
    "Which headings are on the page?",
    "Which links are there? What colour is the page?",
    "What colour is the header? Is there a footer?",
    "Which buttons are there?",
)


class Designer(Scripted):
    """Proposes a page, revises it at most so many times, then answers (a :class:`~colbench_gym.policies.Policy`).

    It knows the public grammar of the generated pages, not the page wanted. Of all pages of the grammar it shows the
    one that agrees best with the request and with all that was said so far, and it asks about what pages differ in
    most. On other tasks it starts with a page of its own and puts in what is said to be missing. Sentences of the
    scripted human are understood exactly; other words, as a language model would use, are searched for colours, places
    and quoted texts. It answers earlier when it is told that all is right.
    """

    def next(self, request: str, replies: tuple[str, ...]) -> str:
        """Return the next page."""
        page = f"```html\n{html_after(request, replies)}\n```"
        heard = statements(replies[-1]) if replies else ()
        content = bool(heard) and all(statement.kind == "right" for statement in heard)
        if content or len(replies) >= self.number:
            return f"{FRONTEND.answer_marker}\n{page}"
        asked = QUESTIONS[len(replies) : len(replies) + 1] if first_page(request) else ()
        return "\n".join([PROPOSAL, *asked, page])


def html_after(request: str, replies: tuple[str, ...]) -> str:
    """Return the page that a request and the replies so far lead to."""
    if first_page(request) is not None:
        return page_html(page_after(request, replies)[0])
    draft = FreeDraft.of(request)
    for reply in replies:
        draft.revise(statements(reply))
    return draft.html()


@lru_cache(maxsize=512)
def page_after(request: str, replies: tuple[str, ...]) -> tuple[Page, tuple[Evidence, ...]]:
    """Return the page of the grammar after some replies, and all that was said with the page that it was said of."""
    if not replies:
        page = first_page(request)
        if page is None:
            raise ValueError("got a request that no generated page has; expected one of the grammar")
        return page, ()
    page, heard = page_after(request, replies[:-1])
    shown = features_of(page)
    latest = {statement: Evidence(statement, shown) for statement in statements(replies[-1])}
    heard = (*(evidence for evidence in heard if evidence.statement not in latest), *latest.values())
    return improve(page, heard), heard


def statements(reply: str) -> tuple[Statement, ...]:
    """Return what a reply says: sentences that are known exactly, and what the others probably mean."""
    return tuple(
        meant
        for statement in read_statements(reply)
        for meant in (guess_statements(statement.wanted) if statement.kind == "unread" else (statement,))
    )
