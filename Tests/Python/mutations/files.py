"""Changes of a folder's files, which are a dictionary of paths and bytes. Each fails if there is nothing to change."""

import csv
import io
import json

GONE = object()  # as the value of a key: the key is removed


# --- Files


def add(path, content):
    def change(files):
        assert path not in files, path
        files[path] = content if isinstance(content, bytes) else content.encode()
    return change


def remove(path):
    def change(files):
        below = [name for name in files if name == path or name.startswith(path + "/")]
        assert below, path
        for name in below:
            del files[name]
    return change


def move(old, new):
    def change(files):
        below = [name for name in files if name == old or name.startswith(old + "/")]
        assert below, old
        for name in below:
            files[new + name[len(old):]] = files.pop(name)
    return change


def put(path, content):
    def change(files):
        assert path in files, path
        files[path] = content
    return change


def both(*changes):
    def change(files):
        for one in changes:
            one(files)
    return change


def edit(path, *edits):
    """Changes the text of a file."""
    def change(files):
        text = files[path].decode()
        for one in edits:
            new = one(text)
            assert new != text, (path, text)
            text = new
        files[path] = text.encode()
    return change


def encode(path, encoding, mark=b""):
    """Stores the text of a file in another encoding."""
    def change(files):
        files[path] = mark + files[path].decode().encode(encoding)
    return change


# --- Lines


def sub(old, new, count=1):
    def change(text):
        assert old in text, (old, text)
        return text.replace(old, new, count)
    return change


def crlf(text):
    return text.replace("\n", "\r\n")


def lines(change):
    """A change of the list of lines, without their ends."""
    def changed(text):
        found = text.split("\n")
        change(found)
        return "\n".join(found)
    return changed


def drop_line(number):
    return lines(lambda found: found.pop(number))


def double_line(number):
    return lines(lambda found: found.insert(number + 1, found[number]))


def insert_line(number, line):
    return lines(lambda found: found.insert(number, line))


def reverse_rows(text):
    head, *rows = text.rstrip("\n").split("\n")
    return "\n".join([head, *rows[::-1]]) + "\n"


# --- Tables


def table(change, separator=",", **written):
    """A change of the list of rows, the first of which is the header."""
    def changed(text):
        rows = list(csv.reader(io.StringIO(text), delimiter=separator, quoting=csv.QUOTE_MINIMAL))
        change(rows)
        file = io.StringIO()
        csv.writer(file, **{"delimiter": separator, "lineterminator": "\n", **written}).writerows(rows)
        return file.getvalue()
    return changed


def rename(old, new, separator=","):
    def change(rows):
        rows[0][rows[0].index(old)] = new
    return table(change, separator)


def drop_column(name, separator=","):
    def change(rows):
        index = rows[0].index(name)
        for row in rows:
            row.pop(index)
    return table(change, separator)


def add_column(name, values, separator=",", at=None):
    """A column, also one of a name that there is already; at the end, or before the index `at`."""
    def change(rows):
        assert len(values) == len(rows) - 1, (values, rows)
        for row, value in zip(rows, [name, *values]):
            row.insert(len(row) if at is None else at, value)
    return table(change, separator)


def cell(row, name, value, separator=","):
    """Sets a value; rows count from 1, after the header."""
    def change(rows):
        rows[row][rows[0].index(name)] = value
    return table(change, separator)


def column(name, convert, separator=","):
    """Converts all values of a column that are not empty."""
    def change(rows):
        index = rows[0].index(name)
        for row in rows[1:]:
            row[index] = convert(row[index]) if row[index] else ""
    return table(change, separator)


def separate(new, old=","):
    return lambda text: table(lambda rows: None, old, delimiter=new)(text)


def quote_all(separator=","):
    return table(lambda rows: None, separator, quoting=csv.QUOTE_ALL)


def reverse_columns(separator=","):
    return table(lambda rows: [row.reverse() for row in rows], separator)


def thousandfold(text):
    """Seconds as milliseconds."""
    return f"{float(text) * 1000:g}"


def samples(text, rate=8000):
    """Seconds as samples."""
    return f"{round(float(text) * rate)}"


def comma(text):
    """A decimal comma."""
    return text.replace(".", ",")


# --- JSON Lines


def dump(rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def record(number, **values):
    """Sets keys of the object in a line, from 0. `a__b__0` is the first element of b in a."""
    def change(text):
        rows = [json.loads(line) for line in text.splitlines()]
        for path, value in values.items():
            *above, key = [int(part) if part.isdigit() else part for part in path.split("__")]
            target = rows[number]
            for part in above:
                target = target[part]
            if value is GONE:
                del target[key]
            else:
                target[key] = value
        return dump(rows)
    return change


def rename_key(old, new, number=None):
    """Renames a key of all objects, or of one."""
    def change(text):
        rows = [json.loads(line) for line in text.splitlines()]
        for index, row in enumerate(rows):
            if number in (None, index):
                rows[index] = {new if key == old else key: value for key, value in row.items()}
        return dump(rows)
    return change


def convert_key(name, convert):
    def change(text):
        rows = [json.loads(line) for line in text.splitlines()]
        for row in rows:
            if row.get(name) is not None:
                row[name] = convert(row[name])
        return dump(rows)
    return change
