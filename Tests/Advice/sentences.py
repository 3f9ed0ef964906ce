"""Every sentence with advice that the program can print, read from the sources, and the table of them (advice.tsv).

A sentence is a text in the sources: literals that `+` joins are one, an interpolation is `{}`, and white space is one
space. It has advice if a part of it begins with a verb of VERBS as an imperative, or says what an option does. Help,
documentation and comments are not messages, and are left out.

    python Tests/Advice/sentences.py             prints what the table lacks, and lines whose sentence is gone; status 1 if any
    python Tests/Advice/sentences.py --update    rewrites the table, keeping what it says of the sentences that remain
"""

import ast
import difflib
import re
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).with_name("advice.tsv")
COLUMNS = ("module", "file", "sentence", "followed by", "reason")

VERBS = r"""add allow ask bring build change check choose clear close combine compress convert copy correct create
decode delete divide double\sthe download draw drop end\slines\sin export extend extract fetch finish fix free
give group install join keep leave let limit list listen load look lower make merge mount move name omit open pass
pick put quote raise read\sthe rebuild recode record reduce remove rename render repeat replace resample restore
run save see select separate set shorten skip sort specify split\s(?:the|by|with) start\s(?:again|over) stop store
take tell trim try turn undo unpack unset update upgrade use wait weight write""".split()
# Verbs in the third person after an option that tell what it is good for: "--sync brings it to this one".
EFFECTS = """adds allows asks brings builds changes chooses checks completes computes copies counts creates cuts deletes discards
draws fills finishes gives ignores joins keeps leaves lets limits lists lowers makes names overwrites prints raises reads recovers
removes renames renews repeats replaces resamples resumes saves says sets shares shows skips sorts splits stops stores takes turns uses
widens writes zeroes""".split()
START = r"(?:^|[:;.?!(] |\(|\bor |\bthen |\} |, )(?:please |first |either |instead |rather |only )?"
# "set of", "list is", "file-name": a noun or a name, not what is to be done.
IMPERATIVE = re.compile(START + r"(?:" + "|".join(VERBS) + r")\b"
                        r"(?! (?:of|off|is|are|was|were|has|had|in|by|for|and)\b) +[\w'\"‘“{\-$<#….]", re.IGNORECASE)
EFFECT = re.compile(r"--[a-z][a-z-]+(?:[= ](?:[A-Z]+|\{\}|[a-z]+|'[^']*'))? (?:" + "|".join(EFFECTS) + r")\b")
# "(--partial keep)", ": --time-unit ms": the option alone is the advice.
OPTION = re.compile(r"(?:[:;] '?|\()--[a-z][a-z-]+(?! (?:is|are|for|and|expects|needs)\b)(?=[ )']|$)")

# Arguments and types whose texts are help, documentation or words of a file, not messages.
HELP_LABELS = {"help", "discussion", "abstract", "usage", "shouldDisplay", "valueName", "separator", "named", "encoding",
               "sentence", "synopsis", "meaning", "about"}
HELP_TYPES = {"ArgumentHelp", "Group", "words", "CommandConfiguration", "OptionGroup", "Flag", "Option", "Argument", "NSRegularExpression", "Regex",
              "contains", "hasPrefix", "hasSuffix", "replacing", "@available", "fputs"}
# Descriptions of presets and keys, styles of pages, programs that no user runs.
LEFT_OUT = ("Sources/Veery.docc", "Sources/Python/packaging", "Sources/Python/hatch_build.py",
            "Sources/DatasetReports/Markup/")


class Sentence(NamedTuple):
    module: str
    file: str
    text: str


def has_advice(text):
    words = text.split()
    return len(words) > 1 and bool(IMPERATIVE.search(text) or EFFECT.search(text) or OPTION.search(text))


def one_line(text):
    return " ".join(text.split())


# --- Swift


class Token(NamedTuple):
    kind: str  # "text", "word", "mark"
    value: str


ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", '"': '"', "'": "'", "\\": "\\"}


