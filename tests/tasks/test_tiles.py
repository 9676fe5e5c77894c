"""Tall pictures for services with limits: tiles that put together are the picture again (A-6)."""

import hashlib
import io

import pytest
from PIL import Image

from schemas.exchange import Attachment
from tasks.tiles import TALLEST_PX, tiled


def png(height: int, name: str = "shot-full.png") -> Attachment:
    out = io.BytesIO()
    Image.linear_gradient("L").resize((40, height)).save(out, "PNG")
    data = out.getvalue()
    digest = hashlib.sha256(data).hexdigest()
    return Attachment(kind="image", media_type="image/png", sha256=digest, name=name, data=data)


@pytest.mark.parametrize(("height", "n"), [(800, 1), (TALLEST_PX, 1), (TALLEST_PX + 1, 2), (3500, 3), (16_000, 10)])
def test_tiles_are_within_the_limit_and_put_together_the_picture(height: int, n: int) -> None:
    whole = png(height)
    tiles = tiled(whole)
    assert len(tiles) == n
    images = [Image.open(io.BytesIO(tile.data)) for tile in tiles]
    assert max(image.height for image in images) <= TALLEST_PX
    together = Image.new("L", (40, height))
    top = 0
    for image in images:
        together.paste(image, (0, top))
        top += image.height
    assert together.tobytes() == Image.open(io.BytesIO(whole.data)).tobytes()
    names = [f"shot-full-{number}.png" for number in range(1, n + 1)] if n > 1 else ["shot-full.png"]
    assert [tile.name for tile in tiles] == names
    assert all(hashlib.sha256(tile.data).hexdigest() == tile.sha256 for tile in tiles)


def test_the_same_picture_gives_the_same_tiles() -> None:
    """A request's hash stands on them (M-4)."""
    assert [t.sha256 for t in tiled(png(3500))] == [t.sha256 for t in tiled(png(3500))]
