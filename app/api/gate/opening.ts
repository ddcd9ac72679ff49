/** Lets other modules wait until the gate opens. This file is separate from grant.ts, because every page imports it. */
const opening = Promise.withResolvers<void>();

/** Resolves when the gate opens. */
export function whenGateOpens(): Promise<void> {
  return opening.promise;
}

export function openGate(): void {
  opening.resolve();
}
