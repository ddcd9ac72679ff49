/**
 * Base of a preview: inside it every address of the site has the preview's own before it, so that its links stay there.
 */
import { createIsomorphicFn } from '@tanstack/react-start';

/** /preview/{id} inside a preview, empty everywhere else. */
export const previewBase = createIsomorphicFn()
  .server(() => globalThis.signalfjordHost?.().preview?.base ?? '')
  .client(() => /^\/preview\/[^/]+/.exec(window.location.pathname)?.[0] ?? '');

/** Returns an address for an anchor that is no link of the router, such as one inside a text. */
export function withinPreview(href: string): string {
  return href.startsWith('/') ? previewBase() + href : href;
}

/**
 * Loads a page that is no part of a preview anew outside of it, for `beforeLoad` in the browser; there the gate stands
 * before it again.
 */
export async function leavePreview(href: string): Promise<void> {
  if (!previewBase()) return;
  window.location.replace(href);
  await new Promise(() => undefined);
}
