import type { GateChallenge } from '../host/site-host.ts';
import { gateDigest } from './digest.ts';

/**
 * Tells whether the passcode is the one that the server made the challenge from. Takes some tenths of a second on
 * purpose.
 */
export async function isPasscode(passcode: string, { salt, iterations, digest }: GateChallenge): Promise<boolean> {
  // Browsers offer the fast way only over https and on localhost.
  const digestOf = globalThis.crypto?.subtle ? gateDigest : (await import('./portable-digest.ts')).portableDigest;
  return (await digestOf(passcode, salt, iterations)) === digest;
}
