/** Types and labels of previews. */

/** Subject of a preview link. */
export interface PreviewSubject {
  /** Table of the item, or null for the whole site. */
  kind: string | null;
  /** Title of the item. Null if it was deleted. */
  title: string | null;
  shows_drafts: boolean;
  /** Future date of the previewed site, or null for now. */
  as_of: string | null;
  /** Name of the previewed release. */
  release: string | null;
}

/** Open preview, as returned by private.preview_details(). */
export interface OpenPreview extends Omit<PreviewSubject, 'title'> {
  id: string;
  expires_at: string;
  /** Item of the link. `path` may contain a slug placeholder: /news/{slug}. */
  item: { title: string; slug: string | null; path: string } | null;
}

/** Returns the quoted title of an item, or a description of a preview of the whole site. Without a full stop. */
export function previewLabel(subject: PreviewSubject, formatTime: (moment: string) => string = formatUtcTime): string {
  const { kind, title, shows_drafts, as_of, release } = subject;
  const date = as_of && `as of ${formatTime(as_of)}`;
  const releaseText = release && `with the release “${release}”`;
  const parts = [date, releaseText, shows_drafts && (date || releaseText) && 'with all drafts'].filter(Boolean);
  if (kind) return [title === null ? 'A deleted item' : `“${title}”`, ...parts].join(', ');
  return parts.length > 0 ? `The site ${parts.join(', ')}` : 'All drafts';
}

/** Formats a time in UTC, such as '1 Mar 2027, 09:00 UTC'. */
export function formatUtcTime(moment: string): string {
  const text = new Date(moment).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return `${text} UTC`;
}
