"""The pinned files that pages link: fetching, keeping, finding; what a page may load and what is blocked."""

import hashlib
import io
import subprocess
import sys
import tarfile
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from support.command import colbench, environment
from support.tables import cases, named

from colbench_gym.errors import AssetError, InputFileError
from colbench_gym.rendering.assets import TAILWIND, Asset, Assets, asset_at, cache_folder, state_of
from colbench_gym.rendering.assets.fetch import fetch

CSS = b".a{color:red}\n"
TINY = Asset(
    name="tiny.css",
    url="http://127.0.0.1:9/tiny.css",  # nobody is there
    sha256=hashlib.sha256(CSS).hexdigest(),
    size_bytes=len(CSS),
    licence="MIT",
    npm="tiny@1.0.0",
    npm_member="package/dist/tiny.css",
)
CDN = "https://cdn.jsdelivr.net/npm/tailwindcss@2.2.19/dist/tailwind.min.css"
PAGE = f'<html><link href="{CDN}" rel="stylesheet"><body class="p-4">Hello</body></html>'


def tarball(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return packed.getvalue()


def put(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


@pytest.fixture
def no_npm(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(put(tmp_path / "bin" / "nothing", b"").parent))


def fake_npm(tmp_path: Path, script: str) -> Path:
    """A folder with an ``npm`` of ours."""
    npm = put(tmp_path / "bin" / "npm", f"#!{sys.executable} -S\n{script}\n".encode())
    npm.chmod(0o755)
    return npm.parent


@pytest.fixture
def served():
    """The address of a server that answers with what is put into the list (status, body), one after the other."""
    answers: list[tuple[int, bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            status, body = answers.pop(0)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/tiny.css", answers
        server.shutdown()
        thread.join()


def test_from_the_address_that_pages_carry(tmp_path, served):
    url, answers = served
    asset = replace(TINY, url=url)
    answers.append((200, CSS))
    fetched = fetch(asset, tmp_path / "new" / "cache")
    assert fetched.source == url
    assert fetched.path.read_bytes() == CSS
    assert [path.name for path in fetched.path.parent.iterdir()] == ["tiny.css"]
    assert fetch(asset, fetched.path.parent).source == "cache"  # the server would have nothing to say


@pytest.mark.parametrize("answer", [(404, b"not here"), (200, b"another file"), (200, CSS * 1000), (200, b"")])
def test_what_is_not_the_pinned_file_is_not_kept(tmp_path, served, answer, no_npm):
    url, answers = served
    answers.append(answer)
    with pytest.raises(AssetError, match="colbench assets fetch --from FILE") as raised:
        fetch(replace(TINY, url=url), tmp_path / "cache")
    assert url in str(raised.value)
    assert "there is no npm" in str(raised.value)
    assert not (tmp_path / "cache").exists()


def test_npm_comes_second(tmp_path, monkeypatch):
    packed = put(tmp_path / "packed", tarball({"package/package.json": b"{}", TINY.npm_member: CSS}))
    said = tmp_path / "said"
    script = f"import shutil, sys; open({str(said)!r}, 'w').write(' '.join(sys.argv[1:3]))\n"
    script += f"shutil.copy({str(packed)!r}, 'tiny-1.0.0.tgz')"
    monkeypatch.setenv("PATH", str(fake_npm(tmp_path, script)))
    fetched = fetch(TINY, tmp_path / "cache")
    assert fetched.source == "npm pack tiny@1.0.0"
    assert fetched.path.read_bytes() == CSS
    assert said.read_text() == "pack tiny@1.0.0"


def test_an_npm_that_fails_is_quoted(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(fake_npm(tmp_path, "import sys; sys.exit('E404 no such package')")))
    with pytest.raises(AssetError, match=r"npm pack tiny@1\.0\.0: exit status 1: E404 no such package"):
        fetch(TINY, tmp_path / "cache")


def test_an_npm_that_hangs_is_ended(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(fake_npm(tmp_path, "import time; time.sleep(60)")))
    with pytest.raises(AssetError, match=r"not done within 0\.5 s"):
        fetch(TINY, tmp_path / "cache", npm_timeout_s=0.5)


@pytest.mark.parametrize("data", [CSS, tarball({TINY.npm_member: CSS})], ids=["css", "tarball"])
def test_from_a_file(tmp_path, data):
    source = put(tmp_path / "source", data)
    assert fetch(TINY, tmp_path / "cache", source).path.read_bytes() == CSS


WRONG_FILES = named(__file__, "assets_wrong_files.txt", "CASES", globals())


@pytest.mark.parametrize(("data", "problem"), WRONG_FILES.values(), ids=WRONG_FILES)
def test_a_wrong_file_is_refused_and_what_was_there_stays(tmp_path, data, problem):
    kept = put(tmp_path / "cache" / TINY.name, CSS)
    with pytest.raises(AssetError, match=problem):
        fetch(TINY, tmp_path / "cache", put(tmp_path / "source", data))
    assert kept.read_bytes() == CSS
    assert list(kept.parent.iterdir()) == [kept]


def test_a_file_or_folder_that_is_not_there(tmp_path):
    with pytest.raises(AssetError, match="No such file"):
        fetch(TINY, tmp_path, tmp_path / "nowhere")
    in_the_way = put(tmp_path / "file", b"")
    with pytest.raises(AssetError, match="COLBENCH_CACHE"):
        fetch(TINY, in_the_way / "cache", put(tmp_path / "source", CSS))


def test_a_damaged_file_is_named_and_fetched_again(tmp_path, served):
    url, answers = served
    asset = replace(TINY, url=url)
    damaged = put(tmp_path / TINY.name, CSS[:-1])
    state, text = state_of(asset, tmp_path)
    assert state == "damaged"
    assert str(damaged) in text
    assert text.endswith("Fetch it again with: colbench assets fetch")
    answers.append((200, CSS))
    assert fetch(asset, tmp_path).source == url
    assert state_of(asset, tmp_path) == ("fetched", "")


def test_many_processes_at_once(tmp_path):
    source = put(tmp_path / "source", CSS)
    program = (
        "import sys; from pathlib import Path; from colbench_gym.rendering.assets import Asset\n"
        "from colbench_gym.rendering.assets.fetch import fetch\n"
        f"asset = {TINY!r}\n"
        "for _ in range(50): fetch(asset, Path(sys.argv[1]), Path(sys.argv[2]))"
    )
    command = [sys.executable, "-c", program, tmp_path / "cache", source]
    running = [subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE) for _ in range(3)]
    assert [(process.communicate()[1], process.returncode) for process in running] == [(b"", 0)] * 3
    assert (tmp_path / "cache" / TINY.name).read_bytes() == CSS
    assert len(list((tmp_path / "cache").iterdir())) == 1


@pytest.mark.parametrize(("variables", "folder"), cases(__file__, "where_files_are_kept"))
def test_where_files_are_kept(monkeypatch, variables, folder):
    for name in ("COLBENCH_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/me")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert cache_folder() == Path(folder)


@pytest.mark.parametrize("url", cases(__file__, "addresses_of_the_stylesheet"))
def test_addresses_of_the_stylesheet(url, tmp_path):
    assert asset_at(url) is TAILWIND
    with pytest.raises(AssetError, match=r"has not been fetched.*colbench assets fetch$"):
        Assets(folder=tmp_path).response(url, PAGE)


@pytest.mark.parametrize("url", cases(__file__, "all_else_is_blocked"))
def test_all_else_is_blocked(url, tmp_path):
    assert Assets(folder=tmp_path).response(url, PAGE) is None


def test_a_damaged_stylesheet_is_never_served(tmp_path):
    put(tmp_path / TAILWIND.name, b".p-4{padding:0}")
    with pytest.raises(AssetError, match="is damaged: 15 bytes"):
        Assets(folder=tmp_path).response(CDN, PAGE)


def test_the_digest_is_of_what_pixels_depend_on(tmp_path, monkeypatch):
    monkeypatch.delenv("COLBENCH_PICTURES", raising=False)
    drawn = Assets(folder=tmp_path).digest
    assert drawn == Assets(folder=tmp_path / "other", purge=False).digest
    put(tmp_path / "pictures" / "id-48.png", b"a picture")
    real = Assets(pictures=tmp_path / "pictures").digest
    monkeypatch.setenv("COLBENCH_PICTURES", str(tmp_path / "pictures"))
    assert Assets().digest == real != drawn
    put(tmp_path / "pictures" / "id-48.png", b"another one")
    assert Assets().digest != real


def test_the_real_stylesheet(tailwind):
    response = tailwind.response(CDN, PAGE)
    assert response.content_type == "text/css; charset=utf-8"
    assert b".p-4{padding:1rem}" in response.body
    assert b".p-5{" not in response.body
    assert len(response.body) < 10_000
    whole = tailwind.response(CDN, PAGE.replace("rel=", 'integrity="sha512-x" rel='))
    assert hashlib.sha256(whole.body).hexdigest() == TAILWIND.sha256


def test_as_commands(tmp_path, monkeypatch):
    monkeypatch.setenv("COLBENCH_CACHE", str(tmp_path / "cache"))
    listed = colbench("assets", "list")
    assert "missing" in listed.stdout
    assert TAILWIND.name in listed.stdout
    assert "colbench assets fetch" in listed.stdout
    wrong = colbench("assets", "fetch", "--from", put(tmp_path / "wrong.css", b".a{}"), status=2)
    assert "is not tailwindcss-2.2.19.min.css" in wrong.stderr
    assert not (tmp_path / "cache").exists()


def test_the_real_file_as_commands(tmp_path, monkeypatch, tailwind):
    source = cache_folder() / TAILWIND.name
    monkeypatch.setenv("COLBENCH_CACHE", str(tmp_path / "cache"))
    first = colbench("assets", "fetch", "--from", source)
    assert "fetched from" in first.stdout
    assert "is there already" in colbench("assets", "fetch").stdout
    assert "fetched" in colbench("assets", "list").stdout


def test_a_folder_of_pictures_that_cannot_be_used(tmp_path):
    with pytest.raises(InputFileError, match=r"No such file or directory.*COLBENCH_PICTURES"):
        Assets(pictures=tmp_path / "nowhere")