class Swift:
    """The tokens of a source file. Literals within interpolations are tokens of their own, in `inner`."""

    def __init__(self, source):
        self.source = source
        self.position = 0
        self.inner = []

    def tokens(self, closing=None):
        """To the end, or to the parenthesis that closes an interpolation."""
        result, depth = [], 0
        while self.position < len(self.source):
            rest = self.source[self.position:]
            if rest[0].isspace():
                self.position += 1
            elif rest.startswith("//"):
                self.position += rest.find("\n") if "\n" in rest else len(rest)
            elif rest.startswith("/*"):
                self.comment()
            elif match := re.match(r'(#*)("""|")', rest):
                result.append(Token("text", self.literal(match[1], match[2])))
            elif match := re.match(r"[@#]?[\w`]+", rest):
                self.position += match.end()
                result.append(Token("word", match[0]))
            else:
                depth += (rest[0] == "(") - (rest[0] == ")")
                self.position += 1
                if closing and depth < 0:
                    return result
                result.append(Token("mark", rest[0]))
        return result

    def comment(self):
        depth = 0
        while True:
            mark = re.compile(r"/\*|\*/").search(self.source, self.position)
            if not mark:
                self.position = len(self.source)
                return
            self.position = mark.end()
            depth += 1 if mark[0] == "/*" else -1
            if depth == 0:
                return

    def literal(self, fence, quotes):
        self.position += len(fence) + len(quotes)
        text, escape, end = "", "\\" + fence, quotes + fence
        while not self.source.startswith(end, self.position):
            if not self.source.startswith(escape, self.position):
                text += self.source[self.position]
                self.position += 1
                continue
            self.position += len(escape)
            mark = self.source[self.position]
            self.position += 1
            if mark == "(":
                inner = self.tokens(closing=")")
                self.inner.append(inner)
                text += mention(inner) or "{}"
            elif mark == "u":
                code = re.compile(r"\{(\w+)\}").match(self.source, self.position)
                self.position = code.end()
                text += chr(int(code[1], 16))
            elif mark == "\n":
                pass
            else:
                text += ESCAPES.get(mark, mark)
        self.position += len(end)
        return text


# Settings of a `Note` that options are not named after.
OPTIONS = {"key": "set", "recordingExtension": "extension", "withoutFFmpeg": "no-ffmpeg"}


def mention(tokens):
    r"""The option, with its value, of an interpolation such as `\(setting: .quoting, "csv")`; None: it is another one."""
    if tokens[:3] != [Token("word", "setting"), Token("mark", ":"), Token("mark", ".")]:
        return None
    name = OPTIONS.get(tokens[3].value) or re.sub("[A-Z]", lambda capital: "-" + capital[0].lower(), tokens[3].value)
    rest = tokens[4:]
    target = rest[3].value + "=" if rest[:3] == [Token("mark", "("), Token("word", "as"), Token("mark", ":")] else ""
    if target and rest[3].kind != "text":
        target = "{}=" if rest[3].value != "nil" else ""
    depth, value = 0, None
    for index, token in enumerate(rest):
        depth += (token.kind, token.value) == ("mark", "(")
        depth -= (token.kind, token.value) == ("mark", ")")
        if depth == 0 and (token.kind, token.value) == ("mark", ","):
            value = rest[index + 1].value if rest[index + 1].kind == "text" else "{}"
    return f"--{name}" + ("" if value is None else f" {target}{value}")


def operand(tokens, index):
    """The index after an operand that is not a literal, such as `Wording.list(names)`; None if there is none."""
    start = index
    while index < len(tokens):
        kind, value = tokens[index]
        if kind == "word":
            index += 1
        elif value in ".?!" and index > start:
            index += 1
        elif value in "([" and (index > start or value == "("):
            depth = 0
            while index < len(tokens):
                depth += (tokens[index].value in "([{" and tokens[index].kind == "mark")
                depth -= (tokens[index].value in ")]}" and tokens[index].kind == "mark")
                index += 1
                if depth == 0:
                    break
        else:
            break
    return index if index > start else None


def joined(tokens, index):
    """The text of literals and operands from here that `+` joins, the index after it, and the tokens of the operands."""
    text, operands = tokens[index].value, []
    index += 1
    while index + 1 < len(tokens) and tokens[index] == ("mark", "+"):
        following = tokens[index + 1]
        if following.kind == "text":
            text += following.value
            index += 2
        elif (end := operand(tokens, index + 1)) is not None:
            text += "{}"
            operands += tokens[index + 1:end]
            index = end
        else:
            break
    return text, index, operands


