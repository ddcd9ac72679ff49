const { promise, resolve } = Promise.withResolvers<void>();

/** Resolves once React has taken over the server's page: what leads elsewhere before makes it find other elements. */
export const hydrated: Promise<void> = promise;

/** Called by an effect of the root, which runs when its elements are taken over. */
export const noteHydrated: () => void = resolve;
