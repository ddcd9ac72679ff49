/** Words for what a preview shows. */

/** Subject of a preview link. */
export interface PreviewSubject {
  /** The table of the one item that it is for; null for the whole site. */
  kind: string | null;
  /** Title of that item; null when it was deleted. */
  title: string | null;
  shows_drafts: boolean;
  /** The site as it will be then; null: as it is. */
  as_of: string | null;
  /** The name of the release that it shows. */
  release: string | null;
}

/** Open preview, as the database tells it: private.preview_as_told(). */
export interface OpenPreview extends Omit<PreviewSubject, 'title'> {
  id: string;
  expires_at: string;
  /** The item that the link is for. `path` may have the place of its slug in it: /news/{slug}. */
  item: { title: string; slug: string | null; path: string } | null;
}

/** “A title”, or what of the whole site is shown. Without a full stop. */
export function previewInWords(subject: PreviewSubject, sayMoment: (moment: string) => string = momentInUtc): string {
  const { kind, title, shows_drafts, as_of, release } = subject;
  const then = as_of && `as of ${sayMoment(as_of)}`;
  const released = release && `with the release “${release}”`;
  const parts = [then, released, shows_drafts && (then || released) && 'with all drafts'].filter(Boolean);
  if (kind) return [title === null ? 'An item that was deleted' : `“${title}”`, ...parts].join(', ');
  return parts.length > 0 ? `The site ${parts.join(', ')}` : 'All drafts';
}

/** 1 Mar 2027, 09:00 UTC */
export function momentInUtc(moment: string): string {
  const words = new Date(moment).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return `${words} UTC`;
}
