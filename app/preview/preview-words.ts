/** What a preview shows, in words. */

/** What the database tells of an open preview: private.preview_as_told(). */
export interface OpenPreview {
  id: string;
  expires_at: string;
  shows_drafts: boolean;
  /** The site as it will be then; null: as it is. */
  as_of: string | null;
  /** The table of the one item that the link is for; null for the whole site. */
  kind: string | null;
  /** That item; null when there is none, or none any more. `path` may have the place of its slug in it: /news/{slug}. */
  item: { title: string; slug: string | null; path: string } | null;
}

/** “A title”, or what of the whole site is shown. Without a full stop. */
export function previewInWords({ item, kind, shows_drafts, as_of }: OpenPreview): string {
  const then = as_of && `as of ${momentInWords(as_of)}`;
  if (kind) return [item ? `“${item.title}”` : 'An item that was deleted', then].filter(Boolean).join(', ');
  if (!then) return 'All drafts';
  return `The site ${then}${shows_drafts ? ', with all drafts' : ''}`;
}

/** 1 Mar 2027, 09:00 UTC */
export function momentInWords(moment: string): string {
  const words = new Date(moment).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return `${words} UTC`;
}
