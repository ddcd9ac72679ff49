/** Base path of a preview. All site URLs inside a preview are prefixed with it, so links stay in the preview. */
import { createIsomorphicFn } from '@tanstack/react-start';

/** /preview/{id} inside a preview, otherwise empty. */
export const previewBase = createIsomorphicFn()
  .server(() => globalThis.signalfjordHost?.().preview?.base ?? '')
  .client(() => /^\/preview\/[^/]+/.exec(window.location.pathname)?.[0] ?? '');

/** URL for a plain anchor, such as one inside a text. */
export function withinPreview(href: string): string {
  return href.startsWith('/') ? previewBase() + href : href;
}

/**
 * Leaves the preview by loading `href` without its base path, so that the gate applies. For `beforeLoad` of routes that
 * previews do not include. Browser only.
 */
export async function leavePreview(href: string): Promise<void> {
  if (!previewBase()) return;
  window.location.replace(href);
  await new Promise(() => undefined);
}
