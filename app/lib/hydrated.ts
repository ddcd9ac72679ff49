const { promise, resolve } = Promise.withResolvers<void>();

/**
 * Resolves once React has taken over the page that the server rendered. What leads to another page before that makes React
 * find other elements than the server's.
 */
export const hydrated: Promise<void> = promise;

/** Called by an effect of the root, which runs when its elements are taken over. */
export const noteHydrated: () => void = resolve;
