const { promise, resolve } = Promise.withResolvers<void>();

/** Resolves once React has taken over the server's page: what leads elsewhere before makes it find other elements. */
export const hydrated: Promise<void> = promise;

/** Called by an effect of the root, or of what stands in for a page that the browser makes, which is taken over later. */
export const noteHydrated: () => void = resolve;
