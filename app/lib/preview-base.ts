/** Inside a preview every address of the site has the preview's own before it, so that whoever looks around stays there. */
import { createIsomorphicFn } from '@tanstack/react-start';

/** /preview/{id} inside a preview, empty everywhere else. */
export const previewBase = createIsomorphicFn()
  .server(() => globalThis.signalfjordHost?.().preview?.base ?? '')
  .client(() => /^\/preview\/[^/]+/.exec(window.location.pathname)?.[0] ?? '');

/** An address for an anchor that is no link of the router, such as one inside a text. */
export function withinPreview(href: string): string {
  return href.startsWith('/') ? previewBase() + href : href;
}

/**
 * For `beforeLoad` of pages in the browser that are no part of a preview: loads them anew outside of it, where the gate
 * stands before them again.
 */
export async function leavePreview(href: string): Promise<void> {
  if (!previewBase()) return;
  window.location.replace(href);
  await new Promise(() => undefined);
}
