import type { GateChallenge } from '../host/site-host.ts';
import { gateDigest } from './digest.ts';

/** Checks the passcode against the server's challenge. Deliberately takes a few hundred milliseconds. */
export async function isCorrectPasscode(
  passcode: string,
  { salt, iterations, digest }: GateChallenge,
): Promise<boolean> {
  // `crypto.subtle` is only available over HTTPS and on localhost.
  const computeDigest = globalThis.crypto?.subtle ? gateDigest : (await import('./portable-digest.ts')).portableDigest;
  return (await computeDigest(passcode, salt, iterations)) === digest;
}
