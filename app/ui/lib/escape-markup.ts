/** Text as it may stand in HTML or SVG source, also inside a quoted attribute. */
export function escapeMarkup(text: string): string {
  return withoutControls(text)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** Removes characters that XML 1.0 does not allow, which people paste from slides: controls but tab and line ends, and half pairs. */
export function withoutControls(text: string): string {
  return text.toWellFormed().replaceAll(/[^\t\n\r\u0020-\ufffd\u{10000}-\u{10ffff}]/gu, '');
}
