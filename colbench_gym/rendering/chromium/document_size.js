// The document's size as Firefox has it: in quirks mode Chromium stretches <html> and <body> over the window, Firefox
// does not. So the height is measured with both as high as what is in them. What stands lower counts too, unless it is
// clipped, or placed by the window and not by the document (measured on Firefox ESR 153).
() => {
  const own = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name);
  const get = name => own(Document, name).get.call(document);
  const root = get('documentElement');
  const size = name => own(Element, name).get.call(root);
  const width = size('scrollWidth'), room = size('clientWidth');
  if (get('compatMode') === 'CSS1Compat') return [width, size('scrollHeight'), room];
  let bottom = 0;
  const waiting = get('body') ? [[get('body'), false]] : [];
  while (waiting.length) {
    const [parent, placed] = waiting.pop();
    for (const element of own(Element, 'children').get.call(parent)) {
      const style = getComputedStyle(element), position = style.position;
      if (position === 'fixed' || (position === 'absolute' && !placed)) continue;
      const box = Element.prototype.getBoundingClientRect.call(element);
      if (box.width && box.height) bottom = Math.max(bottom, box.bottom + scrollY);
      const places = placed || position !== 'static' || style.transform !== 'none';
      if (style.overflowY === 'visible') waiting.push([element, places]);
    }
  }
  const style = new CSSStyleSheet();
  style.replaceSync(':where(html, body) { height: max-content }');
  const sheets = own(Document, 'adoptedStyleSheets');
  const before = [...sheets.get.call(document)];
  sheets.set.call(document, [...before, style]);
  const height = Math.max(bottom, Element.prototype.getBoundingClientRect.call(root).bottom + scrollY);
  sheets.set.call(document, before);
  return [width, height, room];
}
