/** Returns the SHA-256 hash in hex. Works only over HTTPS, because `crypto.subtle` is missing otherwise. */
export async function computeSha256(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
