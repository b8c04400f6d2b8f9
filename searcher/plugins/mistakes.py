"""Explanations of errors in evaluators, in their authors' words, with the nearest valid names."""

import ast
import builtins
import difflib
import re
import sys
import traceback
from collections.abc import Collection
from importlib import import_module
from pathlib import Path
from types import ModuleType

from searcher.engine.rules.records import SHAPES, WEIGHTS_DTYPE, Shape, board_dtype, game_dtype
from searcher.interface import Evaluator

_IMPORT = "from searcher.toolkit import"
_LOOP = "; docs/evaluators.md#each-cell-of-a-set has a loop that can"
_PLAIN = f"is a plain function; what evaluate calls needs @njit ({_IMPORT} njit)"

_UNDEFINED = re.compile(r"name '(?P<name>\w+)' is not defined")
_NO_TYPE = re.compile(r"Untyped global name '(?P<name>\w+)'")
_NOT_IN_MODULE = (
    re.compile(r"Unknown attribute '(?P<name>\w+)' of type Module\(<module '(?P<module>[\w.]+)'"),
    re.compile(r"module '(?P<module>[\w.]+)' has no attribute '(?P<name>\w+)'"),
)
_WORD_INDEX = re.compile(r"getitem\(nestedarray\(float64, .*Literal\[str\]\((?P<name>.*?)\)")

_RETYPED = re.compile(r"Cannot unify (?P<one>.+?) and (?P<other>.+?) for '(?P<name>\w+)")
_MISCALLED = re.compile(
    r"Cannot bind '.*' to signature '(?P<signature>.*)' due to \"TypeError: (?P<reason>.*?)\""
    r"(?:.*?<function (?P<name>\w+) at)?",
    re.DOTALL,
)
_ITERATED = re.compile(r"Invalid use of getiter with parameters \((?P<type>.*)\)")
_NO_FUNCTION = re.compile(r"Invalid use of (?P<type>.+) with parameters")
_OTHER_LENGTH = re.compile(r"wrong tuple length for .*'expected (?P<names>\d+), got (?P<values>\d+)'")
_NOT_IN_RECORD = re.compile(r"Field '(?P<name>\w+)' was not found in record with fields \('values',\)")
_NONE = (
    "a value is None on a path, as after x = None or a function that returns nothing; "
    "give it a number on each path, or first test x is None"
)
_UNSUPPORTED = {
    "use of yield in a closure": "a generator, such as f(x) for x in y, can't be compiled; write a loop",
    "(IMPORT_NAME)": "a function can't import; write the import at the top of the file",
    "(STORE_GLOBAL)": "compiled code can't change a global variable",
    "format spec in f-strings": "compiled code can't format numbers",
    "(context manager)": "compiled code can't use with",
    "exception_match": "compiled code can't tell exceptions apart, and a division by 0 raises none",
    ", got None": _NONE,
    "'NoneType' object has no attribute 'args'": _NONE,
    "unsupported opcode (MATCH_": "compiled code can't match sequences, mappings or classes; write if",
    "(LOAD_BUILD_CLASS)": "a function can't define a class; compiled code can't use classes",
    "(UNPACK_EX)": "compiled code can't use * among names; give a name to each value",
    "Exception object cannot be stored": "compiled code can't name an exception; write except Exception:",
    "have imprecise type": "the type of an empty list or dict is unknown; begin with an item, as in [0.0]",
    "'literal_value'": "the name of a field must be a text in the call, as in cells.load(board, 'food')",
    "'Integer' object has no attribute 'offset'": "a call has an integer in place of game or board",
    "cannot be determined": "the type of a value is unknown; assign it on a line of its own, without :=",
    "Can't unify return type": "a function returns values of different types on its paths",
    "runaway recursion": "a function calls itself on each of its paths; "
    "end one without a call, or write a loop",
    "*args in function call should": "* in a call needs a tuple; write a loop over the array",
    "Cannot capture the non-constant": "a lambda can't use the variables of its function; write a loop",
}
"""Parts of the compiler's errors, and the reasons in words."""
_NOT_UNPACKED = re.compile(r"failed to unpack (?P<type>.+)")
_NO_ATTRIBUTE = re.compile(r"Unknown attribute '(?P<name>\w+)' of type (?P<type>.+)")
_NO_OPERATION = re.compile(
    r"No implementation of function Function\(.*?>>> (?P<name>\w+)\((?P<types>.*?)\)\s*\n", re.DOTALL
)
_ARGUMENT = re.compile(r"[^,(]+(?:\((?:[^()]|\([^()]*\))*\))?(?=,|$)")

_OPERATORS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "and_": "&",
    "or_": "|",
    "xor": "^",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "eq": "==",
    "ne": "!=",
    "getitem": "[]",
    "contains": "in",
    "bool": "a test for truth",
}

