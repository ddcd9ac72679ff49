/** Default name of the site and its assistant. */
export const DEFAULT_SITE_NAME = 'Signalfjord';

/** Placeholder for the name of the site in texts. Editors can also use it in page sections and settings. */
export const SITE_NAME_PLACEHOLDER = '{site}';

/** Replaces {site} by the name in all texts of a nested value. */
export function fillSiteName<Value>(value: Value, siteName: string): Value;
export function fillSiteName(value: unknown, siteName: string): unknown {
  if (typeof value === 'string') return value.replaceAll(SITE_NAME_PLACEHOLDER, () => siteName);
  if (Array.isArray(value)) return value.map((entry) => fillSiteName(entry, siteName));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fillSiteName(entry, siteName)]));
}
