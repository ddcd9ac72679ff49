/** Error messages for failed imports in Chromium, Firefox and Safari, and in Vite for stylesheets. */
const MESSAGES =
  /^(Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed|Unable to preload CSS)/;

/** True if code of the site could not be loaded because the browser is offline or the build is outdated. */
export function isImportError(error: unknown): boolean {
  return error instanceof Error && MESSAGES.test(error.message);
}
