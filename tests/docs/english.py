"""Rules for the English of the pages: a noun is the subject, and a sentence states one fact.

"Plain English" in CONTRIBUTING.md has the rules in words.
"""

import re
from collections.abc import Iterator

LONGEST = 30
"""The most words of a sentence; a piece of code is one word."""

RULES = {
    r"(What|Who|Whoever|Whatever|Whichever|None|Nobody|Somebody|Anybody)\b(?!.*\?$)": "a noun as the subject",
    r".*\b(that|those) of\b": "the noun again",
    r".*, (\w+ )?which\b": "a new sentence",
    r".*; ": "a new sentence",
}
"""The patterns of faults, from the beginning of a sentence, and the remedies."""

_PARTS = re.compile(r"\n\s*\n|\n\s*(?=(?:[-*]|\d+\.) )")
_MARKERS = re.compile(r"^([-*]|\d+\.) ")
_ENDS = re.compile(r"(?:(?<=[.!?])[\"*_)]*|·) (?=[\"_(]*[A-Z0-9§\[*])")
_WORDS = re.compile(r"\w[\w'.,:/-]*|§")


def faults(text: str) -> Iterator[str]:
    """Yield the faults of a page without code, tables and headings, each with its remedy and the sentence."""
    for sentence in _sentences(text):
        yield from (f"{RULES[rule]}: {sentence}" for rule in RULES if re.match(rule, sentence))
        if len(_WORDS.findall(sentence)) > LONGEST:
            yield f"at most {LONGEST} words: {sentence}"


def _sentences(text: str) -> Iterator[str]:
    for part in _PARTS.split(text):
        yield from filter(None, _ENDS.split(_MARKERS.sub("", " ".join(part.split()))))