_KINDS = (
    (re.compile(r"u?int\d|Literal\[int\]"), "an integer"),
    (re.compile(r"float\d"), "a float"),
    (re.compile(r"complex\d"), "a complex number"),
    (re.compile(r"Literal\[str\]|unicode"), "a text"),
    (re.compile(r"([Nn]ested)?[Aa]rray"), "an array"),
    (re.compile(r"Cells"), "a set of cells"),
    (re.compile(r"DictType"), "a dict"),
    (re.compile(r"(reflected )?list|ListType"), "a list"),
    (re.compile(r"(reflected )?set"), "a set"),
    (re.compile(r"bool|Literal\[bool\]"), "a truth value"),
    (re.compile(r"(Uni)?Tuple"), "a tuple"),
    (re.compile(r"[Rr]ecord"), "a record"),
    (re.compile(r"none"), "None"),
    (re.compile(r"Function|type\(CPUDispatcher"), "a function"),
)
"""Types of the compiler, and the words for them."""

_MOST_NAMES = 3
"""Names that are suggested in place of a wrong one."""

_LIKENESS = 0.7
"""The least likeness of a suggested name, from 0 to 1."""


def explanation(evaluator: Evaluator, error: BaseException) -> str:
    """Return the reason of an evaluator's error in the words of its author, or an empty string."""
    text = str(error)
    if isinstance(error, KeyError) and (record := _record_in(error)):
        return _unknown_field(evaluator, record, str(error.args[0]))
    if found := _UNDEFINED.search(text):
        return _undefined(evaluator, found["name"])
    if found := _WORD_INDEX.search(text):
        return f"weights.values[{found['name']!r}] needs an index, not a name{_indices(evaluator)}"
    if found := next(filter(None, (each.search(text) for each in _NOT_IN_MODULE)), None):
        return _not_in_module(found["module"], found["name"])
    if found := _NOT_IN_RECORD.search(text):
        return _unknown_field(evaluator, "weights", found["name"])
    if found := _NO_TYPE.search(text):
        return _untyped(evaluator, found["name"], text)
    if reason := next((words for part, words in _UNSUPPORTED.items() if part in text), ""):
        return reason
    return _in_types(text)


def _untyped(evaluator: Evaluator, name: str, text: str) -> str:
    if hasattr(builtins, name):
        return f"compiled code can't call {name}"
    if name == evaluator.evaluate.__name__:
        return f"{name} can't call itself; move what repeats into a function with @njit ({_IMPORT} njit)"
    if "<class 'type'>" in text:
        return f"{name} is a class, and compiled code can't use classes"
    return f"{name} {_PLAIN}" if "<class 'function'>" in text else ""


def _in_types(text: str) -> str:
    """Return the reason of an error of types without the compiler's names of types, or an empty string."""
    if found := _RETYPED.search(text):
        return f"{found['name']} is {kind_of(found['one'])} here and {kind_of(found['other'])} there"
    if found := _MISCALLED.search(text):
        signature = found["signature"].replace(": Any", "").replace("typing.Any", "Cells")
        return f"a call does not fit {found['name'] or 'the function'}{signature}: {found['reason']}"
    if found := _ITERATED.search(text):
        return f"a for loop can't visit {kind_of(found['type'])}{_LOOP if 'Cells' in found['type'] else ''}"
    if found := _NO_FUNCTION.search(text):
        return f"{kind_of(found['type'])} is not a function"
    if found := _OTHER_LENGTH.search(text):
        return f"{found['values']} values can't be unpacked into {found['names']} names"
    if found := _NOT_UNPACKED.search(text):
        return f"{kind_of(found['type'])} can't be unpacked into these names"
    if found := _NO_ATTRIBUTE.search(text):
        return f"{kind_of(found['type'])} has no {found['name']!r}"
    if found := _NO_OPERATION.search(text):
        kinds = [kind_of(each.strip()) for each in _ARGUMENT.findall(found["types"])]
        return f"{_OPERATORS.get(found['name'], found['name'])} can't be used with {' and '.join(kinds)}"
    return ""


def kind_of(type_: str) -> str:
    """Return the words for a type of the compiler, or its own name."""
    return next((words for pattern, words in _KINDS if pattern.match(type_)), type_)


def import_explanation(error: BaseException) -> str:
    """Return the reason of a module's failed import or undefined name, or an empty string."""
    if isinstance(error, ValueError) and "values to unpack" in str(error):
        return f"the line has more or fewer names than values: {error}"
    if isinstance(error, TypeError) and str(error).startswith("Weight.__init__()"):
        return "a weight has five parts: Weight(name, default, minimum, maximum, description)"
    if isinstance(error, NameError) and (hint := _toolkit_import(error.name or "")):
        return f"name {error.name!r} is not defined{hint}"
    found = re.fullmatch(r"cannot import name '(\w+)' from '([\w.]+)'.*", str(error))
    if not isinstance(error, ImportError) or not found or found[2] not in sys.modules:
        return ""
    return f"{found[2]} has no {found[1]!r}{nearest(found[1], public_names(sys.modules[found[2]]))}"


