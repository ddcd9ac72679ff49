export type Box = {
  left: number;
  top: number;
  width: number;
  height: number;
};

/** Styles that affect line breaks in a text area. */
const STYLES = [
  'font',
  'letterSpacing',
  'wordSpacing',
  'textIndent',
  'tabSize',
  'paddingTop',
  'paddingRight',
  'paddingBottom',
  'paddingLeft',
  'direction',
] as const;

/**
 * Measures a passage of a text area: one box per line, in px from the top left of the content. Browsers do not expose
 * this, so the text is laid out a second time. Too slow to run on every key.
 */
export function measureText(area: HTMLTextAreaElement, from: number, to: number): Box[] {
  const copy = document.createElement('div');
  const style = getComputedStyle(area);
  for (const name of STYLES) copy.style[name] = style[name];
  Object.assign(copy.style, {
    position: 'absolute',
    visibility: 'hidden',
    top: '0',
    left: '0',
    boxSizing: 'border-box',
    width: `${area.clientWidth}px`,
    lineHeight: style.lineHeight,
    whiteSpace: 'pre-wrap',
    overflowWrap: 'break-word',
  });
  const text = document.createTextNode(`${area.value}\u200b`);
  copy.append(text);
  area.parentElement?.append(copy);
  const range = document.createRange();
  range.setStart(text, from);
  range.setEnd(text, Math.max(to, from + 1));
  const origin = copy.getBoundingClientRect();
  const boxes = [...range.getClientRects()].map(({ left, top, width, height }) => ({
    left: left - origin.left,
    top: top - origin.top,
    width,
    height,
  }));
  copy.remove();
  return boxes;
}
