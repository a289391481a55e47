"""Generated functions with several steps: shopping carts, quizzes."""

from __future__ import annotations

from colbench_gym.tasks.generated_backend.families.grammar import Arguments, Family, Settings
from colbench_gym.tasks.generated_backend.families.phrases import instead, no_preference, number, pick, rounding, word
from colbench_gym.tasks.permutation import Draw


def _cart_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    def price() -> float:
        return draw.between(1011, 4989) / 100

    inputs: list[Arguments] = [
        ([], ""),
        ([(s["free"], 1)], ""),
        ([(s["free"] - 1, 1)], ""),
        ([(s["free"] - 0.5, 1)], ""),
    ]
    inputs += [([(price(), s["many"] + step)], "") for step in (-1, 0)]
    inputs += [([(price(), 1), (price(), s["many"] + 2)], code) for code in (s["code"], s["code"].lower(), "SAVE")]
    inputs += [([(price(), 1), (price(), 1)], s["code"]), ([(s["free"] + 0.37, 1)], s["code"])]
    return inputs + [([(price(), draw.between(1, 4)) for _ in range(draw.between(2, 4))], "") for _ in range(5)]


CART = Family(
    names=("cart_total", "checkout_price", "bill_for_cart"),
    parameters="items, code",
    wordings=(
        "I need the checkout of my web shop as a Python function. Items are tuples of price and quantity; code is a "
        "text, often empty. Many pieces earn a percentage off; then shipping is added, unless what is left is large "
        "enough; at the very end a voucher is taken off if its code was typed exactly.",
        "Please write a function for the total of a cart, a list of tuples of price and quantity, with a voucher code. "
        "First comes the discount for many pieces, then shipping, which is free if the discounted amount is large "
        "enough, and last the voucher, if the code is exactly ours.",
    ),
    template="""
        if not items:
            return $empty
        total = sum(price * quantity for price, quantity in items)
        if sum(quantity for price, quantity in items) >= $many:
            total -= total * $percent / 100
        if total < $free:
            total += $shipping
        if code == $code:
            total -= $worth
        return $rounded
    """,
    choices=(
        number("many", "the number of pieces that earns the discount", range(5, 14), topics="quantity pieces bulk"),
        number("percent", "the discount for many pieces", range(5, 41), " percent", topics="percentage off rate"),
        number(
            "free", "the amount from which shipping is free", range(60, 160, 2), topics="threshold delivery postage"
        ),
        number("shipping", "the price of shipping", range(3, 10), topics="delivery postage cost"),
        word(
            "code", "the word on the voucher", ("SUMMER", "WELCOME", "FRIEND", "TENOFF", "HELLO"), "voucher coupon code"
        ),
        number("worth", "the value of the voucher", range(2, 10), topics="voucher coupon worth amount"),
        instead("empty", "the cart is empty", (0, -1, "no items", "nothing to pay"), "empty items no"),
        rounding("total", "the total"),
    ),
    inputs=_cart_inputs,
    indifferent=(no_preference("tax", "taxes in the prices", "tax taxes vat"),),
)


def _quiz_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    key = [draw.pick("abcd") for _ in range(9)]
    wrong = ["abcd"[("abcd".index(letter) + 1) % 4] for letter in key]
    run = s["streak"]
    inputs: list[Arguments] = [(key, key), (wrong, key), ([], []), (key[:1], key[:1]), (key[: run + 1], key[: run + 1])]
    inputs += [([*key[:5], *wrong[5:]], key), ([*key[: run - 1], "", *key[run:]], key), ([""] * 9, key)]
    for _ in range(6):
        inputs.append(([draw.pick((a, a, a, b, "")) for a, b in zip(key, wrong, strict=True)], key))
    return inputs


QUIZ = Family(
    names=("quiz_points", "test_score", "contest_points"),
    parameters="answers, key",
    wordings=(
        "Please write a Python function that scores a quiz from two lists of texts, the answers and the right ones. "
        "Right answers earn points and wrong ones cost some, and every run of right answers of a certain length earns "
        "a bonus. An empty text means no answer.",
        "I need a function for our pub quiz. It compares a list of answers with the list of right ones; an empty text "
        "is no answer. There are points for right answers, a penalty for wrong ones, and a bonus for each full run of "
        "right ones.",
    ),
    template="""
        points = 0
        run = 0
        for answer, right in zip(answers, key):
            $blank
            if answer == right:
                run += 1
                points += $plus
                if run % $streak == 0:
                    points += $bonus
            else:
                run = 0
                points -= $minus
        return $floor
    """,
    choices=(
        number("plus", "the number of points for a right answer", range(2, 12), topics="right correct earn many"),
        number("minus", "the penalty for a wrong answer", range(2, 9), " points", topics="wrong incorrect cost minus"),
        number("streak", "the number of right answers in a run", range(2, 5), topics="length long row streak"),
        number("bonus", "the bonus for a full run", range(2, 15), " points", topics="extra full"),
        pick(
            "blank",
            "a question without an answer",
            (
                "if not answer:\n    continue",
                "No answer costs nothing and does not end a run.",
                "Skip a question without an answer, the run goes on.",
            ),
            (
                "if not answer:\n    run = 0\n    continue",
                "No answer costs nothing but ends a run.",
                "A question without an answer is free, yet the run starts anew.",
            ),
            ("", "No answer counts as a wrong one.", "A question without an answer is treated like a wrong one."),
            topics="blank empty missing unanswered skipped none",
        ),
        pick(
            "floor",
            "a negative total",
            ("points", "The total may be negative.", "Return the total even if it is below zero."),
            ("max(points, 0)", "The total is never below zero.", "Return zero instead of a negative total."),
            topics="negative below zero total minimum floor",
        ),
    ),
    inputs=_quiz_inputs,
    indifferent=(no_preference("names", "who plays", "player players name team"),),
)

SHOP_FAMILIES = (CART, QUIZ)
