// Ends what moves, waits for fonts, and returns the size of the page. A page's names hide what document has of its own
// (<img name=body>), so that is taken from the prototypes.
async () => {
  const own = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name);
  const get = name => own(Document, name).get.call(document);
  const style = new CSSStyleSheet();
  style.replaceSync('video::-webkit-media-controls { display: none !important } ' +
    'progress:indeterminate { appearance: none !important } ' +
    '*, *::before, *::after { caret-color: transparent !important }');
  own(Document, 'adoptedStyleSheets').set.call(document, [style]);
  for (const animation of Document.prototype.getAnimations.call(document)) {
    const end = animation.effect && animation.effect.getComputedTiming().endTime;
    if (Number.isFinite(end) && animation.playbackRate) animation.finish(); else animation.cancel();
  }
  for (const svg of Document.prototype.querySelectorAll.call(document, 'svg')) {
    if (svg instanceof SVGSVGElement) { svg.pauseAnimations(); svg.setCurrentTime(0); }
  }
  await get('fonts').ready;
  const parts = [get('documentElement'), get('body')].filter(Boolean);
  const most = names => Math.max(0, ...parts.flatMap(part => names.map((name, at) =>
    own(at ? (at > 1 ? HTMLElement : Element) : Element, name).get.call(part))));
  return [most(['scrollWidth', 'clientWidth', 'offsetWidth']), most(['scrollHeight', 'clientHeight', 'offsetHeight'])];
}