def public_names(module: ModuleType) -> Collection[str]:
    """Return the names that a module offers."""
    return getattr(module, "__all__", None) or [name for name in dir(module) if not name.startswith("_")]


def _record_in(error: BaseException) -> str:
    """Return the name of the parameter whose record lacks the key of an error, or an empty string."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        fields = getattr(frame.f_locals.get("self"), "fields", None)
        if isinstance(fields, dict):
            names = set(fields)
            return next((record for record, valid in _FIELDS.items() if names == set(valid)), "")
    return ""


_FIELDS = {
    name: tuple(dtype.names or ())
    for name, dtype in (
        ("game", game_dtype(SHAPES[0])),
        ("board", board_dtype(SHAPES[0])),
        ("weights", WEIGHTS_DTYPE),
    )
}
"""The fields of the records that an evaluator gets, by the names of its parameters."""


_SEATS = Shape(SHAPES[0].stride, SHAPES[0].rows, SHAPES[0].words + 1)
"""A shape in which no field by snake looks like a set of cells."""

_SETS = {
    record: frozenset(
        field
        for field, (kind, *_) in (dtype.fields or {}).items()
        if kind.base == "uint64" and kind.shape == (_SEATS.words,)
    )
    for record, dtype in (("game", game_dtype(_SEATS)), ("board", board_dtype(_SEATS)))
}
"""The fields of the records that store sets of cells."""


def misused_set(file: str) -> tuple[int, str] | None:
    """Return the first line of a file that uses the words of a stored set as a set, and the remedy.

    Such code compiles, but it sees machine words in place of cells. `has` takes the words, and an index
    names one of them. Return None without such a line, and for a file that can't be parsed.
    """
    try:
        tree = ast.parse(Path(file).read_text())
    except (OSError, SyntaxError, ValueError):
        return None
    right = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript):
            right.add(node.value)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "has":
            right.update(node.args)
    found = [
        (node.lineno, f'{node.value.id}.{node.attr} is no set: cells.load({node.value.id}, "{node.attr}") is')
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.attr in _SETS.get(node.value.id, ())
        and node not in right
    ]
    return min(found, default=None)


def _unknown_field(evaluator: Evaluator, record: str, name: str) -> str:
    if record == "weights":
        return f"weights has only the field values, not {name!r}{_indices(evaluator)}"
    others = [other for other, fields in _FIELDS.items() if name in fields]
    all_fields = f"; valid: {', '.join(_FIELDS[record])}"
    where = f"; {others[0]}.{name} is a field" if others else nearest(name, _FIELDS[record]) or all_fields
    return f"{record} has no field {name!r}{where}"


def _indices(evaluator: Evaluator) -> str:
    """Return how to write the evaluator's weights."""
    valid = [f"weights.values[{index}] for {each.name}" for index, each in enumerate(evaluator.weights)]
    return f"; valid: {', '.join(valid) or 'none, because WEIGHTS is empty'}"


def _undefined(evaluator: Evaluator, name: str) -> str:
    code = evaluator.evaluate
    known = [*code.__globals__, *code.__code__.co_varnames]
    hint = _toolkit_import(name) or nearest(name, [each for each in known if not each.startswith("_")])
    indices = (index for index, weight in enumerate(evaluator.weights) if weight.name == name.lower())
    if not hint and (index := next(indices, None)) is not None:
        hint = f"; define the index of its weight: {name} = {index}"
    return f"name {name!r} is not defined{hint}"


def _toolkit_import(name: str) -> str:
    # The toolkit compiles code, and only mistakes need it here.
    names = public_names(import_module("searcher.toolkit"))
    return f"; {_IMPORT} {name}" if name in names else ""


def _not_in_module(module_name: str, name: str) -> str:
    module = sys.modules.get(module_name)
    if module is None:
        return ""
    if not hasattr(module, name):
        return f"{module_name} has no {name!r}{nearest(name, public_names(module))}"
    if module_name in sys.stdlib_module_names:
        return f"compiled code can't call {module_name}.{name}"
    return f"{module_name}.{name} {_PLAIN}"


def nearest(name: str, valid: Collection[str]) -> str:
    """Return the text with the valid names that are nearest to a wrong name, empty if none is near."""
    # Of names that differ in case alone, the one in the case of the wrong name is last, and kept.
    by_case = {
        each.lower(): each for each in sorted(valid, key=lambda each: each.isupper() == name.isupper())
    }
    close = [
        by_case[each] for each in difflib.get_close_matches(name.lower(), by_case, _MOST_NAMES, _LIKENESS)
    ]
    return f"; nearest: {', '.join(close)}" if close else ""
