/**
 * Replaces or removes the URL of a platform in the JSON text. Keeps everything else.
 * @throws SyntaxError for invalid JSON
 */
export function replaceLink(text: string, platform: string, url: string): string {
  const links: Record<string, unknown> = JSON.parse(text);
  const { [platform]: _old, ...otherLinks } = links;
  const updated = url === '' ? otherLinks : { ...links, [platform]: url };
  return JSON.stringify(updated, null, 2);
}
