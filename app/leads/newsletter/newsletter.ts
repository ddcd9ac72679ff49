/** Newsletter subscribers, for admins. Another tool sends the newsletter. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { changeAsSignedIn, readPageAsSignedIn, reloadOnSuccess } from '../../api/as-signed-in.ts';
import { sessionApi } from '../../api/visitor-api.ts';
import { containsPattern } from '../../ui/lib/contains-filter.ts';
import { writeCsv } from '../../ui/lib/write-csv.ts';

const KEY = ['newsletter'];

export interface Subscriber {
  id: string;
  email: string;
  /** Null until confirmed. */
  confirmed_at: string | null;
  created_at: string;
}

/** Reads one page (1-based) of subscribers, newest first, and the total count. */
export function subscribersQuery({ page, search }: { page: number; search: string }) {
  return queryOptions({
    queryKey: [...KEY, 'list', { page, search }],
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: readPageAsSignedIn(page, (api) => {
      const request = api
        .from('newsletter_subscribers')
        .select('id, email, confirmed_at, created_at', { count: 'exact' })
        .order('created_at', { ascending: false })
        .order('id');
      return search.trim() ? request.ilike('email', containsPattern(search.trim())) : request;
    }),
  });
}

export const deleteSubscriberMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, id: string) => api.from('newsletter_subscribers').delete().eq('id', id)),
  ...reloadOnSuccess(KEY),
});

/** Exports the confirmed subscribers as CSV (RFC 4180), with their unsubscribe links. */
export const exportSubscribersMutation = mutationOptions({
  mutationFn: async (): Promise<string> => {
    const api = await sessionApi();
    const { data } = await api.rpc('export_newsletter').throwOnError();
    const rows = data.map(({ email, confirmed_at, unsubscribe_token }) => [
      email,
      confirmed_at,
      `${window.location.origin}/newsletter/unsubscribe?token=${encodeURIComponent(unsubscribe_token)}`,
    ]);
    return writeCsv([['email', 'confirmed_at', 'unsubscribe_url'], ...rows]);
  },
});
