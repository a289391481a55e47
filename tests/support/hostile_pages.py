"""Pages that want to hang, fill, crash or mislead the browser, by name."""

import base64
import struct
import zlib

from colbench_gym.rendering import MAX_HTML_BYTES


def png(width: int, height: int) -> str:
    """A black picture of any size in a data: address; black compresses a thousandfold."""
    packer = zlib.compressobj(9, wbits=-15)
    rows = b"\x00" * (width // 8 + 2) * 100
    hundred_rows = packer.compress(rows) + packer.flush(zlib.Z_FULL_FLUSH)  # stands alone, so that it may stand again
    adler32 = struct.pack(">HH", height // 100 * len(rows) % 65521, 1)  # of so many zeros
    data = b"\x78\xda" + hundred_rows * (height // 100) + packer.flush() + adler32

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)  # one bit a pixel
    picture = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(picture).decode()


def svg_picture(size: int) -> str:
    text = f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}"><rect width="9" height="9"/></svg>'
    return "data:image/svg+xml;base64," + base64.b64encode(text.encode()).decode()


def use_bomb(levels: int, width: int, wrap: str = "{}") -> str:
    """Each level shows the one before it ``width`` times."""
    groups = "".join(
        f'<g id="g{level}">' + f'<use href="#g{level - 1}" x="1" y="1"/>' * width + "</g>" for level in range(1, levels)
    )
    return wrap.format(f'<svg><g id="g0"><rect width="9" height="9"/></g>{groups}<use href="#g{levels - 1}"/></svg>')


def entity_free_fill(piece: str, size: int = MAX_HTML_BYTES) -> str:
    return piece * ((size - 200) // len(piece))


def css_steps(levels: int) -> str:
    """Custom properties that double in length at every level."""
    steps = "".join(f"--v{level}:var(--v{level - 1})var(--v{level - 1});" for level in range(1, levels))
    return f"<style>body{{--v0:'lol';{steps}}}p::after{{content:var(--v{levels - 1})}}</style><p>text"


GRID = "display:grid;grid-template-columns:repeat(10000,1px);grid-template-rows:repeat(10000,1px)"
PAGES: dict[str, str] = {
    "largest allowed": entity_free_fill("<p>word "),
    "deep divs": entity_free_fill("<div>"),
    "deep tables": entity_free_fill("<table><tr><td>"),
    "deep flex": entity_free_fill("<div style=display:flex>"),
    "deep grid": entity_free_fill("<div style=display:grid>", 60_000),
    "deep inline-flex": entity_free_fill("<span style=display:inline-flex>", 60_000),
    "svg use bomb": use_bomb(8, 10),
    "svg pattern bomb": "<svg width=9000 height=9000><defs>"
    + "".join(
        f'<pattern id=p{n} width=1 height=1 patternUnits=userSpaceOnUse><rect width=9 height=9 fill="url(#p{n - 1})"/></pattern>'
        for n in range(1, 30)
    )
    + '</defs><rect width=9000 height=9000 fill="url(#p29)"/></svg>',
    "svg turbulence": '<svg width=4000 height=4000><filter id=f><feTurbulence baseFrequency=".9" numOctaves=900/>'
    "<feGaussianBlur stdDeviation=300 /></filter><rect width=4000 height=4000 filter='url(#f)'/></svg>",
    "svg filter chain": "<svg width=4000 height=4000><filter id=f>"
    + "<feMorphology operator=dilate radius=200 />" * 200
    + "</filter><rect width=3000 height=3000 filter='url(#f)'/></svg>",
    "svg picture 30000": f'<img src="{svg_picture(30000)}">',
    "png 30000": f'<img src="{png(30000, 30000)}">',
    "eight pngs 20000": "".join(f'<img src="{png(20000, 20000 + n * 100)}">' for n in range(3)),
    "png background": f'<body style="background:url({png(16000, 16000)}) 0 0/50px;filter:blur(9px)">',
    "css blur siblings": "<div style='backdrop-filter:blur(99px);position:fixed;inset:0'></div>" * 400,
    "css shadow bomb": "<p style='width:4000px;height:4000px;box-shadow:"
    + ",".join(["0 0 900px 900px red"] * 2000)
    + "'>x",
    "css gradient bomb": "<p style='width:4000px;height:4000px;background:"
    + ",".join(["repeating-conic-gradient(red 0 .001deg,blue 0 .002deg)"] * 300)
    + "'>x",
    "css variable bomb": css_steps(40),
    "css counter bomb": "<style>p{counter-increment:c 999999999}p::after{content:counter(c,upper-roman)}</style>"
    + "<p>" * 20000,
    "css selector bomb": "<style>"
    + ":has(" * 30
    + "*"
    + ")" * 30
    + "{color:red}"
    + "".join(f"* * * * * * * *:nth-last-child({n}n+1) ~ * * *{{margin:{n}px}}" for n in range(200))
    + "</style>"
    + "<div><p>" * 3000,
    "css grid": f"<div style='{GRID}'>" + "<i style='grid-area:1/1/9999/9999'>x</i>" * 5000,
    "css zoom": "<div style='zoom:99'>" * 60 + "x",
    "css transform": "<div style='transform:scale(99) rotate(3deg);will-change:transform'>" * 400 + "x",
    "css layers": "<div style='will-change:transform;position:absolute;width:9000px;height:9000px'>x</div>" * 3000,
    "css endless animation": "<style>@keyframes a{to{width:9999px;filter:blur(99px)}}p{animation:a .01s infinite alternate}"
    "</style>" + "<p>x" * 5000,
    "a million pixels high": "<div style=height:1000000px>x",
    "a billion pixels each way": "<div style='width:1000000000px;height:1000000000px;background:red'>x",
    "endless marquee": "<marquee scrollamount=999 loop=-1>x</marquee>" * 2000,
    "refresh": '<meta http-equiv=refresh content="0"><p>x',
    "refresh to elsewhere": '<meta http-equiv=refresh content="0;url=about:blank"><p>x',
    "policy": "<meta http-equiv=Content-Security-Policy content=\"default-src 'none';style-src 'none'\"><p>x",
    "frames in frames": "<iframe srcdoc='" + "<iframe srcdoc=x></iframe>" * 300 + "'></iframe>" * 30,
    "data: frame that nests": '<iframe src="data:text/html;base64,'
    + base64.b64encode(b"<iframe srcdoc='<iframe srcdoc=x>'></iframe>" * 90).decode()
    + '"></iframe>' * 20,
    "scripts": "<script>for(;;);</script><body onload='for(;;);'><img src=x onerror='for(;;);'>",
    "popups": "<a id=a href='http://a.invalid' target=_blank>x</a><script>for(;;)open('http://a.invalid')</script>",
    "huge font": "<p style='font-size:99999px'>" + "W" * 5000,
    "right to left marks": "<p>" + "\u202e\u2066" * 40_000,
    "names that hide the document's": "<form name=body><img name=documentElement><img name=fonts><input name=children>"
    "<img name=getAnimations><img name=querySelectorAll><img name=createTreeWalker><input name=getBoundingClientRect>",
    "not HTML": "\x00\x01\ud800" + "<" * 50_000,
    "plaintext": "<plaintext>" + "</plaintext>" * 10_000,
    "frameset": "<frameset cols='*" + ",*" * 3000 + "'>" + "<frame src=x>" * 3000,
    "xslt": '<?xml version="1.0"?><?xml-stylesheet href="http://a.invalid/x.xsl" type="text/xsl"?><html><p>x',
    "details": "<details open><summary>x</summary>" * 9000,
    "select": "<select multiple size=99999>" + "<option>x" * 25_000,
}
TAILWIND = "http://unpkg.com/tailwindcss@2/dist/tailwind.css"
PLACEHOLDER = "https://picsum.photos/id/48"
MANY = range(1000)
ASKING: dict[str, str] = {  # that ask for much, hide what they ask for, move, or are read by what runs outside of the browser
    "thousands of imports": "<style>" + "".join(f'@import"{TAILWIND}?{n}";' for n in MANY) + "</style><iframe srcdoc=x></iframe>",
    "thousands of stylesheets": "".join(f'<link rel=stylesheet href="{TAILWIND}?{n}">' for n in MANY),
    "thousands of pictures": "".join(f'<img src="{PLACEHOLDER}/{n + 1}">' for n in MANY),
    "thousands of blocked pictures": "".join(f'<img src="http://a.invalid/{n}">' for n in MANY),
    "thousands of backgrounds": "".join(f'<p style="background:url({PLACEHOLDER}/9/{n + 1})">' for n in MANY),
    "thousands of fonts": "<style>" + "".join(f"@font-face{{font-family:f{n};src:url(http://a.invalid/{n})}}p:nth-child({n}){{font-family:f{n}}}" for n in range(1500)) + "</style>" + "<p>x" * 1500,
    "thousands of prefetches": "".join(f'<link rel=prefetch href="{PLACEHOLDER}/{n + 1}">' for n in MANY),
    "thousands of preloads": "".join(f'<link rel=preload as=image href="{PLACEHOLDER}/{n + 1}">' for n in MANY),
    "thousands of frames": "".join(f"<iframe src='http://a.invalid/{n}'></iframe>" for n in range(1000)),
    "srcset": '<img srcset="' + ",".join(f"{PLACEHOLDER}/{n + 1} {n + 1}w" for n in MANY) + '">',
    "a picture address of 200 kB": f'<img src="{PLACEHOLDER}/200?random={"1" * 200_000}">',
    "an address of slashes": f'<img src="https://picsum.photos/{"/" * 100_000}200/300x">',
    "addresses of slashes": "".join(f'<img src="https://picsum.photos/200{"/" * 2000}{n}x">' for n in range(100)),
    "an address of escapes": f'<img src="{PLACEHOLDER}/{"%2f" * 60_000}">',
    "addresses of hosts": "".join(f'<img src="http://{"a." * 100}{n}/200">' for n in range(900)),
    "a character of thousands of digits": f'<link rel=stylesheet href="{TAILWIND}"><p class="&#{"9" * 100_000};">x',
    "a character of thousands of zeros": f'<link rel=stylesheet href="{TAILWIND}"><p class="&#{"0" * 100_000}65;">x',
    "thousands of characters by number": f'<link rel=stylesheet href="{TAILWIND}"><p class="{"&#65;" * 40_000}">x',
    "references that do not end": f'<link rel=stylesheet href="{TAILWIND}"><p class="{"&a" * 80_000}">x',
    "thousands of class names": f'<link rel=stylesheet href="{TAILWIND}"><p class="{" ".join(f"p-{n} m-{n}" for n in range(15_000))}">x',
    "doctypes": "<!doctype html" * 15_000,
    "a doctype that does not end": "<!doctype " + "a" * 200_000,
    "comments that do not end": "<!--" * 50_000,
    "comments before the doctype": "<!-- -->" * 20_000 + "<!doctype html><p>x",
    "shadow roots": "<div><template shadowrootmode=open><slot></slot>" * 3000,
    "closed shadow roots that move": "<style>@keyframes a{to{width:999px}}</style>" + "<div><template shadowrootmode=closed><style>*{animation:a 1s infinite}</style><marquee>x</marquee></template></div>" * 900,
    "moving pictures": f'<img src="{svg_picture(900)}">' * 800,
    "SMIL": "<svg>" + "<rect width=9 height=9><animate attributeName=x from=0 to=9 dur=.01s repeatCount=indefinite /></rect>" * 2000,
    "SMIL that starts itself": "<svg>" + "".join(f"<set id=s{n} attributeName=x to=1 begin='s{(n + 1) % 900}.end' dur=.001s />" for n in range(900)),
    "moving details": "<style>@keyframes a{to{height:9999px}}::details-content{animation:a .1s infinite}</style>" + "<details open><summary>x</summary>y</details>" * 900,
    "random numbers": "<style>p{width:random(1px,900px);height:random(1px,90px)}</style>" + "<p>x" * 2000,
    "frames that move": "<iframe srcdoc='<marquee>x</marquee>'></iframe>" * 120,
    "container queries": "<style>" + "".join(f"@container (min-width:{n}px){{p{{width:{n}px}}}}" for n in range(2000)) + "</style>" + "<div style=container-type:inline-size><p>" * 300,
    "scroll-driven": "<style>@keyframes a{to{margin:99px}}p{animation:a linear;animation-timeline:scroll()}</style>" + "<p>x" * 4000,
    "view transitions": "<style>@view-transition{navigation:auto}p{view-transition-name:match-element}</style>" + "<p>x" * 3000,
    "columns": "<div style='columns:9999;column-width:1px;height:1px'>" + "word " * 9000,
    "initial letters": "<style>p::first-letter{initial-letter:900}</style>" + "<p>word" * 2000,
    "masks": "<p style='width:3000px;height:3000px;mask:" + ",".join(["radial-gradient(red,transparent)"] * 400) + "'>x",
    "shapes": "<p style='float:left;width:3000px;height:3000px;shape-outside:polygon(" + ",".join(f"{n}px {n * n % 997}px" for n in range(9000)) + ")'></p>" + "word " * 2000,
    "subgrids": "<div style='display:grid;grid:subgrid/subgrid'>" * 1500 + "x",
    "anchors": "<style>p{position:absolute;anchor-name:--a;position-anchor:--a;top:anchor(bottom,9px)}</style>" + "<p>x" * 2500,
    "a table of spans": "<table>" + "<tr><td rowspan=65534 colspan=1000>x" * 1500,
}  # fmt: skip
