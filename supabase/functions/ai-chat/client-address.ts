/**
 * The network address that a visitor of a hosted project is counted by, or '' where nothing says it that they could not
 * write themselves. The platform's edge puts CF-Connecting-IP in place of whatever was sent; X-Forwarded-For it only adds
 * to, so its first entry is the visitor's own text. Elsewhere (`supabase start`, a self-hosted project) there is no such
 * edge: everybody is counted together, which nobody evades.
 */
export function clientAddress(headers: Headers, apiUrl: string): string {
  const isOnPlatform = URL.canParse(apiUrl) && new URL(apiUrl).hostname.endsWith('.supabase.co');
  return isOnPlatform ? (headers.get('cf-connecting-ip')?.trim() ?? '') : '';
}

export interface MinuteLimits {
  /** Number for each key. */
  each: number;
  /** Number for the key of those whose address is not known, who share it. */
  together: number;
}

/** The key under which those without a known address are counted. */
const UNKNOWN = 'address ';

/** Counts in this isolate only: a hosted project may run several, so the daily cap in the database is the hard limit. */
export function createMinuteLimit({ each, together }: MinuteLimits): (key: string) => boolean {
  let minute = 0;
  let counts = new Map<string, number>();
  return (key) => {
    const now = Math.floor(Date.now() / 60_000);
    if (now !== minute) {
      minute = now;
      counts = new Map();
    }
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= (key === UNKNOWN ? together : each);
  };
}
