/** Name of the site and its assistant while none is saved. */
export const DEFAULT_SITE_NAME = 'Signalfjord';

/** Placeholder for the site's name in the built-in texts. Editors may write it in page sections and settings, too. */
export const SITE_NAME_PLACEHOLDER = '{site}';

/** The value with the name in place of {site}, in each text that it holds, however deep. */
export function withSiteName<Value>(value: Value, siteName: string): Value;
export function withSiteName(value: unknown, siteName: string): unknown {
  if (typeof value === 'string') return value.replaceAll(SITE_NAME_PLACEHOLDER, () => siteName);
  if (Array.isArray(value)) return value.map((entry) => withSiteName(entry, siteName));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withSiteName(entry, siteName)]));
}
