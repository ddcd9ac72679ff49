/** Lets other modules wait until the gate opens. Every page imports this file, so it is separate from grant.ts. */
const opening = Promise.withResolvers<void>();

/** Resolves when the gate opens. */
export function whenGateOpens(): Promise<void> {
  return opening.promise;
}

export function openGate(): void {
  opening.resolve();
}
