// Puts a style sheet beside the one of settle.js, in place of an earlier one.
([serif, bar, root]) => {
  const style = new CSSStyleSheet(), sheets = Object.getOwnPropertyDescriptor(Document.prototype, 'adoptedStyleSheets');
  style.replaceSync(`:where(:root) { font-family: ${serif} }
    ::-webkit-scrollbar { width: ${bar}px !important; height: ${bar}px !important }` +
    (root === null ? '' : `:root { width: ${root}px !important }`));
  sheets.set.call(document, [...sheets.get.call(document).slice(0, 1), style]);
}
