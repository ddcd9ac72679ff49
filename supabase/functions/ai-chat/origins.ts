/** Sites that may use the chat: any, or those with these origins. */
export type AllowedOrigins = 'any' | string[];

/**
 * The sites of a saved list, separated by commas, spaces or lines. A bare host means https. An empty list allows any site;
 * one in which nothing can be read allows none but our own.
 */
export function parseOrigins(setting: string): AllowedOrigins {
  const entries = entriesOf(setting);
  return entries.length === 0 ? 'any' : entries.flatMap((entry) => originOf(entry) ?? []);
}

/** The first entry that is no address of a site, or undefined. */
export function unreadableOrigin(setting: string): string | undefined {
  return entriesOf(setting).find((entry) => originOf(entry) === null);
}

function entriesOf(setting: string): string[] {
  return setting.split(/[\s,]+/).filter(Boolean);
}

/** In the spelling that browsers send. */
function originOf(entry: string): string | null {
  const url = URL.parse(entry.includes('://') ? entry : `https://${entry}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return null;
  // Every other text without spaces would be a host, too.
  return /^\[|^localhost$|^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(url.hostname) ? url.origin : null;
}
