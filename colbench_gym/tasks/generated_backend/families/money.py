"""Generated functions about money: orders, parcels, taxes, fees, wages, accounts, carts."""

from __future__ import annotations

from colbench_gym.tasks.generated_backend.families.grammar import Arguments, Family, Settings
from colbench_gym.tasks.generated_backend.families.phrases import edge, instead, no_preference, number, pick, rounding
from colbench_gym.tasks.permutation import Draw


def _order_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    totals = [s["limit"] + step for step in (-1, 0, 1)] + [s["limit"] * n // 10 for n in (4, 13, 22, 31)]
    inputs: list[Arguments] = []
    for total in totals:
        first = draw.between(1, total - 2)
        inputs.append(([first, total - first],))
    inputs += [([draw.between(5, 400) for _ in range(draw.between(1, 5))],) for _ in range(6)]
    return inputs


ORDER = Family(
    names=("order_total", "amount_to_pay", "total_after_discount"),
    parameters="amounts",
    wordings=(
        "Please write a Python function that adds up the amounts of an order. Big orders get a discount on everything. "
        "Round what it returns to cents.",
        "I run a small shop and reward large orders with a percentage off. I need a Python function that gives me what "
        "the customer has to pay, rounded to cents.",
        "Can you help me with a function for my web shop? It gets a list of amounts and should return the total, with "
        "our discount taken off if the order is large, rounded to cents.",
    ),
    template="""
        total = sum(amounts)
        if $reached:
            total -= total * $percent / 100
        return round(total, 2)
    """,
    choices=(
        number("limit", "the order total that earns the discount", range(50, 550, 2), topics="threshold large big"),
        number("percent", "the discount percentage", (5, 10, 12, 15, 20), " percent", topics="how much off rate"),
        edge(
            "reached",
            "an order total exactly at the limit",
            "total >= $limit",
            "total > $limit",
            says=(
                "an order exactly at the limit already gets the discount",
                "an order exactly at the limit gets no discount, it has to be above it",
            ),
        ),
    ),
    inputs=_order_inputs,
    indifferent=(no_preference("currency", "the currency of the amounts", "dollars euros money symbol"),),
)


def _parcel_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    weights = [s["limit"], s["limit"] - 1, s["limit"] + 1, s["limit"] - 0.5, s["limit"] + 0.5, 0, -draw.between(1, 9)]
    inputs: list[Arguments] = [(weight, express) for weight in weights for express in (False, True)]
    return [*inputs, (draw.between(1, 60) / 2, False), (draw.between(1, 60) / 2, True)]


PARCEL = Family(
    names=("shipping_cost", "parcel_fee", "postage"),
    parameters="weight, express",
    wordings=(
        "I need a Python function for what it costs to send a parcel. Light ones are cheap, heavy ones cost more, and "
        "express is dearer.",
        "Could you write a function that tells my customers the postage? It depends on the weight in kilograms and on "
        "whether they want express delivery.",
        "We ship parcels at two prices, by weight, and express parcels cost extra. Please write the Python function.",
    ),
    template="""
        if weight <= 0:
            return $bad
        cost = $small if $light else $large
        if express:
            cost = $faster
        return cost
    """,
    choices=(
        number("limit", "the weight up to which a parcel is light", range(4, 31), " kg", topics="threshold heavy"),
        edge(
            "light",
            "a parcel exactly at the weight limit",
            "weight <= $limit",
            "weight < $limit",
            says=(
                "a parcel exactly at the weight limit still counts as light",
                "a parcel exactly at the weight limit counts as heavy already",
            ),
        ),
        number("small", "the price of a light parcel", range(3, 15), topics="cheap cost fee base"),
        number("large", "the price of a heavy parcel", range(16, 40), topics="cost fee expensive"),
        pick(
            "faster",
            "the surcharge for express",
            ("cost * 2", "Express doubles the price.", "An express parcel costs twice as much."),
            ("cost * 3", "Express triples the price.", "An express parcel costs three times as much."),
            ("cost + 10", "Express adds 10 to the price.", "An express parcel costs 10 more."),
            ("cost + 25", "Express adds 25 to the price.", "An express parcel costs 25 more."),
            topics="extra fast faster delivery",
        ),
        instead("bad", "the weight is zero or negative", (0, -1, "invalid", "no parcel"), topics="error invalid"),
    ),
    inputs=_parcel_inputs,
    indifferent=(no_preference("country", "the country it is sent to", "abroad international destination"),),
)


def _tax_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    top = s["allowance"] + s["border"]
    incomes = [s["allowance"] + step for step in (-1, 1, 7, 113, 1000)] + [top + step for step in (-999, 503, 2003)]
    incomes += [draw.between(0, 90000) for _ in range(4)] + [draw.between(1000000, 9000000) / 100 for _ in range(6)]
    return [(income,) for income in incomes]


TAX = Family(
    names=("income_tax", "tax_due", "tax_on_income"),
    parameters="income",
    wordings=(
        "Please write a Python function for the income tax of our town: an allowance is deducted first, the rest is "
        "taxed at a low rate up to some point and at a high rate beyond it.",
        "I want to know how much tax I owe. Part of the income is free, then comes a low rate, and what lies beyond a "
        "border is taxed at a high rate. Can you write the function?",
    ),
    template="""
        taxable = max(income - $allowance, 0)
        low = min(taxable, $border)
        tax = low * $low_rate / 100 + (taxable - low) * $high_rate / 100
        return $rounded
    """,
    choices=(
        number("allowance", "the tax-free allowance", range(1000, 12000, 500), topics="free deduct deducted deduction"),
        number("low_rate", "the low tax rate", range(5, 21), " percent", topics="first percentage"),
        number(
            "border",
            "the taxable amount up to which the low rate applies",
            range(15000, 50000, 1000),
            topics="bracket threshold limit point",
            also="the taxable amount beyond which the high rate applies",
        ),
        number("high_rate", "the high tax rate", range(22, 46), " percent", topics="second percentage"),
        rounding("tax", "the tax"),
    ),
    inputs=_tax_inputs,
    indifferent=(no_preference("year", "the tax year", "period date"),),
)


def _late_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    capped = s["cap"] // s["per_day"]
    days = [0, s["grace"] - 1, s["grace"], s["grace"] + 1, s["grace"] + 2, capped, capped + 1, capped + s["grace"]]
    days += [capped + s["grace"] + 1, capped + 90] + [draw.between(1, 60) for _ in range(8)]
    return [(day,) for day in days]


LATE = Family(
    names=("late_fee", "overdue_charge", "library_fine"),
    parameters="days_late",
    wordings=(
        "Our library charges a fine in cents for books that come back late, after a few days of grace and up to a "
        "maximum. Please write a Python function for it.",
        "Can you write a function that works out the late fee in cents? There are some days of grace, a fee per day, "
        "and it never gets higher than a certain amount.",
    ),
    template="""
        if days_late <= $grace:
            return 0
        return min($counted * $per_day, $cap)
    """,
    choices=(
        number("grace", "the number of days of grace", range(1, 16), topics="free grace period"),
        number("per_day", "the fee per day", range(5, 45), " cents", topics="daily rate cost charge each"),
        number("cap", "the maximum fee", range(800, 2800, 40), " cents", topics="cap highest limit most maximal"),
        pick(
            "counted",
            "whether days of grace are charged once it is later than that",
            ("days_late", "Once the grace is over, all late days are charged.", "Every late day then costs."),
            (
                "(days_late - $grace)",
                "Only the days after the grace are charged.",
                "The days of grace are never charged, only those beyond.",
            ),
            topics="charged counted count included beyond after",
        ),
    ),
    inputs=_late_inputs,
    indifferent=(no_preference("weekend", "weekends and holidays", "weekend sunday saturday holiday"),),
)


def _pay_inputs(s: Settings, draw: Draw) -> list[Arguments]:
    rates = [draw.between(11000, 45000) / 1000 for _ in range(6)]
    hours = [s["normal"] - 1, s["normal"], s["normal"] + 1, s["normal"] + 5.25, s["most"] - 0.5, s["most"] + 1, 90]
    inputs: list[Arguments] = [(hour, draw.pick(rates)) for hour in hours]
    inputs += [(draw.between(40, 300) / 4, draw.pick(rates)) for _ in range(8)]
    return [*inputs, (-draw.between(1, 20), rates[0]), (-0.5, rates[1]), (0, rates[2])]


PAY = Family(
    names=("weekly_pay", "wage_for_week", "pay_with_overtime"),
    parameters="hours, rate",
    wordings=(
        "I pay my staff by the hour, overtime is paid better. Please write a Python function for the pay of a week. "
        "There is a number of hours beyond which I pay nothing more.",
        "Can you write a function that computes a week's wage from hours and hourly rate? Overtime counts more, and "
        "very long weeks are not paid beyond some hour.",
    ),
    template="""
        if hours < 0:
            return $bad
        hours = min(hours, $most)
        overtime = max(hours - $normal, 0)
        pay = (hours - overtime + overtime * $factor) * rate
        return $rounded
    """,
    choices=(
        number("normal", "the number of hours before overtime starts", range(30, 46), topics="normal regular after"),
        number("factor", "the overtime factor", (1.2, 1.25, 1.3, 1.4, 1.5, 1.75, 2), topics="multiplier more"),
        number("most", "the highest number of hours that is paid", range(50, 75), topics="cap maximum limit"),
        rounding("pay", "the pay"),
        instead("bad", "the hours are negative", (0, -1, "invalid"), topics="error invalid below zero"),
    ),
    inputs=_pay_inputs,
    indifferent=(no_preference("breaks", "lunch breaks", "break pause"),),
)

MONEY_FAMILIES = (ORDER, PARCEL, TAX, LATE, PAY)
