/** Preview links to unpublished content, managed by admins. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, readAsSignedIn, reloadOnSuccess } from '../../api/as-signed-in.ts';
import { sessionApi } from '../../api/visitor-api.ts';
import { optionalDate } from '../../ui/lib/calendar-date.ts';

const created = z.object({ token: z.string() });

const KEY = ['preview_links'];

/** A valid preview link. */
export interface PreviewLink {
  id: string;
  /** URL fragment. */
  token: string;
  kind: string | null;
  /** Title of the item. Null for the whole site, or if the item was deleted. */
  title: string | null;
  /** Name of the previewed release. */
  release: string | null;
  shows_drafts: boolean;
  as_of: string | null;
  created_by_email: string | null;
  created_at: string;
  expires_at: string;
}

/** Reads the valid links, newest first. Refetches on every visit, because links expire. */
export const previewLinksQuery = queryOptions({
  queryKey: [...KEY, 'list'],
  staleTime: 0,
  queryFn: readAsSignedIn((api) => api.rpc('list_preview_links')),
});

/** Reads the unpublished releases for a select. */
export const openReleasesQuery = queryOptions({
  queryKey: ['releases', 'open', 'names'],
  staleTime: 0,
  queryFn: readAsSignedIn((api) =>
    api
      .from('releases')
      .select('id, name')
      .is('published_at', null)
      .order('created_at', { ascending: false })
      .limit(200),
  ),
});

/** Form schema of a new link. `shows` is the state of the whole site, or of the pages around a single item. */
export const newPreviewSchema = z
  .object({
    shows: z.enum(['now', 'drafts', 'date', 'release']),
    date: optionalDate,
    withDrafts: z.boolean(),
    release: z.string(),
    hours: z.coerce.number<number | string>().int().min(1).max(336),
  })
  .superRefine(({ shows, date, release }, context) => {
    if (shows === 'date' && !date) context.addIssue({ code: 'custom', path: ['date'], message: 'Choose a date' });
    if (shows === 'release' && !release) {
      context.addIssue({ code: 'custom', path: ['release'], message: 'Choose a release' });
    }
  });

export type NewPreview = z.output<typeof newPreviewSchema>;

/**
 * Creates a link to one item or to the whole site.
 * @throws PostgrestError (22023, PT429) with a message for the user
 */
export function createPreviewLinkMutation(item?: { kind: string; id: string }) {
  return mutationOptions({
    mutationKey: [...KEY, 'create'],
    mutationFn: async ({ shows, date, withDrafts, release, hours }: NewPreview): Promise<string> => {
      const api = await sessionApi();
      const { data } = await api
        .rpc('create_preview_link', {
          _hours: hours,
          _shows_drafts: shows === 'drafts' || (shows !== 'now' && withDrafts),
          ...(item && { _kind: item.kind, _item_id: item.id }),
          ...(shows === 'date' && { _as_of: new Date(date).toISOString() }),
          ...(shows === 'release' && { _release_id: release }),
        })
        .throwOnError();
      return previewUrl(created.parse(data).token);
    },
    ...reloadOnSuccess(KEY),
  });
}

export const revokePreviewLinkMutation = mutationOptions({
  mutationKey: [...KEY, 'revoke'],
  mutationFn: changeAsSignedIn((api, id: string) => api.rpc('revoke_preview_link', { _id: id })),
  ...reloadOnSuccess(KEY),
});

/** Returns the preview URL for sharing. Browser only. */
export function previewUrl(token: string): string {
  return `${window.location.origin}/preview#${token}`;
}
