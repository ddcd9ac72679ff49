/** Our own SQL raises it where many ask at once: the visitor is then asked to show that their address is theirs. */
const PROOF_WANTED = 'PT428';

/** Tells whether the database took nothing, and would hold it until the visitor opens the link in their mail. */
export function wantsProof(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === PROOF_WANTED;
}
