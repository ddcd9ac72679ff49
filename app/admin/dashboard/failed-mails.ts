/** Emails that could not be delivered. Admins can send them again or dismiss them. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import type { Database } from '../../api/database.types.ts';

const KEY = ['failed-mails'];

export type FailedMail = Database['public']['Functions']['list_failed_mails']['Returns'][number];

/** Reads up to 100 failed emails, newest first. */
export const failedMailsQuery = queryOptions({
  queryKey: KEY,
  queryFn: readAsSignedIn((api) => api.rpc('list_failed_mails')),
  // The list is refetched on every visit, because emails can fail at any time.
  staleTime: 0,
});

/** Sends an email again. Has no effect if it has already been sent or dismissed. */
export const sendFailedMailMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, id: number) => api.rpc('send_failed_mail', { _id: id })),
  ...reloadOnSettled(KEY),
});

export const dismissFailedMailMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, id: number) => api.rpc('dismiss_failed_mail', { _id: id })),
  ...reloadOnSettled(KEY),
});
