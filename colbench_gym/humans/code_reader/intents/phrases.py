"""Phrases that the classifier of intents is trained from, one pattern a line.

``(a|b)`` is a choice, ``[a]`` may be left out, ``_arg`` stands for a name of an argument, ``_name`` for another word that
the task or its reference uses, ``_x`` for any other word, ``_num`` and ``_str`` for a number and a quoted text.
"""

from __future__ import annotations

PHRASES: dict[str, str] = {
    "type": """
        (what|which) (type|data type|kind of value|kind of object) (is|has|does) [the] _arg [have]
        what (type|data type|structure) (should|will|does) [the] _arg (be|have)
        (is|are) [the] _arg (a list|a dictionary|a dict|a string|an integer|a number|a float|a boolean|a tuple|a set)
        (is|are) [the] _arg (a list|a dictionary|a string|a number|a tuple) or (a list|a dictionary|a string|a single value|an object)
        (is|are) [the] _arg (given|passed|supplied|provided) as (a list|a string|a number|text|numbers|a dict)
        how (is|are) [the] _arg (structured|organised|represented|stored|laid out|formatted|passed in|given)
        what (does|do) [the] _arg look like
        (in what|in which) (form|format|shape|structure) (is|are|do|will) [the] _arg (come|given|arrive|passed|supplied|i receive)
        (please|could you) (describe|tell me about|explain) the (structure|layout|format|shape) of [the] _arg
        what (kind|sort) of (input|data|object|thing) is _arg
        what (are the|do the) (inputs|arguments|parameters) [look like]
        (what|which) (types|data types|kinds) (are|do) (the|all|each of the|my) (inputs|arguments|parameters) [have]
        could you (specify|tell me|confirm) the (types|data types) of (the|each|all) (parameters|inputs|arguments)
        (is|are) (each|every|the) (entry|element|item|record) [of _arg] (a string|a dictionary|a number|a pair|an object|text)
        what does (each|every|one|a single) (entry|element|item|record|row) [of _arg|in _arg] (look like|contain|consist of|hold)
        (are|is) [the] _arg (an integer|whole numbers|integers) or (floats|decimals|can it have decimals|a float)
        (do|will|would) i (get|receive) [the] _arg as (a string|a list|numbers|an object)
        (are|is) the _arg (text|names|strings) or (ids|numbers|numeric ids|codes)
        is _arg (true or false|a flag|a yes or no value|boolean)
        is _arg a (single number|single value) or (one per _name|a list of them|several)
        by _arg do you mean (a list|a number|text|names|objects|a count)
        (date objects|datetime objects|date strings) or (strings|plain text) for _arg
        how will the _arg be (given|passed) to the function (as text or as numbers|)
    """,
    "keys": """
        (what|which) (keys|fields|attributes|columns|properties) (does|do|will|are in) (each|every|the) (entry|record|dictionary|item|_arg) [have]
        (under which|under what) (key|keys|name) (do i find|is|are|can i find) the _name
        what (are|is) the [exact] (key names|field names|keys|names of the keys|attribute names|key)
        which (entries|fields|information) (does|will) (each|the) (record|dictionary|dict|_arg) (contain|have|hold)
        what are the (keys and values|keys and the values) (of|in) [the] _arg
        how is the _name (called|named|spelled) in (the|each) (record|dictionary|data|entry)
        what names do the (fields|keys) have
        (which|what) (keys|key names|labels) should the (returned|resulting|output) (dictionary|dict) (have|use|contain)
        what is the key and what is the value [in the result|in the output]
        does each (record|entry|_arg) (contain|have) a _name (field|key|entry)
    """,
    "unit": """
        in (what|which) (unit|units|currency) (is|are) [the] _arg [measured|given|expressed]
        (what|which) (unit|units|currency) (is|are|does|do) [the] _arg (in|have|use|measured in|expressed in)
        (is|are) [the] _arg (in|given in|measured in|expressed in) (dollars|euros|metres|kilometres|hours|minutes|seconds|kilograms|days|celsius) [or (cents|miles|feet|minutes|days|pounds|fahrenheit|weeks)]
        (hours or minutes|miles or kilometres|euros or dollars|kg or pounds|days or weeks|celsius or fahrenheit|metres or feet)
        what unit should the (result|output|answer) be in
        is (the|_arg) (measured|expressed|given) per (hour|day|person|year|month|kilogram)
        which unit of (measure|measurement|time|length|weight) [is used] [for _arg]
        should the (result|output) be in (hours|dollars|metres|minutes|degrees)
        do you want (kilometres|hours|cents|grams) or (miles|minutes|dollars|kilograms)
    """,
    "meaning": """
        what (does|do|is meant by|exactly is|is) [the] _arg [mean|represent|stand for|refer to|describe|denote]
        what is the (meaning|purpose|role) of [the] _arg
        what is _arg
        (what|how) is _arg (used for|for|good for)
        (can|could) you (explain|define|clarify) what [the] _arg (is|means|represents)
        does _arg (mean|refer to|stand for|denote|represent) (the|a) _x (or the _x|)
        (is|are) _arg the (number|amount|count|total|share|list) of _x
        (is|are) _arg the _x or the _x
        what do you (mean|understand) by _arg
        what do (the|these) (names|variables|abbreviations|_arg) (mean|stand for)
    """,
    "values": """
        (what|which) (values|options|strings|names|kinds|categories|choices|levels) (can|may|could|does|will) [the] _arg (take|have|be|contain|accept)
        (what|which) are the (possible|allowed|valid|accepted|supported|permitted|expected) (values|options|names|categories|types) [of _arg|for _arg]
        which _arg (are|do you) (supported|support|allowed|known|valid|covered|recognised)
        (what|which) (other|different) (values|types|kinds|options) (exist|are there|of _arg are there)
        (is|are) there (a fixed|a closed|a) (list|set) of (_arg|values|categories|allowed values)
        besides _str (which|what) (other|else) (values|options|_arg) (are there|can it take)
        (can|could) you (list|name|enumerate|give me) (all|the) (_name|possible values|categories|_arg|options|supported types|items)
        which _name (are|count as|are considered|are treated as|belong to) _name
        what (counts as|qualifies as|is considered) [a|an] _name
        which words (are|count as|do you consider) _name
        (which|what) (keywords|words|terms|phrases|characters|symbols|entities) (should|do|must|are) (i|be|you|the function) (look for|searched|removed|replaced|counted|detect|recognised)
        (which|what) exact (strings|names|spellings) (will|do) (i|you) (receive|use|see) for _arg
        is _str (the only|also an) allowed value
        which characters (should be removed|count|are stripped|are allowed|are replaced)
    """,
    "scale": """
        (is|are) [the] _arg (a percentage|a fraction|a share|a decimal|a ratio|a probability) [or (a fraction|a percentage|a percent value|a number between 0 and 1)]
        (is|are) _arg (between 0 and 1|from 0 to 100|in percent|on a scale from 0 to 10|a number from _num to _num)
        (what|which) (range|scale|interval) (does|is|do|has) [the] _arg (have|on|use|cover|in|lie in)
        (on|in) (what|which) (scale|range) (is|are) [the] _arg (given|measured|rated|scored)
        (should|shall|must|will) the (result|output|answer) be (a percentage|a fraction|multiplied by 100|between 0 and 1|in percent|a share|from 0 to 100)
        (percent|percentage) or (a fraction|a share|a decimal|between 0 and 1)
        (should|do) i multiply (by|with) 100
        (is|are) _num (percent|%) (written|given|passed|entered) as _num or [as] _num
        is a (rate|discount|growth) of (five|ten|_num) percent (passed|given|written) as _num
        something like _num or (rather|more like) _num
        is it a (share|fraction) between zero and one or (a percentage|out of 100)
        what (range|limits) should the (result|score|output) (be in|stay in|have)
    """,
    "result": """
        what (should|does|will|must|shall) (the function|it|i|be) (return|returned|give back|output|produce|hand back)
        what (do you expect|do you want|would you like) (as the|for the|to be|back as) (output|result|returned|return value)
        what is the (return value|return type|output|output format|format of the result|type of the result|form of the result)
        (should|shall|do|must|will|does) (i|it|the function) (return|give back|output) (a list|a dictionary|a string|a number|a boolean|a tuple|a set|one value|text)
        (should|shall|do|must) (i|it|the function) return (a list|a dictionary|a string|a number|a boolean|a tuple) or (a list|a dictionary|a string|a number|a boolean|a tuple|both|a message)
        (in what|in which|what) (form|format|shape|structure) (do|should|would) (you|the) (want|like|expect|result|output|need) [the result|the output|have|it]
        (how|in which way) should the (result|output|answer|outcome) (look|be formatted|be presented|be structured|be returned)
        (is|should) the (result|output|return value) (a list|a dictionary|a string|a number|one number|a single value|text|true or false|a boolean|an integer|a float)
        do you (want|need|expect) (only|just) the _name (back|returned|in the result|) or (also|both|the whole|everything) [_name]
        (should|must) the (result|output|dictionary|returned list) (also|additionally|both) (contain|include|hold|have) [the] _name
        what (comes out|comes back|is returned|is given back|gets returned) [at the end|in the end|by the function]
        (one|a single) (value|number|string) or (several|a list|one for each|two|multiple)
        should i return the (whole|full|complete|entire) (_name|records|entries|objects) or (only|just) (the names|the _name|their _name)
        (print|printed) or (return|returned)
        should the function (print|return|store) the (result|value|message)
        what does the (returned|resulting) (dictionary|list|tuple|object|string) (contain|hold|look like|consist of)
        do you want the (names|ids|numbers|values|whole records|indices|positions) [or the (names|values|records)] [back|returned]
        is the return value just a number or (a dictionary with|a text with|a sentence with) _x
        what type (should|will) the (result|return value|output) (be|have)
        (a boolean|true or false|yes or no) or (a string|a message|a label|text|a score|a number)
        is the result (numeric|a numeric value|a text|a label)
        what do i (hand back|give back) to the caller
    """,
    "labels": """
        what (exact|precise) (wording|text|string|strings|message|messages|label|labels|phrase) (should|do|is|are) [i|the function] (return|use|used|returned|you want)
        (what|which) (text|message|label|string|wording|sentence) (should|is|do|will|must) (be returned|returned|i return|appear|be shown|used) [for _name|when _x|if _x|in that case]
        how (is|are|should|do) the (message|messages|label|labels|text|string|_name) (worded|spelled|spelt|written|phrased|be worded|be written|read)
        what does the (message|text|string|label|output) say [exactly|for _name|when _x]
        (could|can) you (give|tell|spell out) [me] the exact (wording|text|string|strings|messages|labels|spelling)
        what are the (labels|categories|messages|texts|names of the categories|possible messages|possible outcomes|outcomes|results) [called]
        what (should|do) (the labels|the categories|the groups) be called
        word for word what (is|should) (returned|the message|the text)
        which (categories|labels|levels|classes|ratings|outcomes|messages) (can|should|do|are) (the function|there|you|be) (return|distinguish|want|returned|assigned)
        what is the (suffix|prefix|separator|delimiter|template|pattern) [of the text|of the url|in the string]
        how is the (string|text|url|sentence|output) (put together|built|composed|assembled|constructed)
        does the (message|text|string|label) (end with|start with|contain|have) (a full stop|a period|an exclamation mark|punctuation|a number|the _name)
        what label does [a|an] _name get
    """,
    "threshold": """
        what (is|are) the (threshold|limit|cutoff|cut off|boundary|minimum|maximum|thresholds|limits) [for _arg|of _arg|for _name]
        (from|above|below|over|under|beyond|up to|at) (which|what) (_arg|value|amount|number|level|age|score|percentage|point|size) [on|upwards] (is|do|does|should|are|will) _x
        how (high|low|many|much|large|big|old|long|far|often|fast|hot|small|heavy) (must|does|should|can|may|has to|do|is) [the] _arg [be|have to be|need to be|at most|at least]
        how (many|much) _name (are|is) (needed|required|necessary|enough|allowed) [for _x|to _x]
        how many _name does (it|one|he|she|a person|someone) need [to _x|at least]
        at (what|which) (point|age|value|level|number|amount|score) does [the] _x (start|begin|change|become|apply|count)
        when (is|does|are|do) [the|a] _arg (too high|too low|high enough|considered high|considered low|count as _x|large enough)
        what (minimum|maximum|least|highest|lowest) _arg (is|do you) (required|need|allowed|accept)
        where (is|are|do you draw) the (line|limits|boundary|cutoff|boundaries) [between _x and _x|for _arg]
        (which|what) (ranges|bands|tiers|brackets|intervals|levels|limits) (are there|do you use|apply|define|belong to _name) [for _arg]
        what number (separates|divides) _x from _x
        (is|are) there a (minimum|maximum|limit|threshold|lower limit|upper limit|cap) (for|on|of) _arg
        how is _str (defined|distinguished from _str)
        (does|must|should) _arg (have to|need to) (exceed|reach|be at least|be above|be below) _num
        how close must _arg be
        what counts as (high|low|large|small|young|old|recent|enough|too many|too much|cheap|expensive)
        above which _name do you _x
        which age range is _x
    """,
    "constant": """
        (what|which) (is|are) the (rate|factor|weight|percentage|constant|coefficient|multiplier|bonus|penalty|fee|discount|surcharge|weights|rates|amount|price) [for _name|of _name|of _arg|used]
        how (much|many) (points|percent|money|weight|dollars|_name) (does|do|is|are) [the|a|an] _name (add|cost|give|get|add up to|worth|bring|count|taken off|deducted|contribute)
        (by|with) (which|what|how much) (factor|percentage|amount|number|) [is|does|do|should] [the] _name (multiplied|reduced|increased|divided|go up|go down|grow|change|shrink)
        what (value|number|figure|constant) (do|should|is) (you|i|be|used) (use|used|assume|take|assumed) (for|as) [the] _name
        how (heavily|strongly|much) (does|is|do) [the] _name (count|weigh|weighted|matter|contribute) [compared to _name|against _name]
        how are the _name (weighted|weighted against each other)
        what (weights|factors|multipliers|points|rates|numbers) (are|do|should) (used|you use|be used|i use|assigned) [for each _name]
        how (large|big|high|long) is the (discount|bonus|penalty|fee|surcharge|increase|reduction|_name) [for _name]
        how many points (is|are|for|does) _name [worth|get|give|count]
        what does [a|one|each] _name cost
        how long (does|is) [the] _name (last|take|be)
        which (percentage|discount|rate|fee|tax|price|factor) (applies|is used|is applied|belongs) [to _name|for _name]
        what is the exact (number|value|figure) [for _name]
        how many _name (per|in|for each) _name
        is _num the (right|correct) (factor|rate|value|constant) [for _name]
        what (price|cost|duration|size|number) (belongs to|goes with|do you assign to) [each] _name
    """,
    "condition": """
        (when|under which conditions|under what conditions|under which circumstances|in which cases) (is|does|do|are|should|will) [the|a] _name (returned|count|considered|applied|assigned|happen|true|_x)
        (what|which) (conditions|criteria|rules|requirements|checks) (must|have to|should|do|are|decide|need to) (be met|hold|apply|be fulfilled|used|be satisfied|there|decide)
        what (makes|qualifies|determines whether|decides whether|decides if) [a|an|the] _name [is] _x
        how (do|should|can) (i|you|the function|we) (decide|determine|tell|know|judge|recognise) (whether|if|when|which) _x
        (on|upon) what does (it|the result|the decision|_name) depend
        what does [a|an] _name (need|require|have to have|have to fulfil) (to be|in order to be|so that it counts as) _x
        (who|what|which _name) (is|are|counts as|qualifies as|is considered|gets) [a|an] _name
        which (rules|criteria|conditions) (do you use|apply) (to decide|for deciding|for _x|to classify|to choose)
        when (exactly|precisely) (is|does|do|are) _x
        what has to be true (for|so that) _x
        how is _name (decided|determined|chosen|selected|identified|classified|categorised|detected)
        (based|depending) on what (is|are) _name (chosen|classified|grouped|assigned)
        which _name do you (want|need) (to filter|to keep|to select|removed|picked)
        by what criterion (is|are) _name (filtered|selected|chosen)
        what decides between _x and _x
        only if _x or (whenever|always)
    """,
    "formula": """
        (what|which) (is the|formula|equation|calculation) (formula|should i use|do you use|do you have in mind|is used) [for _name|to compute _name]
        how (is|are|should|do|does) [the|i] _name (calculated|computed|calculate|compute|worked out|derived|determined|be calculated|be computed|obtained)
        how do (i|you|we) (get|arrive) (from|at) [the] _name [to _name]
        how (are|do|should) [the] _arg and [the] _arg (combined|combine|put together|be combined|related|enter the result)
        (is|are) [the] _name (multiplied|added|divided|subtracted) (by|to|from|with) [the] _name
        (should|do|must) i (add|multiply|divide|subtract|sum|average) [the] _arg (and|by|with|from) [the] _arg
        (are|is) (they|the _name|it) (multiplied or added|added or multiplied|added up|summed|averaged|multiplied together)
        is (it|the result) the (sum|difference|product|ratio|quotient|average|mean|total) [of _arg and _arg|or the _x]
        _arg minus _arg or the other way round
        (simple|compound) (interest|growth|or compound)
        what do i (divide|multiply) _name by
        (what|which) (steps|operations|mathematics|arithmetic) (are|lead|is) (needed|to the result|involved)
        (could|can) you (walk me through|explain|describe) (the calculation|the computation|the formula|how _name is calculated)
        how does _arg (enter|go into|affect|influence|change) (the result|the calculation|the formula|_name)
        is _arg (applied|used|counted) (once|per _name|for each _name|to the total|before or after _name)
        (what|which) (quantity|value|number) is divided by (what|which)
        is the (discount|tax|bonus|rate) applied to the (total|whole amount|rest|part above the limit) [or only to _x]
        which way round is the (difference|ratio|division|subtraction)
    """,
    "order": """
        (in what|in which|what) order (should|do|are|is|must) (the results|the items|they|it|the list|the _name|you want them) [be] [returned|sorted|come out|appear]
        (should|must|do|are|is) the (result|output|list|_name|items) (be sorted|sorted|ordered|be ordered|come sorted) [alphabetically|ascending|descending|by _name]
        (ascending|descending) or (descending|ascending)
        by (which|what) (key|criterion|field|attribute|value) (should|do|are|is) (i|they|the list|the _name) (sort|sorted|be sorted|ordered|ranked)
        (does|is|should) the (original|input|given) order (matter|kept|be kept|preserved|be preserved|stay)
        (highest|lowest|largest|smallest|newest|oldest|best) first
        how (are|should) the _name (sorted|ordered|ranked|be ranked|be sorted)
        do you want a particular (order|ordering|sorting)
        is the order of the (output|result|list) (important|relevant)
        what comes first [in the list|in the result]
        in the order of the input or sorted
        does rank (one|1) mean the (highest|lowest|largest)
    """,
    "ties": """
        what (happens|if|should happen) (in case of|when there is|with|for) [a|two] (tie|ties|equal values|the same value|a draw)
        how (should|are|do you want) ties (broken|handled|resolved|be handled|be broken|treated)
        (if|when|suppose) two (_name|items|entries|people) (have|share|get|reach) the same (_name|value|score|number|amount|total)
        which one (wins|comes first|is chosen|is returned) (if|when) (they are equal|several are equal|both are the same|two tie)
        (do|should) (equal|tied) (_name|values|items) (share|get) the same (rank|place|position)
        first or last one in case of a tie
        several _name with the same highest value
    """,
    "rounding": """
        (should|shall|must|do|does|is|will) (i|it|the result|the output|the value|you want the result|the number) (round|rounded|be rounded|need rounding) [to _num decimals|to two decimals|to the nearest integer]
        (to|with) how many (decimals|decimal places|digits) [should i round|do you want|is it rounded|]
        how many (decimals|decimal places|digits) (should|do|does) (the result|you want|it|i) (have|keep|show|need)
        (round up|rounded down|floor|ceiling|truncate|cut off) or (to the nearest|rounded up|rounded down|normal rounding)
        (whole number|integer) or with decimals
        what (precision|accuracy) (do you need|should the result have|is expected)
        (integer|floor|true|float) division
        (may|can|should) the result (have|keep) (decimals|a fractional part|decimal places)
        is (the result|it) (left|returned) (unrounded|as it is|with full precision)
        shall i format the number with _num (decimals|digits)
        do you want the exact value or a rounded one
    """,
    "case": """
        (is|should) (the comparison|it|the match|matching|the search|the check) [be] (case sensitive|case insensitive)
        (does|do) (upper and lower case|capital letters|capitalisation|letter case|case) (matter|make a difference|count|play a role)
        should i (ignore|respect|normalise|convert) (case|upper and lower case|capital letters|everything to lower case|the case)
        (are|would) _str and _str (treated the same|the same|equal|both match|count as the same)
        would _str (match|count as|be recognised as|equal) _str
        what if (the name|it|_arg) is written (in capitals|with a capital letter|in upper case|in lower case|differently)
        upper case or lower case
        do i have to lowercase (the text|the input|_arg) (first|before comparing)
    """,
    "trim": """
        should i (trim|strip|remove) (spaces|white space|blanks|leading and trailing spaces|extra spaces|whitespace)
        (what about|how about|are) (surrounding|leading|trailing|extra) (spaces|blanks|whitespace) [removed|trimmed|ignored]
        (is|are|does) (whitespace|spaces|blanks) (matter|removed|ignored|significant|counted|stripped)
        do i need to (clean|normalise) the (strings|text|input) (before|first)
        (should|is) punctuation [be] (removed|stripped|ignored|counted)
        do (commas|dots|hyphens|dashes) (stay|get removed|count)
    """,
    "duplicates": """
        (should|are|do) duplicates [be] (removed|kept|dropped|allowed|counted|count|stay|counted once|counted twice|matter)
        what (happens|if|should happen) (with|to|there are) (duplicates|duplicate entries|repeated items|the same _name twice)
        (if|when) [a|the same] _name (appears|occurs|is listed|shows up) (twice|more than once|several times|again)
        (unique|distinct) (values|_name|items) (only|or with repetitions|or all)
        should each _name (appear|count|be listed) only once
        can the (result|list) contain the same _name (twice|several times)
        (does|should) a repeated _name count (once|twice|every time|again)
    """,
    "error": """
        (should|shall|must|do|does) (i|it|the function|you want me to) (raise|throw) (an error|an exception|a valueerror) [if _x|for _x|when _x]
        (should|shall|must|do|is|does) (i|the function|the input|the inputs|_arg) (validate|validated|be validated|check|checked|be checked|verify) [the input|the inputs|_arg]
        (which|what) (error|exception|errors|exceptions) (should|do|is|are|can) (be raised|i raise|raised|occur|happen)
        how (should|do|are) (errors|invalid inputs|bad inputs|wrong inputs|exceptions) (be handled|handled|treated|dealt with)
        (can|may) i (assume|rely on) (valid input|the input is valid|that the inputs are correct|well formed input)
        do (i|you) need (error handling|input validation|any validation|any checks|sanity checks)
        what (happens|should happen) (for|with) (invalid|malformed|wrong|bad) (input|inputs|data|values|arguments)
        are there (inputs|values|cases) (i should|you want me to) (reject|refuse)
        is there any (validation|error handling|check) [of the input]
        what is the message of the error
    """,
    "library": """
        (can|may|should|do|shall) (i|we|you want me to) use (numpy|pandas|a library|libraries|external packages|regular expressions|the standard library|the math module|datetime)
        (which|what) (library|libraries|module|modules|packages) (should|can|may|do|are) (i|you|be) (use|import|used|allowed|imported)
        is it (ok|fine|allowed) to import (numpy|pandas|other modules|something)
        (only|just) (built in functions|the standard library|plain python)
        with a library such as _x or by hand
        do (i|you) need (regex|numpy|a third party package)
        may i use (html|statistics|collections|itertools|json|re) [from the standard library]
    """,
    "mutate": """
        (should|may|can|do) (i|the function|it) (modify|change|mutate|alter) (the input|the list|the given list|_arg|the original) [in place]
        (in place|a new list|a copy) or (a new one|in place|a copy)
        (does|should|must) (the input|the original|_arg|the given list) (stay|remain|be left) (unchanged|untouched|as it is)
        (is|are) [the] (input|original|passed|_arg) (modified|changed|left untouched|updated)
        should i return a new (list|dictionary|object) or (change|update) the (given|existing) one
    """,
    "default": """
        (what|which) (is|are|value is) the default (value|values|) [of|for] [the] _arg
        (does|do|has|have|is there) [the] _arg [have] [a] default [value]
        is [the] _arg optional
        (when|if) [no] _arg [is] (not given|not supplied|supplied|given|passed|provided|left out|omitted) (what value|which value) (should be|do i|is) (assumed|used|assume|taken)
        (are|which) (there optional|optional) (arguments|parameters)
        what (should|is) _arg (default to|be by default|set to by default)
        are all (arguments|parameters|inputs) required
        should _arg (always be given|be a required argument)
        what do i use (when|if) the caller (leaves out|omits|does not give) _arg
    """,
    "otherwise": """
        what (happens|is returned|should be returned|is the result|do you want|should happen) (otherwise|in all other cases|in any other case|if none of these apply|if nothing matches|if no condition holds|by default)
        what (about|if|happens with|happens for) [an] (unknown|unrecognised|other|unsupported|different|unexpected) (_arg|value|type|_name|category|values)
        (for|with) (any|all|an) other (_arg|value|values|case|cases|_name) what (do i return|comes back|is returned|should be returned)
        (if|when) [the] _arg (is|are) (not one of|none of|not in|outside|neither of|not among) (these|those|the list|the table|them|the ranges)
        what (if|when) (the _name|it) (does not match|matches nothing|is not found|is not listed|falls in between|fits no category)
        and (otherwise|else|if not|for the rest|for everything else)
        is there a (fallback|default case|catch all|else case|default label|default category)
        what about _name that (do not fit|match none|are not mentioned|belong nowhere)
        what does everyone else get
    """,
    "edge": """
        what (should|happens|is returned|do you want|is the result|should i return) (if|when|for|with) [an|the] (_arg|list|input|string) (is|are|) (empty|zero|none|negative|missing|0)
        (if|when|suppose) [the] _arg (is|are|equals) (empty|zero|none|negative|missing|null|0) (should i return|what should|do i|return|raise) [_num|none|an error|an empty list]
        (how|what) (should|do|about) (i|you|we|) (handle|treat|deal with|) (empty|missing|negative|zero|none) (input|inputs|values|list|lists|entries|_arg)
        (can|could|may|might) [the] _arg (be|become) (empty|zero|negative|none|missing|null)
        what about (an empty list|an empty string|no input|zero|none|negative numbers|missing keys|missing values)
        (is|are) (negative|zero|empty|missing) (values|numbers|input|_arg) (possible|allowed|valid|handled)
        (empty|no) _arg
        what if (there are no _name|no _name is given|nothing is passed|the list has only one element|the lists have different lengths)
        division by zero
        should (i|the function) (guard against|protect against|watch out for) (division by zero|empty input|zero)
        (are there|any) (edge cases|corner cases|special cases) [to handle|i should handle|to consider]
        what if (the|a) (key|field|entry|_name) is missing
    """,
    "example": """
        (for|with|given) _arg _num and _arg _num (what|which) (do you expect|should come out|is the result|would be the result|comes out|do you get)
        what (would|should|is|do you) (be|the result be|the result|the output|expect|you expect|you get|come out) (for|of|with|given) _num [and _num]
        (could|can) you (give|show|provide) [me] (an example|a worked example|a sample|one example) [of input and output]
        (for example|suppose|say|let us take|take|imagine) _arg is _num [and _arg is _num] (is the result|what|would it be|should i get|then) [_num]
        (is|would|should) the (result|answer) for _num [and _num] (be|equal) _num
        if i (pass|call|give|plug in|use) _num [and _num|and _str] what (comes back|comes out|do i get|is returned|should come out)
        (does|would) _str (give|return|yield|become|produce) _str
        what does the function return for _str
        what is the (highest|lowest|largest|smallest|maximum|best) (score|value|result|number) (possible|anyone can reach|that can come out)
        so with _num _name and _num _name (it is|that makes|i get|i would say) _num right
        what happens for _num and _num
    """,
    "boundary": """
        (does|is|would|do) (exactly|precisely|just) _num (already|still|) (count|included|included in|belong|qualify|enough|pass)
        is the (limit|threshold|boundary|bound|cutoff|end|upper limit|lower limit) (inclusive|exclusive|included|itself included|part of it)
        (inclusive or exclusive|strictly greater or at least|greater than or greater or equal|at least or more than|less than or at most)
        (if|when) [the] _arg (is exactly|equals|is equal to|hits) (the limit|the threshold|_num|the maximum) [which side|what then|does it count]
        (strictly|at least|more than|or equal to) _num
        what (if|happens when) _arg equals _arg
        are both ends [of the range] included
        is _num itself (included|allowed|high enough|in the range|already too much)
        does the last day count
        must it be strictly (greater|more|less|smaller|above|below)
        on which side does _num (fall|lie)
    """,
    "vague": """
        (can|could) you (give me|share|provide|tell me) [some|any] (more|further|additional) (details|information|context) [about what you need|about the task|please]
        (can|could) you (elaborate|clarify|explain) [the task|what you need|your request|a bit|further]
        how (should|does|will) (it|the function|this) work
        what (exactly|precisely) do you (want|need|expect) [from the function|me to do]
        please (describe|explain) (the task|the problem|your requirements|what you need) [in more detail]
        what (are|is) your (requirements|requirement|goal|specification)
        what should the function do
        tell me more
        what do you have in mind
        how is (the result|it) (calculated|computed|determined)
        how do you want (this|it) done
    """,
    "more": """
        (is there|do you have) anything else [i should know|you want to add|to consider|that matters]
        what else (should i know|do i need to know|is important|matters)
        (any|are there|do you have any) (other|further|additional|more|special) (requirements|details|constraints|rules|wishes|considerations) [i should know]
        anything (i missed|i forgot|left out|missing|more)
        did i (miss|forget|overlook) (anything|something)
        is that (all|everything)
    """,
    "plan": """
        my plan is to _x and _x [then return _name] (is that right|does that match|sounds good|ok|shall i proceed)
        i (would|will|plan to|am going to|intend to) _x the _name and _x the _name (is that correct|right|agreed|is this what you want|does that look right)
        here is (my plan|what i have|my draft|what i understood|my understanding) _x (does that|is that|is this) (look right|correct|right|what you want|match what you want)
        so to (sum up|summarise|recap) _x (right|correct|is that it|did i get that right)
        (let me|to) (summarise|recap|check my understanding) _x
        does (this|that|my plan|my code|this code|this approach) (look right|match|do what you want|make sense|cover everything)
        am i right (that|in assuming) _x
        so basically _x and then _x right
        is my (understanding|plan|approach|summary) (correct|right|complete)
        (can|shall|may) i (go ahead|proceed|start) (like that|with this|that way)
    """,
    "effect": """
        (does|do|will|should) [the] _arg (matter|play a role|make a difference|influence the result|affect the result|have an effect|have an influence|change anything|count)
        (is|are) [the] _arg (used|needed|relevant|considered|taken into account|ignored) [at all|in the calculation|for the result]
        (does|do) [a|an] [higher|larger|lower|more] _arg (increase|decrease|raise|lower|reduce|improve|help|hurt) [the] _name
        does (having|being|carrying|using|owning) _name (help|make it more likely|raise the score|count|reduce _x)
        what (effect|influence|role|impact) (does|has|do) [the] _arg (have|play) [on the result]
        what is _arg for if _x
        (which|what) of the (inputs|arguments|parameters) (matter|are used|decide|influence the result)
        can i ignore _arg
        how does _arg (matter|influence|affect) [the result]
    """,
    "priority": """
        (which|what) (condition|rule|check|case|test|one) (is checked|is tested|comes|wins|takes precedence|has priority|goes) first
        in (which|what) order (are|should|do) (the conditions|the rules|the checks|the cases|they|i) (be checked|checked|check|tested|applied|evaluated|be applied)
        (if|when) (both|several|two|more than one) (conditions|rules|cases|apply|hold|are true) [apply|hold] which (wins|one counts|is used|comes first|takes priority)
        what (has|takes) (priority|precedence)
        do (the rules|the discounts|the bonuses|the conditions|they) (add up|stack|exclude each other|accumulate|combine)
        can (both|several|more than one) (apply|be given|be added|count) at (once|the same time)
        what if (several|both|two|more than one) _name (match|apply|fit|are true)
        does the first match (win|count)
        only the first one or all of them
        can one _name (belong to|show up under|fall into|have|get) (several|more than one|two|many) _name
    """,
    "meta": """
        (who|which team) (will|is going to|does) (use|maintain|call|read) (this|the function|it)
        (where|from where) (does|do|will|is|are) (the data|_arg|the numbers|the input) (come from|stored|collected|taken from)
        (what|which) (data source|dataset|database|survey|study|source) (do you use|is it|are the numbers from|does it come from)
        (why|for what reason|what is the reason) (do you|is|are|does|would you) _x
        (how large|how big|how long|how many rows) (will|is|are|can|do you expect) (the input|the data|the list|_arg) [be|get|have]
        (should|does|is) (performance|speed|efficiency|memory|runtime|complexity) (matter|a concern|important|be optimised)
        which (python version|version of python) (do you use|should i target|is it for)
        (do you prefer|should i use|would you rather) (a loop|a for loop|recursion|a list comprehension|a class|a helper function|short code) [or (a comprehension|recursion|functions|a one liner)]
        (do|should) you want (docstrings|comments|type hints|tests|logging|unit tests|documentation)
        (what|how) (should|do you want) the (function|variables|file|module) (be called|be named|named|called)
        what will you (do|use it for|use the result for|do with the result)
        (what is|when is) the deadline
        which (country|region|year|city|company|brand|model|organisation|standard|guideline) (is this|are you|do you) (for|in|thinking of|following|referring to)
        are (these|the) (figures|numbers|values|rules) (realistic|real|official|from a law|from real life|up to date|based on a study)
        (is|are) the _arg (measured|collected|taken|estimated|recorded) (before|after|at|by|with|during) _x or (before|after|at|by|with|during) _x
        is _arg the _x or the _x (figure|count|value|reading|version)
        how (often|frequently) will (the function|this|it) be (called|run|used)
        will (this|the code) run (on a server|in production|in parallel|in a notebook)
        how (accurate|reliable|precise) (is|are) the (data|measurements|_arg)
        does (gdpr|privacy|the law|a regulation) apply
        which (language|framework|ide|style guide) do you prefer
        are there (plans|other functions|future versions) (to extend|that use|that will) _x
    """,
    "cap": """
        (is|should|can) the (result|score|value|total|_name) [be] (capped|limited|clamped|exceed _num|go above _num|higher than _num|bounded)
        (is there|do you want) (a cap|an upper limit|a lower limit|a maximum|a ceiling|a floor|a minimum value) (on|for|of) the (result|score|total|_name)
        should it (stop|be cut off|be limited) at (_num|zero|one hundred|the maximum)
        can (it|the result|the total|_name) (exceed|go over|go above|become more than) _num
        never (more|less|above|below) than _num
    """,
    "sign": """
        (can|may|could|should) the (result|output|difference|value|score) (be|become|go) (negative|below zero|less than zero)
        (is|are) (negative|below zero) (results|outputs|differences) (allowed|possible|fine|ok)
        (absolute value|signed difference) or (with a sign|the absolute value)
        should i (return|use) the absolute (value|difference)
        should (it|the result) (stop|be cut) at zero
        does the sign matter
    """,
    "random": """
        (is|should|are) (the outcome|the result|it|the choice|the order|_name) [be] (random|chosen at random|decided by chance|deterministic|always the same|reproducible)
        (random|by chance|with a probability) or (deterministic|fixed|completely determined|always the same)
        should i use a (random seed|seed|random number generator)
        is there (randomness|chance|luck|a dice roll) involved
    """,
    "partial": """
        (must|should|does|do) [the] _name (match exactly|be exactly the same|match the whole word|be equal|match completely)
        (is|are) (a partial match|a substring|part of the word|being part of a longer word|containing it) (enough|sufficient|ok|allowed)
        (exact match|whole word|equal to) or (partial match|substring|contains|part of it|anywhere in the text)
        (anywhere in|at the start of|at the end of|inside) the (text|string|word|sentence)
        should i (search|look) for (the whole word|substrings|exact matches|_name inside _name)
        would _str inside _str (count|match)
        (fuzzy|approximate) matching
    """,
    "combine": """
        (must|do|should|have) (all|both|every one) [of] (the conditions|the criteria|them|these|the requirements) (hold|be met|be fulfilled|apply|be true|to hold) [at once|at the same time|or is one enough]
        (is|are) (one|any|at least one|a single one) of (them|these|the conditions|the criteria) (enough|sufficient)
        (and or or|all or any|both or either|any or all)
        (do|does|must) (both|all) (conditions|criteria|_name) (have to|need to) be (true|met|satisfied)
        is it enough (if|that|when) (one|only one|just one) _x
        (both|all) together or (each|either) (alone|on its own)
        does _x alone (suffice|lead to _x|disqualify|qualify)
    """,
    "pairing": """
        (do|does|are) [the] _arg and [the] _arg (correspond|belong together|match|be paired|paired|aligned) [by position|by index|element by element]
        (how|in which way) (are|do) [the] _arg and [the] _arg (matched|linked|related|connected|paired|belong together)
        (is|are) the (first|i-th) (element|item|entry) of _arg for the (first|i-th) (element|item|entry) of _arg
        (are|must|do) (both|all|the) (lists|arrays|inputs) (be|have|of) the same (length|size|number of elements)
        which _arg belongs to which _name
        are positions counted from (zero|one|0|1)
        (zero based|one based) or (one based|zero based)
        does (counting|numbering|the index|the rank) start at (0|1|zero|one)
        does the same _arg apply to (both|all|every) _name or (are there|is there) (separate|one per) _name
    """,
    "foreign": """
        (should|shall|do|must) i (also|additionally|further) (consider|include|take into account|calculate|handle|add|subtract|account for) _x
        (do|does|should) _x (matter|be considered|be taken into account|be included|play a role|count)
        (is|are) there (also|any|additional|other) _x (involved|to consider|that play a role|to be applied|fees|costs)
        (do you need|would you like|do you want) (a third|an additional|an extra|another|a separate) (_x|category|column|field|value|level)
        (should|does) _x (have|need|get) (a|an|any) _x
        (do|should) i (apply|deduct|include|subtract) [a|any|the] _x (fee|tax|discount|bonus|penalty) [as well]
    """,
}
