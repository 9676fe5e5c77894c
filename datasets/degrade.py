"""Pages worn as scans and photographs wear them, with the same pixels for the same stream on every processor (D-3, D-8).

What decides about pixels is whole numbers: coordinates are rounded to a 32nd of a pixel and sampled by OpenCV's fixed-point `remap`, blurs run
on bytes, noise is drawn as bytes. `warpPerspective` and blurs of floats give other bytes on processors with other instructions.
"""

import io
import math
from functools import cache
from random import Random
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from datasets.strengths import Photo, Scan

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]

MM_PER_INCH = 25.4
SOURCE_DPI = 150
PHOTO_DPI = 200
"""Resolution of the page that a photograph is taken of: finer than the picture, so that nothing is lost twice."""
_STEPS = 32
_CELL = 8
_BAND = 128
_TABLES = ((150, 112, 78), (96, 74, 58), (172, 166, 158), (74, 80, 88), (196, 178, 150))


def scan(page: "Pixels", strengths: Scan, random: Random) -> bytes:
    """A page as a flatbed scanner sees it: askew, soft, noisy, dusty; a JPEG file that states its resolution.

    page: height × width × 3, RGB, at `SOURCE_DPI`; the picture has the same size. random: the stream of this document alone.
    """
    import numpy as np

    height, width = page.shape[:2]
    draw = _drawer(random)
    paper, lid, ink = draw(strengths.paper), draw(strengths.lid), draw(strengths.ink)
    tilt = math.radians(draw(strengths.tilt_degrees)) * random.choice((-1, 1))
    px = SOURCE_DPI / MM_PER_INCH
    shift = [draw(strengths.shift_mm) * px * random.choice((-1, 1)) for _ in range(2)]
    is_colour = random.random() < strengths.colour_share
    tone = np.rint(np.arange(256) / 255 * (paper - ink) + ink).astype(np.uint8)
    tinted = tone[page] if is_colour else tone[_grey(page)][:, :, None]
    cos, sin = round(math.cos(tilt), 9), round(math.sin(tilt), 9)
    x, y = _grid(width, height)
    x, y = x - width / 2 - shift[0], y - height / 2 - shift[1]
    seen = np.empty_like(tinted)
    for band in _bands(height):
        row = y[band]
        seen[band] = _sample(tinted, cos * x + sin * row + width / 2, cos * row - sin * x + height / 2, int(lid))
    seen = _darken(seen, _edge(width, height, draw(strengths.edge_shadow), random))
    _dust(seen, round(draw(strengths.specks)), paper, random)
    if random.random() < strengths.streak_share:
        at = random.randrange(width // 12, width - width // 12)
        seen[:, at : at + 1] = np.maximum(seen[:, at : at + 1].astype(np.int16) - random.randint(6, 16), 0)
    seen = _noisy(_blurred(seen, draw(strengths.blur_px)), draw(strengths.noise), random)
    return _jpeg(seen, round(draw(strengths.jpeg_quality)), SOURCE_DPI)


def photo(page: "Pixels", strengths: Photo, random: Random) -> bytes:
    """A page as a telephone sees it on a table: in perspective, a little curled, in uneven light with a shadow; a JPEG file.

    page: height × width × 3, RGB, at `PHOTO_DPI`; the picture is `width_px` × `height_px`. The resolution that it states is that of the sheet in it.
    """
    import numpy as np

    height, width = page.shape[:2]
    draw = _drawer(random)
    wide, tall = strengths.width_px, strengths.height_px
    corners = _corners(strengths, random, height / width)
    x, y = _grid(wide, tall)
    lift = draw(strengths.curl_px) / tall * random.choice((-1, 1))
    lying, outside = np.empty((tall, wide, 3), np.uint8), np.empty((tall, wide), bool)
    for band in _bands(tall):
        u, v = _unproject(corners, x, y[band])
        v = v + lift * 4 * u * (1 - u)
        lying[band] = _sample(page, u * (width - 1), v * (height - 1), None)
        outside[band] = (u < 0) | (u > 1) | (v < 0) | (v > 1)
    table = _table(wide, tall, random)
    shade = _blurred((outside * 255).astype(np.uint8)[:, :, None], 5.0)[:, :, 0]
    table = _darken(table, np.clip(shade.astype(np.int16) + 90, 0, 255).astype(np.uint8))
    seen = np.where(outside[:, :, None], table, lying)
    seen = _darken(seen, _light(wide, tall, draw(strengths.shadow), draw(strengths.uneven), random))
    seen = _warm(seen, draw(strengths.warmth))
    seen = _noisy(_blurred(seen, draw(strengths.blur_px)), draw(strengths.noise), random)
    dpi = round(PHOTO_DPI * (corners[1][0] - corners[0][0]) / width)
    return _jpeg(seen, round(draw(strengths.jpeg_quality)), dpi)


def _drawer(random: Random) -> Any:
    return lambda pair: random.uniform(*pair)


def _grid(width: int, height: int) -> "tuple[Any, Any]":
    """Coordinates of all pixels: a row of x and a column of y."""
    import numpy as np

    return np.arange(width, dtype=float)[None, :], np.arange(height, dtype=float)[:, None]


def _bands(height: int) -> list[slice]:
    """The rows of a picture in parts, so that coordinates of a whole picture never stand in memory."""
    return [slice(start, min(start + _BAND, height)) for start in range(0, height, _BAND)]


def _grey(page: "Pixels") -> "Pixels":
    import numpy as np

    red, green, blue = (page[:, :, n].astype(np.uint16) for n in range(3))
    return np.asarray((77 * red + 150 * green + 29 * blue) >> 8, np.uint8)


def _sample(page: "Pixels", x: Any, y: Any, border: int | None) -> "Pixels":
    """The page at the given coordinates, bilinear in steps of a 32nd pixel; beside it `border`, or its own edge where None."""
    import cv2
    import numpy as np

    cv2.setNumThreads(1)
    steps = [np.rint(np.clip(at, -50, 30_000) * _STEPS).astype(np.int32) for at in (x, y)]
    whole = np.stack([step >> 5 for step in steps], axis=2).astype(np.int16)
    part = ((steps[1] & 31) * _STEPS + (steps[0] & 31)).astype(np.uint16)
    mode = cv2.BORDER_REPLICATE if border is None else cv2.BORDER_CONSTANT
    fill = (border or 0,) * 3
    seen = cv2.remap(page, whole, part, cv2.INTER_LINEAR, borderMode=mode, borderValue=fill)
    return np.asarray(seen if seen.ndim == 3 else seen[:, :, None], np.uint8)


def _blurred(picture: "Pixels", deviation: float) -> "Pixels":
    """Gaussian blur on bytes; deviation in pixels, none below 0.2."""
    import cv2
    import numpy as np

    if deviation < 0.2:
        return picture
    seen = cv2.GaussianBlur(picture, (0, 0), round(deviation, 3))
    return np.asarray(seen if seen.ndim == 3 else seen[:, :, None], np.uint8)


@cache
def _normal() -> tuple[float, ...]:
    """The normal distribution in 256 equal parts: a drawn byte becomes a deviation."""
    return tuple(round(NormalDist().inv_cdf((n + 0.5) / 256), 4) for n in range(256))


def _noisy(picture: "Pixels", deviation: float, random: Random) -> "Pixels":
    """Noise of brightness, the same in all colours of a pixel; deviation in steps of brightness."""
    import numpy as np

    height, width = picture.shape[:2]
    steps = np.rint(np.array(_normal()) * deviation).astype(np.int16)
    drawn = np.frombuffer(random.randbytes(height * width), np.uint8).reshape(height, width, 1)
    return np.asarray(np.clip(picture + steps[drawn], 0, 255), np.uint8)


def _darken(picture: "Pixels", light: "Pixels") -> "Pixels":
    """The picture under a light of 0 to 255 a pixel."""
    import numpy as np

    return np.asarray((picture.astype(np.uint16) * light[:, :, None] + 127) // 255, np.uint8)


def _edge(width: int, height: int, depth: float, random: Random) -> "Pixels":
    """Light that fades towards one long edge, where the sheet does not lie flat."""
    import numpy as np

    reach = random.randint(width // 20, width // 8)
    fade = np.clip(1 - np.arange(width) / reach, 0, 1) ** 2
    row = np.rint(255 - depth * fade).astype(np.uint8)
    return np.repeat((row if random.random() < 0.5 else row[::-1])[None, :], height, axis=0)


def _dust(picture: "Pixels", count: int, paper: float, random: Random) -> None:
    """Grains of one pixel, 0.17 mm at `SOURCE_DPI`, darker than paper, put into the picture."""
    height, width = picture.shape[:2]
    for _ in range(count):
        picture[random.randrange(height), random.randrange(width)] = round(paper * random.uniform(0.45, 0.85))


def _corners(strengths: Photo, random: Random, ratio: float) -> list[tuple[float, float]]:
    """Where the corners of the sheet lie in the picture, clockwise from the upper left; ratio: height by width of the sheet."""
    draw = _drawer(random)
    wide, tall = strengths.width_px, strengths.height_px
    margin = draw(strengths.margin) * wide
    half = min(wide / 2 - margin, (tall / 2 - margin) / ratio)
    turn = math.radians(draw(strengths.turn_degrees)) * random.choice((-1, 1))
    cos, sin = round(math.cos(turn), 9), round(math.sin(turn), 9)
    found = []
    for right, down in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        inward = [draw(strengths.corner_shift) * wide for _ in range(2)]
        x, y = right * (half - inward[0]), down * (half * ratio - inward[1])
        found.append((wide / 2 + cos * x - sin * y, tall / 2 + sin * x + cos * y))
    return found


def _unproject(corners: list[tuple[float, float]], x: Any, y: Any) -> tuple[Any, Any]:
    """Place on the sheet, 0 to 1 each way, of places in the picture: the inverse of the projection of the unit square onto the corners."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = corners
    dx1, dx2, dx3 = x1 - x2, x3 - x2, x0 - x1 + x2 - x3
    dy1, dy2, dy3 = y1 - y2, y3 - y2, y0 - y1 + y2 - y3
    whole = dx1 * dy2 - dx2 * dy1
    g, h = (dx3 * dy2 - dx2 * dy3) / whole, (dx1 * dy3 - dx3 * dy1) / whole
    a, b, c = x1 - x0 + g * x1, x3 - x0 + h * x3, x0
    d, e, f = y1 - y0 + g * y1, y3 - y0 + h * y3, y0
    down = (d * h - e * g) * x + (b * g - a * h) * y + (a * e - b * d)
    return ((e - f * h) * x + (c * h - b) * y + (b * f - c * e)) / down, (
        (f * g - d) * x + (a - c * g) * y + (c * d - a * f)
    ) / down


def _table(width: int, height: int, random: Random) -> "Pixels":
    """A table top: a colour with a grain along it."""
    import numpy as np

    colour = random.choice(_TABLES)
    grain = np.frombuffer(random.randbytes(height * 64), np.uint8).reshape(height, 64, 1)
    streaks = _blurred(np.repeat(grain, -(-width // 64), axis=1)[:, :width], 2.0).astype(np.int16)
    lines = _blurred(np.frombuffer(random.randbytes(height), np.uint8).reshape(height, 1, 1), 3.0).astype(np.int16)
    rough = (streaks - 128) // 10 + (lines - 128) // 5
    return np.clip(np.array(colour, np.int16) + rough, 0, 255).astype(np.uint8)


def _light(width: int, height: int, shadow: float, uneven: float, random: Random) -> "Pixels":
    """Light that falls off to one side, with a soft-edged shadow over a part of the sheet; made coarsely and enlarged."""
    import cv2
    import numpy as np

    columns, rows = -(-width // _CELL), -(-height // _CELL)
    x, y = _grid(columns, rows)
    x, y = x / columns - 0.5, y / rows - 0.5
    fall, edge = (random.uniform(0, 2 * math.pi) for _ in range(2))
    away = round(math.cos(fall), 6) * x + round(math.sin(fall), 6) * y
    lit = 1 - uneven * np.clip(away + 0.5, 0, 1)
    distance = round(math.cos(edge), 6) * x + round(math.sin(edge), 6) * y - random.uniform(-0.12, 0.22)
    soft = np.clip(distance / random.uniform(0.06, 0.2), 0, 1)
    lit = lit * (1 - shadow * soft * soft * (3 - 2 * soft))
    small = np.rint(lit * 255).astype(np.uint8)
    grown = cv2.resize(small, (columns * _CELL, rows * _CELL), interpolation=cv2.INTER_LINEAR_EXACT)
    return np.asarray(grown[:height, :width], np.uint8)


def _warm(picture: "Pixels", warmth: float) -> "Pixels":
    """More red and less blue, in steps of brightness at full light."""
    import numpy as np

    tones = np.arange(256) / 255
    gains = [np.clip(np.rint(tones * (240 + step)), 0, 255).astype(np.uint8) for step in (warmth / 2, 0, -warmth)]
    return np.stack([gain[picture[:, :, n]] for n, gain in enumerate(gains)], axis=2)


def _jpeg(picture: "Pixels", quality: int, dpi: int) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    whole = Image.fromarray(picture if picture.shape[2] == 3 else picture[:, :, 0])
    whole.save(out, "JPEG", quality=quality, dpi=(dpi, dpi))
    return out.getvalue()
