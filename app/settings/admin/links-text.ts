/**
 * Writes the JSON object of links with another address for one platform, or without it where that is empty. Everything
 * else in it stays as it is.
 * @throws SyntaxError when `text` is no JSON
 */
export function linksText(text: string, platform: string, address: string): string {
  const links: Record<string, unknown> = JSON.parse(text);
  const { [platform]: _old, ...others } = links;
  const changed = address === '' ? others : { ...links, [platform]: address };
  return JSON.stringify(changed, null, 2);
}
