"""Documents are true where a machine can tell: links, commands, options, names, settings, lists."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages.pofile import read_po
from django.apps import apps
from django.core.management import get_commands, load_command_class

from config import limits
from deploy.drills.formats import ring_runs, runs
from tests.simulation.defects.bugs import BUGS
from tests.style.sources import HOME, files, modules, name

PLACEHOLDERS = {"X"}
ABSENT = {"BUILD_TLS", "server_reset_query", "tables_hand_202612", "DATA_CARD.md"}
"""Names of other programs, and of what the room makes."""

INTERNAL = {"CELERY_SKIP_CHECKS", "DJANGO_SETTINGS_MODULE", "LC_ALL", "PATH"}
"""Names of the environment that no operator sets."""

_READERS = re.compile(
    r"(environment\.|outside\.)?"
    r"(text|number|flag|one_of|words|minutes_or_never|room_path|networks_of)"
)
_HISTORY = ("CHANGELOG.md", "docs/decisions/")
"""Documents that tell of former names too."""

_RUNS = {"play": "cluster"}
"""Target of make -> command whose options it takes, where its recipe names none."""

LABELLED = ("admin", "clubs", "ring", "streaming", "notifications", "webhooks", "seasons")
"""Pages whose words in italics are those of buttons, fields and pages of the room."""

NO_LABELS = {
    *("save as new", "staff status", "group", "answered at: empty"),  # of Django
    *("browser", "custom css", "interact", "refresh browser when scene becomes active"),  # of OBS
    *("refresh cache of current page", "shutdown source when not visible", "sources", "+"),
    *("discord", "slack", "telegram", "json", "commentators"),
    *("ban", "warn", "rapid pools"),  # parts of labels with a name, or of a field with more words
}

_ITALICS = re.compile(r"(?<![\w*])\*(?!\*)([^*|]+?)\*(?![\w*])")

_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def test_links_lead_to_files_and_headings() -> None:
    dead = [
        f"{name(page)}: {link}"
        for page, text in documents().items()
        for link in re.findall(r"\]\(([^)\s]+)\)", _without_blocks(text))
        if not re.match(r"[a-z]+:", link) and not _resolves(page, link)
    ]
    assert dead == []


def test_commands_have_the_options_that_are_named() -> None:
    wrong = []
    for page, text in documents().items():
        for command, rest in re.findall(r"manage\.py (\w+)([^`\n|#]*)", text):
            known = options(command)
            wrong += [
                f"{name(page)}: {command} {option}"
                for option in _OPTION.findall(rest)
                if option not in known
            ]
            if not known and command not in PLACEHOLDERS:
                wrong.append(f"{name(page)}: no command {command}")
    assert wrong == []


def test_targets_of_make_exist_and_take_the_arguments_that_are_named() -> None:
    makefile = (HOME / "Makefile").read_text()
    recipes = dict(re.findall(r"^([a-z][a-z-]*):[^\n]*\n((?:\t[^\n]*\n)+)", makefile, re.MULTILINE))
    wrong = []
    for page, text in documents().items():
        for target, arguments in re.findall(
            r"(?:`|^    |sudo )make ([a-z-]+)(?:[^`\n]*?ARGS=\"([^\"]*))?", text, re.MULTILINE
        ):
            commands = re.findall(r"manage\.py (\w+)", recipes.get(target, ""))
            known = set().union(*map(options, [*commands, _RUNS.get(target, "")]))
            if target not in recipes:
                wrong.append(f"{name(page)}: no target {target}")
            wrong += [
                f"{name(page)}: make {target} {option}"
                for option in _OPTION.findall(arguments)
                if known and option not in known
            ]
    assert wrong == []


def test_tables_of_options_are_whole() -> None:
    listed = {
        "cluster": ("operations", "One machine, one command"),
        "chaos": ("drills", "Chaos"),
        "formats": ("drills", "Every format"),
        "load": ("capacity", "The load command"),
        "attack": ("drills", "Attacks"),
    }
    for command, (document, heading) in listed.items():
        page = (HOME / "docs" / f"{document}.md").read_text()
        section = re.split(r"\n#+ ", page.split(f"# {heading}\n")[1])[0]
        rows = re.findall(r"^\| (`--.+?) \|", section, re.MULTILINE)
        named = {option for row in rows for option in _OPTION.findall(row)}
        own = options(command) - options("check") - {"--players"}
        assert named - {"--players"} == own, command


def test_modules_that_are_run_exist() -> None:
    run = {
        module
        for page, text in documents().items()
        if not name(page).startswith(_HISTORY)
        for module in re.findall(r"python -m ([\w.]+)", text)
    }
    paths = {module: HOME / module.replace(".", "/") for module in run - PLACEHOLDERS - {"pytest"}}
    missing = [
        module
        for module, path in paths.items()
        if not path.with_suffix(".py").is_file() and not (path / "__main__.py").is_file()
    ]
    assert missing == []


def test_paths_tests_and_names_in_code_exist() -> None:
    """Names are compared without case, for values of enumerations are told in small letters."""
    words = _words_of_code()
    ends = [f"/{name(path)}" for path in files(*_kinds())]
    wrong = []
    for page, text in documents().items():
        if name(page).startswith(_HISTORY):
            continue
        for quoted in re.findall(r"`([^`\n]+)`", _without_blocks(text)):
            path, _, test = quoted.partition("::")
            if (
                re.fullmatch(r"\w[\w/.-]*\.(py|js|lua|md|css|html|toml|sh)", path)
                and path not in ABSENT
                and not any(end.endswith(f"/{path}") for end in ends)
            ):
                wrong.append(f"{name(page)}: {path}")
            spelled = test or quoted
            if (
                re.fullmatch(r"[A-Za-z]\w*_\w+", spelled)
                and spelled.lower().removesuffix("_total") not in words
                and spelled not in ABSENT
            ):
                wrong.append(f"{name(page)}: {spelled}")
    assert wrong == []


def test_settings_of_the_environment_are_explained_and_exist() -> None:
    page = (HOME / "docs" / "servers.md").read_text()
    read = set(settings_read())
    assert len(read) > 70
    assert {variable for variable in read if f"`{variable}`" not in page} == INTERNAL & read
    table = page.split("\n## ")[0]
    firsts = re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE)
    listed = {variable for cell in firsts for variable in re.findall(r"`([A-Z]\w+)`", cell)}
    assert {variable for variable in listed if variable.lower() not in _words_of_code()} == set()
    assert len(listed) > 70


def test_defaults_of_settings_are_those_of_the_code() -> None:
    page = (HOME / "docs" / "servers.md").read_text()
    told = dict(re.findall(r"^\| `(\w+)` \| ([^|]*) \|", page, re.MULTILINE))
    checked = 0
    for node in ast.walk(ast.parse((HOME / "config/settings.py").read_text())):
        if isinstance(node, ast.Call) and re.fullmatch(
            r"environment\.(number|flag|minutes_or_never)", ast.unparse(node.func)
        ):
            setting, default = map(ast.unparse, node.args[:2])
            value = _value(default)
            if value is not None:
                cell = told[setting.strip("'")].replace(",", "").strip("`")
                others = {("1 MiB", 2**20), ("none", 0)}  # "none": only where it is not empty
                assert re.match(rf"{value}\b", cell) or (cell, value) in others, setting
                checked += 1
    assert checked > 25


def test_every_stream_has_a_row_with_its_followers() -> None:
    page = (HOME / "docs/protocol.md").read_text()
    sections = page.split("\n## Events and snapshots\n")[1]
    streams = re.findall(r"^### `(\w+:<number>)`$", sections, re.MULTILINE)
    assert len(streams) > 8
    table = page.split("\n## Streams, ids and epochs\n\n")[1].split("\n\n")[0]
    told = {
        one for row in table.splitlines() for one in re.findall(r"`([^`]+)`", row.split("|")[1])
    }
    assert set(streams) - told == set()


def test_signatures_of_the_engine_are_those_of_its_functions() -> None:
    section = (HOME / "docs/tournaments.md").read_text().split("\n## Signatures\n")[1]
    told = re.findall(r"^    (\w+)\.(\w+)\((.*?)\) -> ", section.split("\n## ")[0], re.MULTILINE)
    assert len(told) > 10
    for module, function, parameters in told:
        tree = ast.parse((HOME / f"tournaments/engine/{module}.py").read_text())
        (found,) = (
            node.args
            for node in tree.body
            if isinstance(node, ast.FunctionDef) and node.name == function
        )
        alone = ["*", *(one.arg for one in found.kwonlyargs)] if found.kwonlyargs else []
        named = [one.split("=")[0].strip() for one in parameters.replace("=()", "").split(",")]
        assert named == [*(one.arg for one in found.args), *alone], function


def test_planted_defects_and_format_runs_are_listed() -> None:
    simulation = (HOME / "docs" / "simulation.md").read_text()
    section = simulation.split("## Planted defects\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| \d+ \|", section, re.MULTILINE)
    assert Counter(rows) == Counter(bug.name for bug in BUGS)
    tournaments = (HOME / "docs" / "tournaments.md").read_text()
    section = tournaments.split("## Every format through a whole room\n")[1]
    cells = re.findall(r"^\| (`[^|]+) \|", section, re.MULTILINE)
    named = [run for cell in cells for run in re.findall(r"`(\w+)`", cell)]
    assert Counter(named) == Counter(_run_names())


def test_words_in_italics_are_those_of_buttons_and_fields() -> None:
    labels = set(_labels())
    assert len(labels) > 3_000
    wrong = [
        f"{page}: {words}"
        for page in LABELLED
        for words in _italics((HOME / "docs" / f"{page}.md").read_text())
        if words.lower() not in labels | NO_LABELS
    ]
    assert wrong == []
    assert list(_italics("*No button*, `*code*`, **bold**.\n\n    *a block*\n")) == ["No button"]


def test_permissions_that_the_room_asks_for_are_explained_and_exist() -> None:
    known = set(_permissions())
    named = set(re.findall(r"`(\w+\.\w+)`", (HOME / "docs/admin.md").read_text()))
    asked = known & set(_literals())
    assert len(asked) > 20
    assert asked - named == set()
    apps_of_room = {app.label for app in apps.get_app_configs()}
    assert {one for one in named if one.split(".")[0] in apps_of_room} - known == set()


@cache
def documents() -> dict[Path, str]:
    """Return the text of each page; the prose of the protocol is read where it is written."""
    pages = [path for path in files(".md") if path.parent.name != "management"]
    return {path: path.read_text() for path in pages}


@cache
def options(command: str) -> frozenset[str]:
    """Return the options of a command of `manage.py`; empty without the command."""
    app = get_commands().get(command)
    if app is None:
        return frozenset()
    parser = load_command_class(app, command).create_parser("manage.py", command)
    return frozenset(parser._option_string_actions)


def settings_read() -> Iterator[str]:
    """Yield the names of the environment that the apps read by a literal."""
    for path in modules():
        if path.relative_to(HOME).parts[0] in {"tests", "client"}:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            arguments: list[ast.expr] = []
            if isinstance(node, ast.Call) and (
                ast.unparse(node.func) in {"os.environ.get", "os.environ.pop", "os.getenv"}
                or (
                    _READERS.fullmatch(ast.unparse(node.func))
                    and ("." in ast.unparse(node.func) or path.stem == "environment")
                )
            ):
                arguments = node.args[:1]
            elif isinstance(node, ast.Subscript) and ast.unparse(node.value) == "os.environ":
                arguments = [node.slice]
            for argument in arguments:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value


def headings(text: str) -> set[str]:
    """Return the anchors of a page as GitHub makes them."""
    anchors: Counter[str] = Counter()
    found = set()
    for heading in re.findall(r"^#{1,6} (.+)$", _without_blocks(text), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-")
        found.add(f"{anchor}-{anchors[anchor]}" if anchors[anchor] else anchor)
        anchors[anchor] += 1
    return found


def _resolves(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.exists():
        return False
    return not anchor or target.suffix != ".md" or anchor in headings(target.read_text())


def _without_blocks(text: str) -> str:
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def _kinds() -> tuple[str, ...]:
    return (
        ".py",
        ".js",
        ".lua",
        ".md",
        ".css",
        ".html",
        ".toml",
        ".sh",
        ".ts",
        ".yaml",
        ".json",
        "",
    )


@cache
def _words_of_code() -> frozenset[str]:
    """Return every word of code, templates and settings, and of paths, in small letters."""
    sources = [
        path
        for path in files(*_kinds(), ".example", ".service")
        if path.suffix != ".md" and path.parent.name != "docs" and path != Path(__file__)
    ]
    words = {
        word.lower()
        for path in sources
        for text in (path.read_text(errors="ignore"), name(path))
        for word in re.findall(r"\w+", text)
    }
    return frozenset(words.union(_run_names()))


def _run_names() -> list[str]:
    return [*(run.name for run in runs.RUNS), *(run.name for run in ring_runs.RUNS)]


def _value(default: str) -> int | None:
    """Return the default of a setting as it is written, None for one that depends on others."""
    if re.fullmatch(r"limits\.\w+", default):
        return int(getattr(limits, default.removeprefix("limits.")))
    return int(ast.literal_eval(default)) if re.fullmatch(r"\d+|True|False", default) else None


def _labels() -> Iterator[str]:
    """Yield the texts that the room translates, in small letters and without their last signs."""
    for path in (HOME / "locale/de/LC_MESSAGES").glob("*.po"):
        with path.open("rb") as file:
            for message in read_po(file):
                forms = [message.id] if isinstance(message.id, str) else message.id
                yield from (form.rstrip(" .:,…?!").lower() for form in forms)


def _italics(text: str) -> Iterator[str]:
    text = re.sub(r"^    .*?$|`[^`]*`", "", _without_blocks(text), flags=re.MULTILINE | re.DOTALL)
    for words in _ITALICS.findall(re.sub(r"\s+", " ", text)):
        yield words.rstrip(" .:,…?!")


def _permissions() -> Iterator[str]:
    for model in apps.get_models():
        meta = model._meta
        codes = [f"{verb}_{meta.model_name}" for verb in meta.default_permissions]
        codes += [code for code, _ in meta.permissions]
        yield from (f"{meta.app_label}.{code}" for code in codes)


def _literals() -> Iterator[str]:
    """Yield the texts between quotes in the code of the apps."""
    for path in modules():
        if name(path).startswith(("accounts/", "config/", "tables/", "tournaments/")):
            yield from re.findall(r"[\"']([\w.]+)[\"']", path.read_text())
