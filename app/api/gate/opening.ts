/** Resolves when the gate opens. Separate from the grant, because every page imports this file. */
const opening = Promise.withResolvers<void>();

/** Resolves once the site may be shown. */
export function whenGateOpens(): Promise<void> {
  return opening.promise;
}

export function openGate(): void {
  opening.resolve();
}
