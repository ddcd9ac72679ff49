/** Messages of Chromium, Firefox and Safari, in this order, and of Vite about a stylesheet. */
const SENTENCES =
  /^(Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed|Unable to preload CSS)/;

/** Tells whether a part of the site's code could not be loaded: no network, or a build that is no longer served. */
export function isImportError(error: unknown): boolean {
  return error instanceof Error && SENTENCES.test(error.message);
}
