/** Escapes text for HTML or SVG, including quoted attributes. */
export function escapeMarkup(text: string): string {
  return stripControlCharacters(text)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/**
 * Removes characters that are invalid in XML 1.0: control characters except tab and line breaks, and lone surrogates.
 * They occur in text pasted from slides.
 */
export function stripControlCharacters(text: string): string {
  return text.toWellFormed().replaceAll(/[^\t\n\r\u0020-\ufffd\u{10000}-\u{10ffff}]/gu, '');
}