def literals(tokens):
    """Texts with whether they are help: what encloses each, by the labels and calls around it."""
    enclosing, index = [], 0
    while index < len(tokens):
        kind, value = tokens[index]
        if kind == "text":
            label = ""
            if index >= 2 and tokens[index - 1] == ("mark", ":") and tokens[index - 2].kind == "word":
                label = tokens[index - 2].value
            is_help = label in HELP_LABELS or any(name in HELP_TYPES or name in HELP_LABELS for name in enclosing)
            text, index, operands = joined(tokens, index)
            yield text, is_help
            yield from ((text, is_help or inner_is_help) for text, inner_is_help in literals(operands))
            continue
        if kind == "mark" and value in "([{":
            called = tokens[index - 1].value if index and tokens[index - 1].kind == "word" else ""
            if index >= 3 and value != "{" and tokens[index - 1].value.startswith("@"):
                called = tokens[index - 1].value
            label = ""
            if index >= 3 and tokens[index - 2] == ("mark", ":") and tokens[index - 3].kind == "word":
                label = tokens[index - 3].value
            if index >= 2 and tokens[index - 1] == ("mark", ":") and tokens[index - 2].kind == "word":
                label = tokens[index - 2].value
            enclosing.append("" if value == "{" else label if label in HELP_LABELS else called.lstrip("@"))
        elif kind == "mark" and value in ")]}" and enclosing:
            enclosing.pop()
        index += 1


def of_swift(source):
    reader = Swift(source)
    found = list(literals(reader.tokens()))
    for tokens in reader.inner:
        found += literals(tokens)
    return [one_line(text) for text, is_help in found if not is_help]


# --- Python


def of_python(source):
    tree = ast.parse(source)
    documentation = {node.body[0].value for node in ast.walk(tree)
                     if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
                     and node.body and isinstance(node.body[0], ast.Expr)}
    help_texts = {part for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg in HELP_LABELS
                  for part in ast.walk(node.value)}
    found, seen = [], set(documentation) | help_texts

    def text(node):
        seen.update(ast.walk(node))
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else "{}"
        if isinstance(node, ast.JoinedStr):
            return "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        if isinstance(node, ast.BinOp):
            return text(node.left) + text(node.right)
        return "{}"

    for node in ast.walk(tree):
        if node in seen:
            continue
        is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and any(
            isinstance(part, ast.JoinedStr) or isinstance(part, ast.Constant) and isinstance(part.value, str)
            for part in ast.walk(node))
        if is_sum or isinstance(node, ast.JoinedStr) or isinstance(node, ast.Constant) and isinstance(node.value, str):
            inner = [part for part in ast.walk(node) if isinstance(part, ast.FormattedValue)]
            found.append(one_line(text(node)))
            for value in inner:
                found += [one_line(part.value) for part in ast.walk(value.value)
                          if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return found


# --- The sources and the table


def sentences():
    """All sentences with advice, sorted."""
    found = set()
    for path in [*ROOT.glob("Sources/**/*.swift"), *ROOT.glob("Sources/**/*.py")]:
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(LEFT_OUT) or "/." in name:
            continue
        texts = (of_swift if path.suffix == ".swift" else of_python)(path.read_text(encoding="utf-8"))
        found |= {Sentence(name.split("/")[1], name, text) for text in texts if has_advice(text)}
    return sorted(found)


def read_table():
    """The rows of the table: of each sentence, what follows it and the reason."""
    lines = TABLE.read_text(encoding="utf-8").splitlines() if TABLE.exists() else []
    rows = [line.split("\t") for line in lines[1:]]
    for number, row in enumerate(rows, 2):
        if len(row) != len(COLUMNS):
            raise SystemExit(f"{TABLE}: line {number} has {len(row)} columns; expected {len(COLUMNS)}: {', '.join(COLUMNS)}")
    return {Sentence(*row[:3]): tuple(row[3:]) for row in rows}


def differences():
    """Sentences that have no line in the table, and lines whose sentence is gone."""
    known, found = read_table(), set(sentences())
    return (["\t".join(sentence) for sentence in sorted(found - known.keys())],
            ["\t".join(sentence) for sentence in sorted(known.keys() - found)])


def update():
    """A sentence that has changed a little keeps what the table says of it."""
    known, found = read_table(), sentences()
    gone = known.keys() - set(found)
    for sentence in found:
        others = {other.text: other for other in gone if other.file == sentence.file}
        if sentence not in known and (close := difflib.get_close_matches(sentence.text, others, 1, 0.75)):
            known[sentence] = known[others[close[0]]]
            gone.remove(others[close[0]])
    rows = [(*sentence, *known.get(sentence, ("", ""))) for sentence in found]
    lines = ["\t".join(row) for row in [COLUMNS, *rows]]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    if sys.argv[1:] == ["--update"]:
        update()
        return
    lacking, gone = differences()
    for mark, lines in ("+", lacking), ("-", gone):
        for line in lines:
            print(mark, line)
    sys.exit(1 if lacking or gone else 0)


if __name__ == "__main__":
    main()
