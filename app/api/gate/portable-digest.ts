import { pbkdf2Async } from '@noble/hashes/pbkdf2.js';
import { sha256 } from '@noble/hashes/sha2.js';

/** Slower version of gateDigest for pages served over HTTP, where `crypto.subtle` is missing. */
export async function portableDigest(passcode: string, salt: string, iterations: number): Promise<string> {
  const saltBytes = Uint8Array.from(atob(salt), (character) => character.charCodeAt(0));
  const bytes = await pbkdf2Async(sha256, new TextEncoder().encode(passcode), saltBytes, { c: iterations, dkLen: 32 });
  return btoa(String.fromCharCode(...bytes));
}
