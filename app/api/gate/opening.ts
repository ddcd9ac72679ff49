/** Promise for the opening of the gate. Separate from the grant because every page imports it. */
const opening = Promise.withResolvers<void>();

/** Resolves once the site may be shown. */
export function whenGateOpens(): Promise<void> {
  return opening.promise;
}

export function openGate(): void {
  opening.resolve();
}
