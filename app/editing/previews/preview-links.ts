/** Links that show what is not published yet, as admins make, list and revoke them. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, readAsSignedIn, reloadOnSuccess } from '../../api/as-signed-in.ts';
import { sessionApi } from '../../api/visitor-api.ts';
import { optionalDate } from '../../ui/lib/calendar-date.ts';

const created = z.object({ token: z.string() });

const KEY = ['preview_links'];

/** A link that shows something at present. */
export interface PreviewLink {
  id: string;
  /** Part of its address behind the #. */
  token: string;
  kind: string | null;
  /** Title of the item that it is for; null for the whole site, or when the item was deleted. */
  title: string | null;
  /** The name of the release that it shows. */
  release: string | null;
  shows_drafts: boolean;
  as_of: string | null;
  created_by_email: string | null;
  created_at: string;
  expires_at: string;
}

/** The newest first. They end by themselves, so they are read again whenever somebody looks. */
export const previewLinksQuery = queryOptions({
  queryKey: [...KEY, 'list'],
  staleTime: 0,
  queryFn: readAsSignedIn((api) => api.rpc('list_preview_links')),
});

/** Releases that were not published yet, for choosing one. */
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

/** Choices for a new link. `shows` is about the whole site, or about the site around one item. */
export const newPreviewSchema = z
  .object({
    shows: z.enum(['now', 'drafts', 'date', 'release']),
    date: optionalDate,
    withDrafts: z.boolean(),
    release: z.string(),
    hours: z.coerce.number<number | string>().int().min(1).max(336),
  })
  .superRefine(({ shows, date, release }, context) => {
    if (shows === 'date' && !date)
      context.addIssue({ code: 'custom', path: ['date'], message: 'Please choose a date' });
    if (shows === 'release' && !release) {
      context.addIssue({ code: 'custom', path: ['release'], message: 'Please choose a release' });
    }
  });

export type NewPreview = z.output<typeof newPreviewSchema>;

/** Makes a link to one item, or to the whole site. @throws PostgrestError (22023, PT429) with a sentence */
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
      return previewAddress(created.parse(data).token);
    },
    ...reloadOnSuccess(KEY),
  });
}

export const revokePreviewLinkMutation = mutationOptions({
  mutationKey: [...KEY, 'revoke'],
  mutationFn: changeAsSignedIn((api, id: string) => api.rpc('revoke_preview_link', { _id: id })),
  ...reloadOnSuccess(KEY),
});

/** Returns the address to send to people who shall see the preview. Browser only. */
export function previewAddress(token: string): string {
  return `${window.location.origin}/preview#${token}`;
}
