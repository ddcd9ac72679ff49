/** The moment at which the gate opens. Apart from the grant, because every page has it, with a gate or without. */
const opening = Promise.withResolvers<void>();

/** Resolves as soon as this page load may show the site. */
export function whenGateOpens(): Promise<void> {
  return opening.promise;
}

export function openGate(): void {
  opening.resolve();
}
