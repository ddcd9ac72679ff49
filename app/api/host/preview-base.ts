import { createIsomorphicFn } from '@tanstack/react-start';

/** Returns the prefix of all site URLs inside a preview, /preview/{id}. Returns '' outside of previews. */
export const previewBase = createIsomorphicFn()
  .server(() => globalThis.signalfjordHost?.().preview?.base ?? '')
  .client(() => /^\/preview\/[^/]+/.exec(window.location.pathname)?.[0] ?? '');

/** Adds the base path to the URL of a plain anchor, for example in a text. */
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
