"""The small changes of a file's code that a test should notice, and a sample of them."""

import ast
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

PACKAGES = (
    "gateway",
    "searcher/serving",
    "searcher/textbook",
    "arena/statistics",
    "battlesnake_search/common",
)

_LEFT_OUT = ("gateway/store/migrations/", "searcher/textbook/__main__.py")
"""Files that are history, or that only start what others test."""

_SMALL = re.compile(
    "core/(?!Replace(Binary|Comparison|Unary)Operator|VariableInserter|VariableReplacer).*|.*Operator_("
    "Delete_Not|Delete_USub|USub_UAdd|Add_Sub|Sub_Add|Mul_Div|Div_Mul|FloorDiv_Mul|Mod_Mul|Pow_Mul|LShift_RShift|RShift_LShift|"
    "BitOr_BitAnd|BitAnd_BitOr|BitXor_BitOr|"
    "Lt_LtE|Lt_GtE|LtE_Lt|LtE_Gt|Gt_GtE|Gt_LtE|GtE_Gt|GtE_Lt|Eq_NotEq|NotEq_Eq|Is_IsNot|IsNot_Is)"
)
"""The operators that make small changes. Others, such as a shift in place of a sum, any test would notice."""

_IGNORED_ARGUMENTS = {
    "click.option": {"default", "show_default", "show_envvar"},
    "zip": {"strict"},
}
"""Arguments of calls that only change a check or the text of `--help`, and defaults, which are a choice."""

_Place = tuple[int, int]
"""A line, from 1, and a column, from 0."""


@dataclass(frozen=True)
class Mutant:
    """A small change: the operator of Cosmic Ray that makes it, and at which of its places in the file."""

    file: str
    operator: str
    occurrence: int
    place: _Place

    def apply(self, code: str) -> str:
        """Return the changed code."""
        changed: str | None = mutate_code(code, get_operator(self.operator)(), self.occurrence)
        assert changed is not None
        return changed


def files_of(root: Path, package: str) -> list[str]:
    """Return the files of a package whose changes a test should notice."""
    names = sorted(str(path.relative_to(root)) for path in (root / package).rglob("*.py"))
    return [name for name in names if not name.startswith(_LEFT_OUT)]


def mutants_of(file: str, code: str) -> Iterator[Mutant]:
    """Yield the changes of a file, but for those that change no behaviour.

    Such are changes of annotations, of what only type checkers read, of help texts, of whether records may
    be changed or have positional fields, of the check that sequences are equally long, and of tuned
    constants: a number that a module names in capitals is a choice, and others would do.
    """
    parsed = ast.parse(code)
    ignored, operators = list(_ignored(parsed)), list(_operators(parsed))
    tree = get_ast(code)
    for name in filter(_SMALL.fullmatch, operator_names()):
        operator_class = get_operator(name)
        if operator_class.arguments():
            continue
        operator = operator_class()
        places = (start for node in ast_nodes(tree) for start, _ in operator.mutation_positions(node))
        for occurrence, place in enumerate(places):
            # Cosmic Ray takes the stars of arguments for operators, too.
            is_star = "BinaryOperator" in name and not _is_in(place, operators)
            if not is_star and not _is_in(place, ignored):
                yield Mutant(file, name, occurrence, place)


def _is_in(place: _Place, spans: Sequence[tuple[_Place, _Place]]) -> bool:
    return any(first <= place < last for first, last in spans)


def _operators(tree: ast.Module) -> Iterator[tuple[_Place, _Place]]:
    """Yield the begin and the end of what is between two operands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp):
            yield _span(node.left)[1], _span(node.right)[0]


def _ignored(tree: ast.Module) -> Iterator[tuple[_Place, _Place]]:
    """Yield the begin and the end of each part of the code whose changes no test can notice."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
            yield _span(node.annotation)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns:
            yield _span(node.returns)
        elif isinstance(node, ast.ClassDef):
            for part in filter(_makes_records, node.decorator_list):
                # A decorator begins with its @.
                yield (part.lineno, part.col_offset - 1), _span(part)[1]
            yield from (_span(part) for part in node.keywords if part.arg in ("frozen", "kw_only"))
        elif isinstance(node, ast.Call):
            ignored = _IGNORED_ARGUMENTS.get(ast.unparse(node.func), set())
            yield from (_span(part) for part in node.keywords if part.arg in ignored)
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield _span(node)
        elif isinstance(node, ast.ExceptHandler) and isinstance(node.type, ast.Tuple):
            # Cosmic Ray fails at the dots of a name that is one of several.
            yield from (_span(one) for one in node.type.elts if isinstance(one, ast.Attribute))
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and (_is_tuned(statement) or _is_type(statement)):
            yield _span(statement)


def _makes_records(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "dataclass"


def _is_tuned(statement: ast.Assign) -> bool:
    """Return whether a statement gives numbers names in capitals."""
    numbers = ast.Constant | ast.UnaryOp | ast.BinOp | ast.Tuple
    return isinstance(statement.value, numbers) and ast.unparse(statement.targets[0]).isupper()


def _is_type(statement: ast.Assign) -> bool:
    """Return whether a statement names a type."""
    name = ast.unparse(statement.targets[0]).lstrip("_")
    return (
        name[:1].isupper() and not name.isupper() and isinstance(statement.value, ast.Subscript | ast.BinOp)
    )


def _span(node: ast.expr | ast.stmt | ast.keyword) -> tuple[_Place, _Place]:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def draw(mutants: Sequence[Mutant], number: int, seed: int) -> list[Mutant]:
    """Return a random sample with at most one change for each place: some places have a dozen."""
    shuffled = list(mutants)
    random.Random(seed).shuffle(shuffled)
    drawn: dict[tuple[str, _Place], Mutant] = {}
    for mutant in shuffled:
        drawn.setdefault((mutant.file, mutant.place), mutant)
    return list(drawn.values())[:number]
