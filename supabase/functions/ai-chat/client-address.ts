/**
 * Returns the client's IP address for rate limits, or '' if only untrusted headers contain it. The edge of a hosted
 * project overwrites CF-Connecting-IP. It only appends to X-Forwarded-For, so the first entry of that header is
 * untrusted. Without this edge (`supabase start`, a self-hosted project), all clients share one limit, because no
 * header can be trusted.
 */
export function clientAddress(headers: Headers, apiUrl: string): string {
  const isOnPlatform = URL.canParse(apiUrl) && new URL(apiUrl).hostname.endsWith('.supabase.co');
  return isOnPlatform ? (headers.get('cf-connecting-ip')?.trim() ?? '') : '';
}

/** Maximum requests per minute. */
export interface RateLimits {
  perAddress: number;
  /** Maximum requests per minute of all clients with an unknown address together. */
  unknownAddresses: number;
}

/** Key of clients with an unknown address. */
const UNKNOWN_ADDRESS = 'address ';

/**
 * Creates a rate limit within this isolate. A hosted project may run several isolates, so the hard limit is the daily
 * cap in the database.
 */
export function createRateLimit({ perAddress, unknownAddresses }: RateLimits): (key: string) => boolean {
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
    return count <= (key === UNKNOWN_ADDRESS ? unknownAddresses : perAddress);
  };
}
