"""The project's pages: every link leads somewhere, every command in them has options that exist, and private words are gone."""

import ast
import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    page for page in ROOT.rglob("*.md")
    if not any(part.startswith(".") for part in page.relative_to(ROOT).parts))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def name(page):
    return str(page.relative_to(ROOT))


def anchors(page):
    """The anchors of a page's headings, as GitHub makes them."""
    text = FENCE.sub("", page.read_text())
    found = set()
    for title in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        title = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title)
        slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        found.add(slug if slug not in found else f"{slug}-1")
    return found


def links(page):
    text = FENCE.sub("", page.read_text())
    text = re.sub(r"`[^`\n]*`", lambda code: "" if "](" in code.group() else code.group(), text)
    return re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'<img src="([^"]+)"', text)


def test_there_are_pages():
    assert ROOT / "README.md" in PAGES and len(PAGES) > 25
    assert len((ROOT / "README.md").read_text().splitlines()) <= 220


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_leads_somewhere(page):
    broken = []
    for link in links(page):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or not target.is_relative_to(ROOT):
            broken.append(link)
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            broken.append(link)
    assert not broken


def test_the_guides_index_has_every_page():
    guide = ROOT / "Schemas" / "guide"
    listed = {link for link in links(guide / "README.md") if "/" not in link}
    assert listed == {page.name for page in guide.glob("*.md")} - {"README.md"}


def code_lines(page):
    """The lines of a page that may be commands: of blocks, of sessions after their prompt, and code between backquotes."""
    text = page.read_text()
    for language, block in FENCE.findall(text):
        lines = block.replace("\\\n", " ").splitlines()
        if language == "console":
            yield from (line[2:] for line in lines if line.startswith("$ "))
        elif language == "":
            yield from lines
    yield from re.findall(r"`(veery [^`]*)`", FENCE.sub("", text))


def commands(page):
    """The command lines of veery in a page, as words."""
    for line in code_lines(page):
        try:
            words = shlex.split(line, comments=True)
        except ValueError:
            continue
        start = 0
        for end in [*(i for i, word in enumerate(words) if word == "|"), len(words)]:
            if words[start:start + 1] == ["veery"] and re.fullmatch("[a-z]+", "".join(words[start + 1:start + 2])):
                yield words[start + 1:end]
            start = end + 1


@pytest.fixture(scope="module")
def options(veery):
    known = {}

    def of(command):
        if command not in known:
            text = veery(command, "--help").stdout
            known[command] = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", text))
        return known[command]

    return of


@pytest.mark.parametrize("page", [page for page in PAGES if any(commands(page))], ids=name)
def test_every_command_has_options_that_exist(page, options):
    unknown = []
    for words in commands(page):
        for word in words[1:]:
            option = word.partition("=")[0]
            if re.match(r"--?[a-z]", option) and option not in options(words[0]):
                unknown.append(f"{words[0]} {option}")
    assert not unknown


GUIDE = [ROOT / "README.md", *sorted((ROOT / "Schemas" / "guide").glob("*.md"))]
OTHERS = {"--snip-edges", "--package-path", "--disable-default-traits", "--sr", "--workers"}  # Kaldi's, Swift's, librosa's
OTHERS |= {"--subtract-mean", "--norm-vars", "--left-context", "--right-context", "--allow-downsample", "--allow-upsample"}  # Kaldi's
OTHERS |= {"--licences", "--version"}  # of no command; test_licences.py
OTHERS |= {"--array", "--cpus-per-task", "--mem", "--requeue", "--time", "--wrap"}  # Slurm's
OTHERS |= {"--cflags", "--libs", "--variable"}  # of pkg-config


@pytest.mark.parametrize("page", GUIDE, ids=name)
def test_every_option_in_the_text_exists(page, options):
    known = set.union(*(options(command) for command in
        ("extract", "inspect", "list", "render", "browse", "live", "filter", "decode", "crawl", "clips", "split", "check", "export", "presets",
         "conform"))) | OTHERS
    text = FENCE.sub("", page.read_text())
    named = {option for code in re.findall(r"`([^`]*)`", text) for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", code)}
    assert not named - known


def test_the_readme_has_the_five_commands_of_a_first_session():
    first = [words[0] for words in commands(ROOT / "README.md")][:5]
    assert first == ["crawl", "check", "extract", "inspect", "render"]


def test_the_types_that_the_sources_page_names_exist():
    sources = "".join(path.read_text() for path in (ROOT / "Sources").rglob("*.swift"))
    declared = set(re.findall(r"\b(?:struct|class|enum|actor|protocol|typealias) (\w+)", sources))
    modules = {path.name for path in (ROOT / "Sources").iterdir()}
    named = re.findall(r"`([A-Z]\w+)(?:\.\w+)?`", (ROOT / "Sources" / "README.md").read_text())
    assert len(named) > 20 and not set(named) - declared - modules


def test_every_test_that_asks_for_the_collection_uses_it():
    """One that does not would be skipped for nothing where there is no collection."""
    asks = {"collection", "collection_if_any"}
    found, unused = 0, []
    for path in sorted((ROOT / "Tests/Python").glob("test_*.py")):
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef) and (own := asks & {argument.arg for argument in function.args.args}):
                used = {node.id for statement in function.body for node in ast.walk(statement) if isinstance(node, ast.Name)}
                found, unused = found + 1, unused + [f"{path.name}: {function.name}"] * (not own <= used)
    for path in sorted((ROOT / "Tests").rglob("*Tests.swift")):
        before, *parts = re.split(r"(@(?:Test|Suite)\b)", path.read_text())
        for kind, part in zip(parts[::2], parts[1::2]):
            if ".needsCollection" in part:
                found += 1
                if "Fixtures.collection()" not in (path.read_text() if kind == "@Suite" else part):
                    unused.append(f"{path.name}: {part[:80]}")
    assert found > 20 and not unused


def test_one_file_of_each_language_knows_the_path_of_the_collection_of_recordings():
    """A test that looks for it by itself could not be run with and without it."""
    tests = [path for kind in ("*.py", "*.swift") for path in (ROOT / "Tests").rglob(kind)]
    found = {path.name for path in tests
             if path.parent.name not in ("Fixtures", "Torture") and re.search(r"shared[\"']? ?/ ?[\"']?data", path.read_text())}
    # The last two run no test of the collection: one makes a folder of that name, the other takes samples of formats along.
    assert found == {"conftest.py", "Fixtures.swift", "test_makefile.py", "minimal_root.py"}


# Words of a time when each had a private sense here. Each is followed by the usual one.
FORBIDDEN = {"sh" "op": "fixture", "Is " "told": "a noun phrase", "in a " "circle": "cycle", "making " "room": "out of memory"}


def test_private_words_are_gone():
    texts = [ROOT / "CONTRIBUTING.md", ROOT / "README.md", ROOT / "Makefile"]
    for folder in ("Sources", "Tests", "Schemas", "examples", ".ci"):
        texts += [path for path in (ROOT / folder).rglob("*") if path.is_file() and path.suffix in
                  {"", ".swift", ".py", ".c", ".h", ".md", ".sh", ".json", ".tsv", ".txt"}]
    pattern = re.compile("|".join(rf"\b{word}s?\b" for word in FORBIDDEN))
    found = [f"{name(path)}: {line.strip()}" for path in texts for line in path.read_text(errors="replace").splitlines()
             if pattern.search(line)]
    assert len(texts) > 1000 and not found, "\n".join([f"say instead: {FORBIDDEN}", *found])
