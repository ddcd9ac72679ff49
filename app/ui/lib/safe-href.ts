/** Returns the URL if its scheme is safe, else null. Browsers ignore spaces and control characters in a scheme. */
export function safeHref(href: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters
  const hrefWithoutSpaces = href.replace(/[\u0000-\u0020\u007f]/g, '');
  if (/^(https?:\/\/|mailto:|tel:)/i.test(hrefWithoutSpaces)) return hrefWithoutSpaces;
  if (/^(\/(?![/\\])|#|\?)/.test(hrefWithoutSpaces)) return hrefWithoutSpaces;
  return /^[^:/\\]+(\/|$)/.test(hrefWithoutSpaces) ? hrefWithoutSpaces : null;
}
