"""Pictures of placeholder services: which addresses are understood, and what is drawn."""

import base64
import io
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from support.tables import cases, values

from colbench_gym.errors import InputFileError
from colbench_gym.rendering.assets import TAILWIND, Assets
from colbench_gym.rendering.assets.placeholders import (
    MAX_ADDRESS_CHARS,
    MAX_REAL_BYTES,
    PictureRequest,
    RealPictures,
    draw,
    read_picture_address,
)

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(("path", "wanted"), values(__file__, "placeholders_addresses.txt", globals()))
def test_addresses(path, wanted):
    assert read_picture_address(f"https://picsum.photos{path}") == wanted


@pytest.mark.parametrize(("url", "size"), cases(__file__, "other_placeholder_services", tuples=True))
def test_other_placeholder_services(url, size):
    found = read_picture_address(url)
    assert (found.width, found.height) == size


def test_a_picture_is_in_the_size_asked_for(tmp_path):
    response = Assets(folder=tmp_path).response("https://picsum.photos/id/48/321/123", "<html>")
    root = ElementTree.fromstring(response.body)
    assert response.content_type == "image/svg+xml"
    assert (root.tag, root.get("width"), root.get("height")) == (f"{SVG}svg", "321", "123")
    assert response == Assets(folder=tmp_path).response("https://picsum.photos/id/48/321/123", "another page")


def test_different_pictures_look_different():
    drawn = {draw(PictureRequest(name, "", 300, 200)) for name in (*(f"id-{n}" for n in range(300)), "seed-1", "any")}
    assert len(drawn) == 302


def test_grayscale_has_no_colour():
    root = ElementTree.fromstring(draw(PictureRequest("id-3", "", 300, 200, grayscale=True)))
    colors = {shape.get("fill")[1:] for shape in root}
    assert len(colors) == 4
    assert all(color[:2] == color[2:4] == color[4:] for color in colors)


@given(
    st.text(max_size=30), st.text(max_size=30), st.integers(1, 5000), st.integers(1, 5000), st.booleans(),
    st.integers(0, 10),
)  # fmt: skip
def test_every_drawing_is_xml_of_bounded_size(name, variant, width, height, grayscale, blur):
    data = draw(PictureRequest(name, variant, width, height, grayscale, blur))
    assert len(data) < 1000
    ElementTree.fromstring(data)


@given(st.text(max_size=60))
def test_no_address_does_harm(text):
    assets = Assets(folder=Path("/nowhere"))
    for url in (text, f"https://{text}", f"https://picsum.photos/{text}", f"https://picsum.photos/seed/{text}/20/30"):
        response = assets.response(url, "")
        assert response is None or len(response.body) < 1000


def test_real_pictures(tmp_path):
    (tmp_path / "id-48.png").write_bytes(b"png of 48")
    (tmp_path / "seed-cat.JPG").write_bytes(b"jpeg of a cat")
    (tmp_path / "notes.txt").write_text("not a picture")
    pictures = RealPictures(tmp_path)
    assert sorted(pictures.hashes) == ["id-48", "seed-cat"]
    root = ElementTree.fromstring(pictures.fitted(PictureRequest("id-48", "", 30, 20, grayscale=True, blur=3)))
    assert (root.get("width"), root.get("height")) == ("30", "20")
    (image,) = root
    kind, _, data = image.get("href").partition(";base64,")
    assert (kind, base64.b64decode(data)) == ("data:image/png", b"png of 48")
    assert image.get("style") == "filter:grayscale(1) blur(3px)"
    assert b"data:image/jpeg;" in pictures.fitted(PictureRequest("seed-cat", "", 30, 20))
    assert pictures.fitted(PictureRequest("id-49", "", 30, 20)) is None
    assert pictures.fitted(PictureRequest("../notes", "", 30, 20)) is None
    (tmp_path / "any.gif").write_bytes(b"gif")
    assert b"data:image/gif;" in RealPictures(tmp_path).fitted(PictureRequest("id-49", "", 30, 20))


def test_pictures_that_cannot_be_used(tmp_path):
    with pytest.raises(InputFileError, match=r"no picture in it; expected files named id-48\.jpg"):
        RealPictures(tmp_path)
    (tmp_path / "id-1.png").write_bytes(bytes(MAX_REAL_BYTES + 1))
    with pytest.raises(InputFileError, match="Save it smaller"):
        RealPictures(tmp_path)


def red_png(side: int) -> bytes:
    picture = io.BytesIO()
    Image.new("RGB", (side, side), (200, 10, 20)).save(picture, "PNG")
    return picture.getvalue()


@pytest.mark.browser
def test_pictures_are_laid_out_like_pictures_of_that_size(renderer):
    link = f'<link rel="stylesheet" href="{TAILWIND.url}">'
    address = "https://picsum.photos/id/48/300/200"
    page = renderer.render(
        f'{link}<img alt="own" src="{address}">'
        f'<div style="width:150px"><img alt="narrow" src="{address}"></div>'
        f'<img alt="cover" class="object-cover" style="width:100px;height:100px" src="{address}.jpg">'
    )
    sizes = {e.label: (e.rect.width, e.rect.height) for e in page.layout.elements if e.kind == "picture"}
    assert sizes == {"own": (300, 200), "narrow": (150, 100), "cover": (100, 100)}


@pytest.mark.browser
def test_a_real_picture_is_shown_and_fills_the_size(renderer, tmp_path):
    from colbench_gym.rendering.chromium import Chromium

    (tmp_path / "any.png").write_bytes(red_png(64))
    html = '<body style="margin:0"><img src="https://picsum.photos/id/48/300/200">'
    with Chromium(browsers=1, assets=Assets(pictures=tmp_path)) as with_pictures:
        shown = with_pictures.render(html)
    assert shown.png != renderer.render(html).png
    picture = Image.open(io.BytesIO(shown.png)).convert("RGB")
    corners = {picture.getpixel(at) for at in ((0, 0), (299, 0), (0, 199), (299, 199), (150, 100))}
    assert corners == {(200, 10, 20)}
    assert picture.getpixel((300, 200)) == (255, 255, 255)


@pytest.mark.parametrize(
    "path", ["/" * 2000 + "200/300", "/200" + "/" * 1000 + "300" + "/" * 900 + ".jpg", "/g//id//7//200"]
)
def test_runs_of_slashes_are_one_slash(path):
    picture = read_picture_address(f"https://picsum.photos{path}")
    assert (picture.width, picture.height) in {(200, 300), (200, 200)}


@pytest.mark.parametrize("chars", [MAX_ADDRESS_CHARS + 1, 20_000, 1_000_000])
def test_long_addresses_are_refused_unread(chars):
    address = "https://picsum.photos/200/300?random="
    address += "1" * (chars - len(address))
    assert read_picture_address(address[:MAX_ADDRESS_CHARS]) is not None
    assert read_picture_address(address) is None
    assert Assets().response(address, "<html>") is None
