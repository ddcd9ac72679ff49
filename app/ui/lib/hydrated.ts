const { promise, resolve } = Promise.withResolvers<void>();

/** Resolves after hydration. Navigating earlier would cause a hydration mismatch. */
export const hydrated: Promise<void> = promise;

/** Resolves `hydrated`. Called by the root, or by the placeholder of a client-rendered page, which hydrates later. */
export const markHydrated: () => void = resolve;
