const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for HTML or SVG source, including quoted attributes. */
export function escapeMarkup(text: string): string {
  return removeControlCharacters(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/**
 * Removes characters that XML 1.0 does not allow: control characters except tab and line breaks, and unpaired
 * surrogates. Text pasted from slides can contain them.
 */
function removeControlCharacters(text: string): string {
  return text.toWellFormed().replaceAll(/[^\t\n\r\u0020-\ufffd\u{10000}-\u{10ffff}]/gu, '');
}

/** Decodes the entities of `escapeMarkup`. A non-breaking space becomes a normal space. */
export function unescapeMarkup(source: string): string {
  return source.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (entity) => {
    if (entity === '&nbsp;') return ' ';
    return Object.keys(ENTITIES).find((character) => ENTITIES[character] === entity) ?? entity;
  });
}
