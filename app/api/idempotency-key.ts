/** Header that lets the server recognise a repeated request. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';

/** Keys of this page load, by content. */
const keys = new Map<string, string>();

/**
 * Returns the same random key for the same content, so that a form resubmitted after a lost response is stored once.
 * `crypto.randomUUID` is unavailable without HTTPS.
 */
export function idempotencyKey(content: object): string {
  const text = JSON.stringify(content);
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const key = keys.get(text) ?? Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  keys.set(text, key);
  return key;
}
