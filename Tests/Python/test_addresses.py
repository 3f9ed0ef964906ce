"""Feature files whose datasets claim to be where no file reaches. Veery's own files are of an older form of HDF5, whose structure
is checked as a whole; of the newer one, which has checksums, libhdf5 checks an address only as it reads."""
import struct

import h5py
import numpy as np
import pytest

from conftest import noise, write_manifest, write_wav

MASK = 0xFFFFFFFF


def lookup3(data):
    """The checksum of HDF5's newer headers: Bob Jenkins' hashlittle."""
    def turned(x, n):
        return (x << n | x >> 32 - n) & MASK

    a = b = c = 0xDEADBEEF + len(data) & MASK
    while len(data) > 12:
        x, y, z = struct.unpack_from("<III", data)
        a, b, c, data = a + x & MASK, b + y & MASK, c + z & MASK, data[12:]
        for n in (4, 6, 8, 16, 19, 4):
            # Each step is the same, with the variables rotated.
            a, c = (a - c & MASK) ^ turned(c, n), c + b & MASK
            a, b, c = b, c, a
    x, y, z = struct.unpack("<III", data.ljust(12, b"\0"))
    a, b, c = a + x & MASK, b + y & MASK, c + z & MASK
    for n in (14, 11, 25, 16, 4, 14, 24):
        c = (c ^ b) - turned(b, n) & MASK
        a, b, c = b, c, a
    return b


def copied(source, target):
    """The same file in the newer form."""
    with h5py.File(source) as old, h5py.File(target, "w", libver="latest") as new:
        def visit(name, item):
            if isinstance(item, h5py.Group):
                made = new.create_group(name)
            else:
                values = np.empty(item.shape, item.dtype)
                item.id.read(h5py.h5s.ALL, h5py.h5s.ALL, values)
                made = h5py.Dataset(h5py.h5d.create(new.id, name.encode(), item.id.get_type(), item.id.get_space()))
                if item.size:
                    made.id.write(h5py.h5s.ALL, h5py.h5s.ALL, values)
            attributes(item, made)

        def attributes(item, made):
            for name in set(item.attrs) - {"DIMENSION_LIST", "REFERENCE_LIST", "CLASS", "NAME"}:
                made.attrs.create(name, item.attrs[name], dtype=item.attrs.get_id(name).dtype)

        attributes(old, new)
        old.visititems(visit)


@pytest.fixture(scope="module")
def newer(veery, tmp_path_factory):
    folder = tmp_path_factory.mktemp("addresses")
    for clip in range(30):
        write_wav(folder / f"{clip}.wav", 16000, noise(clip, 3000))
    write_manifest(folder / "m.csv", [{"path": f"{clip}.wav"} for clip in range(30)])
    veery("extract", "m.csv", "-o", "f.h5", "--set", "normalize.scope=none", folder=folder)
    copied(folder / "f.h5", folder / "newer.h5")
    return folder / "newer.h5"


def test_a_file_of_the_newer_form_is_checked_like_any_other(veery, newer):
    # It is sound except for the tensor's offset, which libhdf5 does not align here.
    found = veery("inspect", newer, "--verify", status=(0, 1)).stdout.splitlines()
    assert all("not at a multiple of 4096" in line for line in found[1:]), found
    veery("inspect", newer, "--html", newer.with_suffix(".html"))


@pytest.mark.parametrize("address", [2**63 - 1, 2**63 - 100, 2**62])
@pytest.mark.parametrize("name", ["features", "clips/frame_start", "clips/id", "clips/start"])
def test_an_address_that_no_file_has_is_an_error(veery, newer, tmp_path, name, address):
    data = bytearray(newer.read_bytes())
    with h5py.File(newer) as file:
        dataset = file[name].id
        offset = data.index(struct.pack("<QQ", dataset.get_offset(), dataset.get_storage_size()))
    head = data.rindex(b"OHDR", 0, offset)
    flags = data[head + 5]
    size = head + 6 + (16 if flags & 0x20 else 0) + (4 if flags & 0x10 else 0)
    width = 1 << (flags & 3)
    end = size + width + int.from_bytes(data[size:size + width], "little")
    assert struct.unpack_from("<I", data, end)[0] == lookup3(bytes(data[head:end]))
    struct.pack_into("<Q", data, offset, address)
    struct.pack_into("<I", data, end, lookup3(bytes(data[head:end])))
    path = tmp_path / "f.h5"
    path.write_bytes(data)
    for arguments in (["--verify"], ["--html", tmp_path / "f.html"]):
        result = veery("inspect", path, *arguments, status=1)
        assert f"/{name}" in result.stdout + result.stderr
