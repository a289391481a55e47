// What stands where on the page, as plain data for layout.py. Runs in the browser's isolated world, with the page's own
// scripts off: a page cannot change what is done here. No recursion, and every list has a limit, as pages are hostile.
(limits) => {
  // A page can put things of its own under most names of its document and of its forms (<img name="body">,
  // <input name="parentElement">), so both are asked through what every document and every element inherits.
  const getter = (type, name) => {
    const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return (object) => get.call(object);
  };
  const parentOf = getter(Node, "parentElement");
  const typeOf = getter(Node, "nodeType");
  const tagOf = getter(Element, "localName");
  const root = getter(Document, "documentElement")(document);
  const body = getter(Document, "body")(document);
  const boxOf = (element) => Element.prototype.getBoundingClientRect.call(element);
  const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);
  // In quirks mode only the body knows what stands lower than the window (as in settle.js).
  const most = (names) => Math.max(...[root, body].flatMap((part) => names.map((name) => (part && part[name]) || 0)));
  const page = {
    width: most(["scrollWidth", "clientWidth", "offsetWidth"]),
    height: most(["scrollHeight", "clientHeight", "offsetHeight"]),
  };
  const WHITE = [255, 255, 255];
  const round = (number) => Math.round(number * 100) / 100;

  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const parsed = new Map();
  // Red, green, blue (0 to 255) and alpha (0 to 1) of a computed colour.
  const colorOf = (text) => {
    let found = parsed.get(text);
    if (found === undefined) {
      const parts = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
      if (parts) {
        found = [+parts[1], +parts[2], +parts[3], parts[4] === undefined ? 1 : +parts[4]];
      } else {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = "rgba(0, 0, 0, 0)";
        canvas.fillStyle = text;
        canvas.fillRect(0, 0, 1, 1);
        const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
        found = [red, green, blue, alpha / 255];
      }
      if (parsed.size < limits.nodes) parsed.set(text, found);
    }
    return found;
  };
  const over = (color, alpha, below) =>
    below.map((channel, at) => Math.round(color[at] * alpha + channel * (1 - alpha)));
  // The mean of a gradient's colours, with its mean alpha: what it looks like from afar.
  const gradientOf = (image) => {
    const stops = (image.match(/rgba?\([^)]*\)/g) || []).map(colorOf);
    if (!image.includes("gradient(") || stops.length === 0) return null;
    return [0, 1, 2, 3].map((at) => stops.reduce((sum, stop) => sum + stop[at], 0) / stops.length);
  };

  // What is known of each element, from the root downwards (an element comes after its parent in document order).
  const facts = new Map();
  const seen = (rect, clip) => {
    const left = Math.max(rect.left, clip.left);
    const top = Math.max(rect.top, clip.top);
    const right = Math.min(rect.right, clip.right);
    const bottom = Math.min(rect.bottom, clip.bottom);
    return right - left >= 1 && bottom - top >= 1 ? { left, top, right, bottom } : null;
  };
  const onPage = (rect) => ({
    left: rect.left + window.scrollX,
    top: rect.top + window.scrollY,
    right: rect.right + window.scrollX,
    bottom: rect.bottom + window.scrollY,
  });
  const whole = { left: 0, top: 0, right: page.width, bottom: page.height };
  const above = { inner: whole, opacity: 1, back: WHITE, pictured: false, block: null, turn: null, reversed: false, blur: 0 };

  const NOTHING = { left: 0, top: 0, right: 0, bottom: 0 };
  // How an element's text is turned and mirrored: null as it is written.
  const turnOf = (style, parent) => {
    const { transform, rotate, scale } = style;
    if (style.display === "inline" || [transform, rotate, scale].every((value) => value === "none")) return parent.turn;
    const [angle, ...axis] = rotate.split(" ").reverse();
    const named = axis.length === 3 ? `3d(${axis.reverse()},${angle})` : `${(axis[0] || "").toUpperCase()}(${angle})`;
    const factors = scale.split(" ");
    const own = new DOMMatrix(
      (rotate === "none" ? "" : `rotate${named}`) +
        (scale === "none" ? "" : `scale${factors.length === 3 ? "3d" : ""}(${factors})`) +
        (transform === "none" ? "" : transform),
    );
    return parent.turn ? parent.turn.multiply(own) : own;
  };
  // Masked: by a picture, which no page can load, or by colours of which most are seen through.
  const masked = (style) => {
    if (style.maskImage === "none") return false;
    const gradient = gradientOf(style.maskImage);
    return gradient === null || gradient[3] < 0.5;
  };
  // What people read is neither mirrored nor upside down, runs the way its script does, and is no blur or heap of letters.
  const readable = (known, text) => {
    const { style, turn, blur, reversed } = known;
    const size = parseFloat(style.fontSize);
    const { a, b, c, d } = turn || { a: 1, b: 0, c: 0, d: 1 };
    if (!(a * d - b * c > 0 && a > -0.2 * Math.hypot(a, b))) return false;
    if (style.webkitTextSecurity !== "none" || blur > size / 3 || parseFloat(style.letterSpacing) < -0.4 * size) return false;
    return !/\p{Script=Latin}/u.test(text) || (!reversed && !text.includes("\u202e"));
  };
  // Cut to a shape: a frame that leaves something is taken as nothing cut, any other shape as all of it.
  const cutAway = (style) => {
    const frame = /^inset\(([\d.]+)%/.exec(style.clipPath);
    if (style.clipPath !== "none" && !style.clipPath.startsWith("inset(")) return true;
    if (frame && Number(frame[1]) >= 50) return true;
    const edges = ["absolute", "fixed"].includes(style.position) && /^rect\((.*)\)$/.exec(style.clip);
    if (!edges) return false;
    const [top, right, bottom, left] = edges[1].split(/,? /).map(parseFloat);
    return right - left < 2 || bottom - top < 2;
  };
  const factsOf = (element) => {
    const parent = facts.get(parentOf(element)) || above;
    const style = getComputedStyle(element);
    const faded = /opacity\(([\d.]+)\)/.exec(style.filter);
    const opacity = parent.opacity * Math.max(0, Math.min(1, Number(style.opacity))) * (faded ? Number(faded[1]) : 1);
    const rect = onPage(boxOf(element));
    const color = colorOf(style.backgroundColor);
    const gradient = gradientOf(style.backgroundImage);
    let back = over(color, color[3] * opacity, parent.back);
    if (gradient) back = over(gradient, gradient[3] * opacity, back);
    const clip = style.position === "fixed" ? whole : parent.inner;
    let inner = clip;
    if (cutAway(style) || masked(style)) inner = NOTHING;
    if (style.overflowX !== "visible" || style.overflowY !== "visible") {
      const scrolls = element === root || element === body;
      if (!scrolls) inner = seen(rect, inner) || NOTHING;
    }
    const inline = style.display === "inline" || style.display === "contents" || style.display.startsWith("ruby");
    const override = style.unicodeBidi.includes("override") ? style.direction === "rtl" : null;
    const blurred = /blur\(([\d.]+)px/.exec(style.filter);
    return {
      element,
      style,
      turn: turnOf(style, parent),
      reversed: override ?? (style.display === "inline" && style.unicodeBidi === "normal" && parent.reversed),
      blur: Math.max(parent.blur, blurred ? Number(blurred[1]) : 0),
      rect,
      opacity,
      back,
      below: parent.back,
      clip,
      inner,
      invisible: style.visibility !== "visible",
      // Over a picture, or over what has no ground of its own above one: what lies behind is not known.
      pictured: style.backgroundImage.includes("url(") || (parent.pictured && color[3] * opacity < 0.98),
      hidden: style.display === "none" || opacity < 0.02 || (parent.closed && tagOf(element) !== "summary"),
      closed: tagOf(element) === "details" && !element.open,
      // The element whose text this text belongs to.
      block: inline && parent.block ? parent.block : element,
    };
  };

  const CONTROLS = new Set(["input", "select", "textarea", "progress", "meter"]);
  const PICTURES = new Set(["img", "video", "canvas", "svg", "object", "embed", "iframe", "audio"]);
  const PUSHED = new Set(["submit", "button", "reset", "image"]);

  const lineAlign = (style) => {
    const align = style.textAlign.replace("-webkit-", "");
    const backwards = style.direction === "rtl";
    if (align === "start") return backwards ? "right" : "left";
    if (align === "end") return backwards ? "left" : "right";
    return ["left", "center", "right", "justify"].includes(align) ? align : "left";
  };
  const roleOf = (element) => {
    for (let at = element, up = 0; at && up < 8; at = parentOf(at), up += 1) {
      const tag = tagOf(at);
      if (/^h[1-6]$/.test(tag)) return "heading";
      if (tag === "button" || attribute(at, "role") === "button" || tag === "summary") return "button";
      if (tag === "a") return looksPushed(facts.get(at)) ? "button" : "link";
      if (tag === "label" || tag === "legend") return "label";
    }
    return "text";
  };
  // A link that is drawn as a button: it has a ground or a border of its own, and room around its words.
  const looksPushed = (known) => {
    if (!known) return false;
    const { style } = known;
    const own = String(known.back) !== String(known.below) || borderOf(known) !== null;
    return own && parseFloat(style.paddingLeft) >= 4 && parseFloat(style.paddingTop) >= 2;
  };
  const borderOf = (known) => {
    const { style } = known;
    for (const side of ["Top", "Bottom", "Left", "Right"]) {
      if (parseFloat(style[`border${side}Width`]) > 0 && !["none", "hidden"].includes(style[`border${side}Style`])) {
        const color = colorOf(style[`border${side}Color`]);
        if (color[3] * known.opacity >= 0.02) return over(color, color[3] * known.opacity, known.below);
      }
    }
    return null;
  };
  const flat = (rect) => [round(rect.left), round(rect.top), round(rect.right - rect.left), round(rect.bottom - rect.top)];
  const labelOf = (element) => {
    const tag = tagOf(element);
    if (CONTROLS.has(tag)) {
      if (tag === "select") return element.selectedOptions.length ? element.selectedOptions[0].label : "";
      if (["checkbox", "radio"].includes(element.type)) return element.type;
      return element.value && element.type !== "password" ? String(element.value) : element.placeholder || "";
    }
    if (PICTURES.has(tag)) return attribute(element, "alt") || attribute(element, "aria-label") || "";
    return "";
  };
  const kindOf = (known, border) => {
    const { element, style } = known;
    const tag = tagOf(element);
    if (tag === "input" && element.type === "hidden") return null;
    if (tag === "button" || (tag === "input" && PUSHED.has(element.type))) return "button";
    if (attribute(element, "role") === "button" || (tag === "a" && looksPushed(known))) return "button";
    if (CONTROLS.has(tag)) return "input";
    if (PICTURES.has(tag)) return "picture";
    if (tag === "nav" || attribute(element, "role") === "navigation") return "navigation";
    if (style.backgroundImage.includes("url(")) return "picture";
    if (element === root || element === body) return null;
    const differs = String(known.back) !== String(known.below);
    return differs || border || style.boxShadow !== "none" ? "box" : null;
  };

  const elements = [];
  const groups = new Map(); // block element -> its pieces of text, in document order
  let pieces = 0;
  let nodes = 0;
  let cut = false;
  let broken = false; // a line was ended before the next text
  const range = new Range();

  const addElement = (known) => {
    if (known.invisible) return;
    const rect = seen(known.rect, known.clip);
    if (rect === null) return;
    const border = borderOf(known);
    const kind = kindOf(known, border);
    if (kind === null) return;
    if (elements.length >= limits.elements) {
      cut = true;
      return;
    }
    elements.push({
      kind,
      rect: flat(rect),
      color: kind === "picture" ? [0, 0, 0] : known.back,
      border,
      radius: round(Math.min(parseFloat(known.style.borderTopLeftRadius) || 0, (rect.bottom - rect.top) / 2)),
      label: (kind === "button" && !known.element.value ? known.element.textContent.slice(0, 4 * limits.chars) : labelOf(known.element))
        .replace(/\s+/g, " ").trim().slice(0, limits.chars),
    });
  };

  const addText = (node, known) => {
    if (!/\S/.test(node.data) || known.invisible || parseFloat(known.style.fontSize) < 2) return;
    const color = colorOf(known.style.color);
    const shown = over(color, color[3] * known.opacity, known.back);
    const contrast = Math.max(...shown.map((channel, at) => Math.abs(channel - known.back[at])));
    if ((contrast < limits.contrast && !known.pictured) || known.style.webkitTextFillColor === "rgba(0, 0, 0, 0)") return;
    if (!readable(known, node.data)) return;
    range.selectNodeContents(node);
    let around = null;
    let lines = 0;
    let last = null;
    for (const line of range.getClientRects()) {
      const step = last === null ? Infinity : Math.abs(line.top - last.top);
      const beside = last !== null && (line.left > last.right || line.right < last.left);
      if (step > 0.5 && step < 0.4 * line.height && !beside) return; // lines over each other
      last = line;
      const rect = seen(onPage(line), known.inner);
      if (rect !== null) {
        around = around
          ? {
              left: Math.min(around.left, rect.left),
              top: Math.min(around.top, rect.top),
              right: Math.max(around.right, rect.right),
              bottom: Math.max(around.bottom, rect.bottom),
            }
          : rect;
      }
      if ((lines += 1) >= limits.lines) break;
    }
    if (around === null) return;
    if ((pieces += 1) > limits.pieces) {
      cut = true;
      return;
    }
    let text = broken ? ` ${node.data}` : node.data;
    broken = false;
    const change = known.style.textTransform;
    if (change === "uppercase") text = text.toUpperCase();
    if (change === "lowercase") text = text.toLowerCase();
    if (change === "capitalize") text = text.replace(/(^|[\s\p{P}])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());
    const link = Element.prototype.closest.call(parentOf(node), "a");
    const group = groups.get(known.block) || [];
    group.push({ text, rect: around, color: shown, known, link });
    groups.set(known.block, group);
  };

  const walker = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  const SILENT = new Set(["head", "script", "style", "noscript", "template", "title", "option"]);
  for (let node = walker.currentNode; node; ) {
    if ((nodes += 1) > limits.nodes) {
      cut = true;
      break;
    }
    let down = true;
    if (typeOf(node) === Node.TEXT_NODE) {
      const known = facts.get(parentOf(node));
      if (known && !known.closed) addText(node, known);
    } else if (SILENT.has(tagOf(node))) {
      down = false;
    } else {
      const known = factsOf(node);
      facts.set(node, known);
      broken = broken || tagOf(node) === "br";
      down = !known.hidden && !PICTURES.has(tagOf(node)) && !CONTROLS.has(tagOf(node));
      if (!known.hidden) addElement(known);
    }
    let next = down ? walker.firstChild() : null;
    while (next === null) {
      next = walker.nextSibling();
      if (next === null && walker.parentNode() === null) break;
    }
    node = next;
  }

  // A line of links is a text for each link; a link within a sentence belongs to the sentence.
  const texts = [];
  for (const group of groups.values()) {
    const apart = group.every((piece) => piece.link !== null) || group.length === 1;
    const blocks = new Map();
    for (const piece of group) {
      const key = apart ? piece.link : null;
      blocks.set(key, [...(blocks.get(key) || []).slice(-limits.lines), piece]);
    }
    for (const parts of blocks.values()) {
      if (texts.length >= limits.texts) {
        cut = true;
        break;
      }
      const longest = parts.reduce((one, other) => (other.text.length > one.text.length ? other : one));
      const { style } = longest.known;
      const block = longest.known.block;
      const blockStyle = (facts.get(block) || longest.known).style;
      texts.push({
        text: parts.map((part) => part.text).join("").replace(/\s+/g, " ").trim().slice(0, limits.chars),
        rect: flat({
          left: Math.min(...parts.map((part) => part.rect.left)),
          top: Math.min(...parts.map((part) => part.rect.top)),
          right: Math.max(...parts.map((part) => part.rect.right)),
          bottom: Math.max(...parts.map((part) => part.rect.bottom)),
        }),
        color: longest.color,
        background: longest.known.back,
        font: round(parseFloat(style.fontSize)),
        bold: Number(style.fontWeight) >= 600,
        align: lineAlign(blockStyle),
        role: roleOf(longest.known.element),
      });
    }
  }
  const ground = facts.get(root);
  const bare = !ground || colorOf(ground.style.backgroundColor)[3] === 0;
  const below = facts.get(body);
  return {
    width: page.width,
    height: page.height,
    background: bare ? (below ? below.back : WHITE) : ground.back,
    texts,
    elements,
    cut,
  };
}
