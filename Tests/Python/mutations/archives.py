"""Archives: tar, zip, and WebDataset shards (github.com/webdataset/webdataset: files of one sample are adjacent and share the name up
to the first dot)."""

import io
import tarfile
import zipfile

from .expectations import CHANGED, ERROR, NEUTRAL, REMARKED, SAME
from .files import add, remove
from .samples import Sample
from .sounds import recording

DOC = "github.com/webdataset/webdataset#the-webdataset-format; Schemas/guide/archives.md"
A, C, D, E = (recording(track) for track in "ACDE")


def tar(members, mode="w"):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as archive:
        for name, content in members:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return file.getvalue()


def zipped(members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return file.getvalue()


MEMBERS = [
    ("000.wav", A), ("000.cls", b"dog"), ("000.json", '{"speaker": "Jörg", "n": 1}'.encode()), ("001.wav", C),
    ("001.cls", b"cat"), ("001.json", b'{"speaker": "k", "n": 2}'),
    ("002.wav", D), ("002.cls", b"dog"), ("002.json", b'{"speaker": "l", "n": 3}')]


def repack(change, pack=tar, path="s.tar"):
    """Packs the members anew after a change of their list."""
    def changed(files):
        members = list(MEMBERS)
        change(members)
        files[path] = pack(members)
    return changed


def member(name, content):
    """Other content of a member; None: there is none."""
    def change(members):
        index = [one for one, _ in members].index(name)
        if content is None:
            members.pop(index)
        else:
            members[index] = (name, content)
    return repack(change)


def insert(index, name, content):
    return repack(lambda members: members.insert(index, (name, content)))


UNREAD = ("metadata-unread", "tables-unclaimed", "annotations-unused")
shard = Sample("WebDataset", DOC, {"s.tar": tar(MEMBERS)}, ("extract", "s.tar"), {
    "000": {"label": "dog", "sound": "A@0.00-1.00", "speaker": "Jörg", "n": "1"}, "001": {"label": "cat", "sound": "C@0.00-1.00"},
    "002": {"label": "dog", "sound": "D@0.00-1.00"}})
stream = Sample("WebDataset, stream", DOC, {"s.tar": tar(MEMBERS)}, ("extract", "--tar", "s.tar"), None)
key = "001"
for one in (shard, stream):
    one.change("a label missing", "s.tar", member("001.cls", None), CHANGED({key: {"label": ""}}))
    one.change("another label", "s.tar", member("001.cls", b"owl"), CHANGED({key: {"label": "owl"}}))
    one.change("a label in Latin-1", "s.tar", member("001.cls", "Häher".encode("latin-1")), ERROR("001.cls", "s.tar")
               | REMARKED("metadata-unread"))
    one.change("JSON cut off", "s.tar", member("001.json", b'{"speaker": "k"'), ERROR("001.json", "s.tar")
               | REMARKED("metadata-unread"))
    one.change("JSON of a list", "s.tar", member("001.json", b"[1, 2]"), ERROR("001.json", "s.tar") | REMARKED("metadata-unread"))
    one.change("JSON with a label, too", "s.tar", member("001.json", b'{"speaker": "k", "n": 2, "label": "lynx"}'),
               REMARKED("columns-chosen", "metadata-unread") | CHANGED({key: {"json_label": "lynx"}}) | ERROR("s.tar"))
    one.change("a key of JSON renamed", "s.tar", member("001.json", b'{"Speaker": "k", "n": 2}'),
               CHANGED({key: {"speaker": "", "Speaker": "k"}}))
    one.change("a text for one", "s.tar", insert(5, "001.txt", "ein Wört".encode()), CHANGED({key: {"text": "ein Wört"}}))
    one.change("a sidecar of another name", "s.tar", insert(5, "001.transcript", b"ein Wort"), REMARKED(*UNREAD, change=SAME))
    one.change("an array beside", "s.tar", insert(5, "001.npy", b"\x93NUMPY"), NEUTRAL | REMARKED(*UNREAD))
    one.change("a recording missing", "s.tar", member("001.wav", None),
               REMARKED("entries-without-recording", change=CHANGED({key: None})))
    one.change("take.pcm in it", "s.tar", insert(9, "003.pcm", bytes(1600)), REMARKED("recordings-passed-over", change=SAME))
    one.change("a table in it", "s.tar", insert(0, "labels.csv", b"file,label\n000.wav,owl\n"), REMARKED(*UNREAD, change=SAME))
    one.change("a README in it", "s.tar", insert(0, "README.md", b"# Shard\n"), NEUTRAL)
    one.change("a sample whose files are apart", "s.tar", repack(lambda members: members.append(members.pop(4))),
               REMARKED("entries-without-recording", "metadata-unread") | SAME | ERROR("s.tar"))
    one.change("a member twice", "s.tar", insert(9, "001.wav", E), ERROR("001.wav", "s.tar")
               | REMARKED("recordings-passed-over", "columns-chosen"))
    one.change("a label twice", "s.tar", insert(5, "001.cls", b"owl"), ERROR("001.cls", "s.tar")
               | REMARKED("columns-chosen", "metadata-unread"))
    one.change("an extension in capitals", "s.tar", repack(lambda members: members.__setitem__(4, ("001.CLS", b"cat"))), SAME
               | REMARKED("metadata-unread"))
    one.change("cut off", "s.tar", lambda files: files.__setitem__("s.tar", files["s.tar"][:30000]), ERROR() | REMARKED("recordings-passed-over"))
    one.change("a recording that is text", "s.tar", member("001.wav", b"<html>moved</html>"), ERROR("001"))
shard.change("missing", "s.tar", remove("s.tar"), ERROR())
shard.change("another file beside", "x.wav", add("x.wav", E), NEUTRAL)
shard.change("compressed by gzip under the same name", "s.tar",
             repack(lambda members: None, lambda members: tar(members, "w:gz")), NEUTRAL)

PACKED = [("dog/a.wav", A), ("cat/b.wav", C), ("cat/c.wav", D)]


def pack(*more):
    return lambda files: files.__setitem__("p.zip", zipped([*PACKED, *more]))


packed = Sample("zip", "Schemas/guide/archives.md", {"p.zip": zipped(PACKED)}, ("extract", "p.zip"), {
    "dog/a": {"label": "dog", "sound": "A@0.00-1.00"}, "cat/b": {"label": "cat", "sound": "C@0.00-1.00"},
    "cat/c": {"label": "cat", "sound": "D@0.00-1.00"}})
packed.change("a recording more", "p.zip", pack(("cat/d.wav", E)), CHANGED({"cat/d": {"label": "cat", "sound": "E@0.00-1.00"}}))
packed.change("take.pcm in it", "p.zip", pack(("cat/take.pcm", bytes(1600))), REMARKED("recordings-passed-over", change=SAME))
packed.change("take.wv in it", "p.zip", pack(("cat/take.wv", bytes(1600))), REMARKED("recordings-passed-over", change=SAME))
packed.change("a table in it", "p.zip", pack(("labels.csv", b"file,label\ncat/b.wav,lynx\n")), REMARKED(*UNREAD, change=SAME))
packed.change("metadata.csv in it", "p.zip", pack(("metadata.csv", b"file_name,text\ncat/b.wav,eins\n")),
              REMARKED(*UNREAD, change=SAME) | CHANGED({"cat/b": {"text": "eins"}}, free=["label"]))
packed.change("an archive in it", "p.zip", pack(("more.tar", tar(PACKED))), REMARKED("recordings-passed-over", change=SAME))
packed.change("files of macOS in it", "p.zip", pack(("__MACOSX/cat/._b.wav", b"\0\5\x16\7"), (".DS_Store", b"\0")), NEUTRAL)
packed.change("a README in it", "p.zip", pack(("README.md", b"# Birds\n")), NEUTRAL)
packed.change("cut off", "p.zip", lambda files: files.__setitem__("p.zip", files["p.zip"][:-60]), ERROR())
