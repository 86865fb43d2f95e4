"""Just enough of PNG (ISO 15948) to look at a screenshot: 8 bits, RGB or RGBA, not interlaced."""
import struct
import zlib


def pixels(path):
    """Rows of (red, green, blue)."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    place, packed = 8, b""
    while place < len(data):
        length, kind = struct.unpack(">I4s", data[place:place + 8])
        chunk = data[place + 8:place + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", chunk)
            assert depth == 8 and colour in (2, 6) and not interlace
        elif kind == b"IDAT":
            packed += chunk
        place += 12 + length
    size = 3 if colour == 2 else 4
    return [[tuple(row[i:i + 3]) for i in range(0, width * size, size)] for row in unfiltered(zlib.decompress(packed), width * size, height, size)]


def unfiltered(raw, stride, height, size):
    before = bytearray(stride)
    for y in range(height):
        kind, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride if kind else 0):
            left, up, corner = row[i - size] if i >= size else 0, before[i], before[i - size] if i >= size else 0
            if kind == 1:
                guess = left
            elif kind == 2:
                guess = up
            elif kind == 3:
                guess = (left + up) // 2
            else:
                guess = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
            row[i] = (row[i] + guess) & 255
        yield row
        before = row
