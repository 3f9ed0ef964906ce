"""XXH3-128 of a short text, in Python alone: no package that Veery requires has it, and the program checks it only where it also
reads all features, or draws. The formulas are those of the specification of XXH3, with seed 0."""

from __future__ import annotations

SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")
P32_1, P32_2, P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
P64_1, P64_2, P64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P64_4, P64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
MX1, MX2 = 0x165667919E3779F9, 0x9FB21C651E98DF25
M32, M64 = 2**32 - 1, 2**64 - 1


def xxh3_128(data: bytes) -> str:
    """The checksum as 32 hexadecimal digits."""
    count = len(data)
    low, high = (
        _empty() if count == 0 else _to_3(data, count) if count <= 3 else _to_8(data, count) if count <= 8
        else _to_16(data, count) if count <= 16 else _to_240(data, count) if count <= 240 else _long(data, count))
    return f"{high:016x}{low:016x}"


def _word(data: bytes, start: int, size: int = 8) -> int:
    return int.from_bytes(data[start:start + size], "little")


def _swapped(value: int, size: int) -> int:
    return int.from_bytes(value.to_bytes(size, "little"), "big")


def _secret(start: int, size: int = 8) -> int:
    """Two words of the secret, one after another, as one."""
    return _word(SECRET, start, size) ^ _word(SECRET, start + size, size)


def _mixed(value: int) -> int:
    value = (value ^ value >> 37) * MX1 & M64
    return value ^ value >> 32


def _mixed_as_xxh64(value: int) -> int:
    value = (value ^ value >> 33) * P64_2 & M64
    value = (value ^ value >> 29) * P64_3 & M64
    return value ^ value >> 32


def _folded(one: int, other: int) -> int:
    product = one * other
    return product & M64 ^ product >> 64


def _empty() -> tuple[int, int]:
    return _mixed_as_xxh64(_secret(64)), _mixed_as_xxh64(_secret(80))


def _to_3(data: bytes, count: int) -> tuple[int, int]:
    low = data[0] << 16 | data[count >> 1] << 24 | data[-1] | count << 8
    high = _swapped(low, 4)
    high = (high << 13 | high >> 19) & M32
    return _mixed_as_xxh64(low ^ _secret(0, 4)), _mixed_as_xxh64(high ^ _secret(8, 4))


def _to_8(data: bytes, count: int) -> tuple[int, int]:
    product = (_word(data, 0, 4) ^ _word(data, count - 4, 4) << 32 ^ _secret(16)) * (P64_1 + (count << 2))
    low, high = product & M64, product >> 64
    high = high + (low << 1) & M64
    low ^= high >> 3
    low = (low ^ low >> 35) * MX2 & M64
    return low ^ low >> 28, _mixed(high)


def _to_16(data: bytes, count: int) -> tuple[int, int]:
    first, last = _word(data, 0), _word(data, count - 8)
    product = (first ^ last ^ _secret(32)) * P64_1
    last ^= _secret(48)
    low = (product & M64) + (count - 1 << 54) & M64
    high = (product >> 64) + last + (last & M32) * (P32_2 - 1) & M64
    product = (low ^ _swapped(high, 8)) * P64_2
    return _mixed(product & M64), _mixed((product >> 64) + high * P64_2 & M64)


def _to_240(data: bytes, count: int) -> tuple[int, int]:
    low, high = count * P64_1 & M64, 0

    def add(one: int, other: int, secret: int) -> None:
        nonlocal low, high

        def of(start: int, secret: int) -> int:
            return _folded(_word(data, start) ^ _word(SECRET, secret), _word(data, start + 8) ^ _word(SECRET, secret + 8))

        low = low + of(one, secret) & M64 ^ _word(data, other) + _word(data, other + 8) & M64
        high = high + of(other, secret + 16) & M64 ^ _word(data, one) + _word(data, one + 8) & M64

    if count <= 128:
        for part in range((count - 1) // 32, -1, -1):
            add(16 * part, count - 16 * (part + 1), 32 * part)
    else:
        for start in range(0, 128, 32):
            add(start, start + 16, start)
        low, high = _mixed(low), _mixed(high)
        for start in range(128, count - 31, 32):
            add(start, start + 16, start - 125)
        add(count - 16, count - 32, 103)
    end = low * P64_1 + high * P64_4 + count * P64_2
    return _mixed(low + high & M64), -_mixed(end & M64) & M64


def _long(data: bytes, count: int) -> tuple[int, int]:
    lanes = [P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1]

    def add(start: int, secret: int) -> None:
        for lane in range(8):
            value = _word(data, start + 8 * lane)
            key = value ^ _word(SECRET, secret + 8 * lane)
            lanes[lane ^ 1] = lanes[lane ^ 1] + value & M64
            lanes[lane] = lanes[lane] + (key & M32) * (key >> 32) & M64

    def merged(secret: int, start: int) -> int:
        return _mixed(start + sum(
            _folded(lanes[lane] ^ _word(SECRET, secret + 8 * lane), lanes[lane + 1] ^ _word(SECRET, secret + 8 * lane + 8))
            for lane in range(0, 8, 2)) & M64)

    for stripe in range((count - 1) // 64):
        add(64 * stripe, 8 * (stripe % 16))
        if stripe % 16 == 15:
            lanes[:] = [
                (value ^ value >> 47 ^ _word(SECRET, 128 + 8 * lane)) * P32_1 & M64 for lane, value in enumerate(lanes)]
    add(count - 64, 121)
    return merged(11, count * P64_1 & M64), merged(117, ~(count * P64_2) & M64)
