"""The gRPC contract as Markdown: services, messages and enums, with the comments of their .proto files."""

import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from google.protobuf import descriptor_pb2

from infra.checks.tools import find_tool

_File = descriptor_pb2.FileDescriptorProto
_Message = descriptor_pb2.DescriptorProto
_Field = descriptor_pb2.FieldDescriptorProto

# The numbers of fields of descriptors: the parts of the paths of comments.
_MESSAGES, _ENUMS, _SERVICES, _SYNTAX = 4, 5, 6, 12
_INNER = 2
"""Fields of a message, values of an enum and methods of a service alike."""

_PACKAGE = "battlesnake/"


def contract(root: Path) -> str:
    """Return the pages of all .proto files of the repository, one below the other."""
    buf = find_tool("buf", "the extra docs has it")
    command = [buf, "build", str(root), "--output", "-", "--as-file-descriptor-set"]
    built = subprocess.run(command, capture_output=True, check=True).stdout
    files = descriptor_pb2.FileDescriptorSet.FromString(built).file
    ours = [file for file in files if file.name.startswith(_PACKAGE)]
    # In a descriptor set a file comes before the files that import it.
    return "\n\n".join(block for file in ours for block in _blocks(file))


def _blocks(file: _File) -> Iterator[str]:
    """Yield the paragraphs and tables of a file."""
    comments = _comments(file)
    yield f"## {Path(file.name).name}"
    yield _text(comments.get((_SYNTAX,), ""))
    for place, service in enumerate(file.service):
        yield f"### {service.name}"
        yield _text(comments.get((_SERVICES, place), ""))
        rows = [
            (f"`{each.name}`", _call(each), comments.get((_SERVICES, place, _INNER, number), ""))
            for number, each in enumerate(service.method)
        ]
        yield _table(("rpc", "from and to", "what it does"), rows)
    for place, message in enumerate(file.message_type):
        yield f"### {message.name}"
        yield _text(comments.get((_MESSAGES, place), ""))
        rows = [
            (f"`{each.name}`", _type(message, each), comments.get((_MESSAGES, place, _INNER, number), ""))
            for number, each in enumerate(message.field)
        ]
        yield _table(("field", "type", "meaning"), rows) if rows else "It has no fields."
    for place, enum in enumerate(file.enum_type):
        yield f"### {enum.name}"
        yield _text(comments.get((_ENUMS, place), ""))
        rows = [
            (f"`{each.name}`", str(each.number), comments.get((_ENUMS, place, _INNER, number), ""))
            for number, each in enumerate(enum.value)
        ]
        yield _table(("value", "number", "meaning"), rows)


def _comments(file: _File) -> Mapping[tuple[int, ...], str]:
    """Return the comment above each element, by the element's path."""
    return {tuple(each.path): each.leading_comments for each in file.source_code_info.location}


def _text(comment: str) -> str:
    """Return a comment as paragraphs and lists."""
    lines = "\n".join(line.removeprefix(" ") for line in comment.splitlines())
    return re.sub(r"^(?!- |  )(.+)\n(?=- )", r"\1\n\n", lines, flags=re.MULTILINE).strip()


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table; a comment becomes a single line."""
    cells = [[" ".join(cell.split()).replace("|", r"\|") for cell in row] for row in rows]
    lines = [head, ["---"] * len(head), *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _call(method: descriptor_pb2.MethodDescriptorProto) -> str:
    asked, answered = (
        f"{'a stream of ' if streams else ''}{_link(name)}"
        for name, streams in (
            (method.input_type, method.client_streaming),
            (method.output_type, method.server_streaming),
        )
    )
    return f"{asked} → {answered}"


def _type(message: _Message, field: _Field) -> str:
    """Return a field's type: the type of the elements for a list, the types of keys and values for a map."""
    if field.type in (_Field.TYPE_MESSAGE, _Field.TYPE_ENUM):
        name = field.type_name.rpartition(".")[2]
        entries = [each for each in message.nested_type if each.name == name and each.options.map_entry]
        if entries:
            key, value = (_type(entries[0], each) for each in entries[0].field)
            return f"map of {key} to {value}"
        kind = _link(field.type_name)
    else:
        kind = _Field.Type.Name(field.type).removeprefix("TYPE_").lower()
    return f"list of {kind}" if field.label == _Field.LABEL_REPEATED else kind


def _link(type_name: str) -> str:
    """Return a link to a message or enum of the project, and the name of any other type."""
    package, _, name = type_name.lstrip(".").rpartition(".")
    return f"[{name}](#{name.lower()})" if package.startswith("battlesnake.") else f"`{package}.{name}`"
