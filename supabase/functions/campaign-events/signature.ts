/**
 * Smartlead's signature: `X-Smartlead-Signature: sha256=…`, the HMAC of the raw body with the secret of the webhook
 * (helpcenter.smartlead.ai, "Quick tips for testing with sample webhook payloads").
 */

/** Maximum number of cached secrets, and their lifetime in milliseconds. */
const MAX_CACHED = 1000;
const CACHE_MS = 60_000;

/** Runs work that unauthenticated requests can cause, within the available capacity. */
export type TakeTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

export interface Signatures {
  /**
   * Returns the secret that the body is signed with, or '' if the signature does not match the source's secret.
   * @param takeTurn waits for capacity to read the secret from the database
   */
  secretOf(request: Request, tokenHash: string, body: string, takeTurn: TakeTurn): Promise<string>;
}

/** @param read returns the secret of the source with this token hash, or null */
export function createSignatures(read: (tokenHash: string) => Promise<string | null>): Signatures {
  const cachedSecrets = new Map<string, { secret: string | null; until: number }>();

  async function secretOfSource(tokenHash: string, takeTurn: TakeTurn): Promise<string | null> {
    const cached = cachedSecrets.get(tokenHash);
    if (cached && cached.until > Date.now()) return cached.secret;
    const secret = await takeTurn(() => read(tokenHash));
    if (cachedSecrets.size >= MAX_CACHED) cachedSecrets.clear();
    cachedSecrets.set(tokenHash, { secret, until: Date.now() + CACHE_MS });
    return secret;
  }

  return {
    async secretOf(request, tokenHash, body, takeTurn) {
      const signature = /^(?:sha256=)?([0-9a-f]{64})$/i.exec(request.headers.get('x-smartlead-signature') ?? '')?.[1];
      if (signature === undefined) return '';
      const secret = await secretOfSource(tokenHash, takeTurn);
      return secret !== null && (await isSigned(secret, signature, body)) ? secret : '';
    },
  };
}

/** Compares in constant time. */
async function isSigned(secret: string, signature: string, body: string): Promise<boolean> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify']);
  const bytes = Uint8Array.from(signature.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return crypto.subtle.verify('HMAC', key, bytes, encoder.encode(body));
}
