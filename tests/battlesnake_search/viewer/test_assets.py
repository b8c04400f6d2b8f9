"""The viewer's files as text."""

import re

from battlesnake_search import viewer

MODULES = sorted(path.name for path in viewer.FOLDER.glob("*.js"))


def test_the_script_has_every_module_without_imports() -> None:
    """The script has all modules, each after its imported modules, and no import or export is left."""
    script = viewer.script()
    first_lines = {
        name: (viewer.FOLDER / name).read_text(encoding="utf-8").splitlines()[0] for name in MODULES
    }
    places = {name: script.index(line) for name, line in first_lines.items()}
    for name in MODULES:
        for needed in re.findall(r'from "\./(.*)";', (viewer.FOLDER / name).read_text(encoding="utf-8")):
            assert places[needed] < places[name]
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)


def test_no_two_modules_share_a_name() -> None:
    """Each name at the top of a module is unique, since the report has them all in one script."""
    names = re.findall(r"^(?:async )?(?:const|let|class|function) (\w+)", viewer.script(), re.MULTILINE)
    assert len(names) > 50
    assert sorted(names) == sorted(set(names))


def test_files_stay_short() -> None:
    """A file of the viewer stays short enough to be read at a sitting."""
    lengths = {path.name: len(path.read_text().splitlines()) for path in viewer.FOLDER.iterdir()}
    assert {name: length for name, length in lengths.items() if length > 300} == {}
