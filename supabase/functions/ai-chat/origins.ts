/** Sites that may embed the chat: any site, or only the listed origins and our own site. */
export type AllowedOrigins = 'any' | string[];

/**
 * Parses a saved list of origins, separated by commas, spaces or line breaks. A host without a scheme means https. An
 * empty list allows any site. A list without a valid entry allows only our own site.
 */
export function parseOrigins(setting: string): AllowedOrigins {
  const entries = entriesOf(setting);
  return entries.length === 0 ? 'any' : entries.flatMap((entry) => originOf(entry) ?? []);
}

/** Returns the first entry that is not a valid origin, or undefined. */
export function unreadableOrigin(setting: string): string | undefined {
  return entriesOf(setting).find((entry) => originOf(entry) === null);
}

function entriesOf(setting: string): string[] {
  return setting.split(/[\s,]+/).filter(Boolean);
}

/** Normalises an origin to the form that browsers send. */
function originOf(entry: string): string | null {
  const url = URL.parse(entry.includes('://') ? entry : `https://${entry}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return null;
  // URL parsing accepts any text without spaces as a host.
  return /^\[|^localhost$|^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(url.hostname) ? url.origin : null;
}
