/** Header under which the database recognises a request that is sent again. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';

/** Keys of this page load by what was sent. */
const keys = new Map<string, string>();

/**
 * Returns the same random key for the same content, so that a form that is sent again after a lost answer is taken once.
 * `crypto.randomUUID` is missing on pages without https.
 */
export function idempotencyKey(content: object): string {
  const text = JSON.stringify(content);
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const key = keys.get(text) ?? Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  keys.set(text, key);
  return key;
}
