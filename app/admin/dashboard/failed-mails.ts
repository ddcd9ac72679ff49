/** Mails that were given up, as admins see them: sent once more, or dismissed. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import type { Database } from '../../api/database.types.ts';

const KEY = ['failed-mails'];

export type FailedMail = Database['public']['Functions']['list_failed_mails']['Returns'][number];

/** The latest first, at most 100. */
export const failedMailsQuery = queryOptions({
  queryKey: KEY,
  queryFn: readAsSignedIn((api) => api.rpc('list_failed_mails')),
  // Mails fail while somebody looks at the list.
  staleTime: 0,
});

/** One that was sent or dismissed meanwhile is left alone. */
export const sendFailedMailMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, id: number) => api.rpc('send_failed_mail', { _id: id })),
  ...reloadOnSettled(KEY),
});

export const dismissFailedMailMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, id: number) => api.rpc('dismiss_failed_mail', { _id: id })),
  ...reloadOnSettled(KEY),
});
