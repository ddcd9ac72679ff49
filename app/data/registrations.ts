/** Team registrations that wait for an admin. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { sessionApi } from './api.ts';

export interface PendingRegistration {
  userId: string;
  /** 'Unknown' when the account has none. */
  email: string;
  createdAt: string;
}

const KEY = ['registrations', 'pending'];

/** Oldest first, so that nobody waits longest unseen. */
export const pendingRegistrationsQuery = queryOptions({
  queryKey: KEY,
  queryFn: async (): Promise<PendingRegistration[]> => {
    const api = await sessionApi();
    const { data: waiting } = await api
      .from('user_roles')
      .select('user_id, created_at')
      .eq('role', 'team')
      .eq('approved', false)
      .order('created_at')
      .throwOnError();
    if (waiting.length === 0) return [];
    const { data: accounts } = await api
      .rpc('user_emails', { _user_ids: waiting.map(({ user_id }) => user_id) })
      .throwOnError();
    const emails = new Map(accounts.map(({ user_id, email }) => [user_id, email]));
    return waiting.map(({ user_id, created_at }) => ({
      userId: user_id,
      email: emails.get(user_id) ?? 'Unknown',
      createdAt: created_at,
    }));
  },
  refetchInterval: 30_000,
});

/** Approves or rejects the person; the list is loaded again whatever the answer, since somebody else may have decided. */
export function decideMutation(approved: boolean) {
  return mutationOptions({
    mutationFn: async (userId: string): Promise<void> => {
      const api = await sessionApi();
      await api.rpc('approve_team_member', { _user_id: userId, _approved: approved }).throwOnError();
    },
    onSettled: (_nothing, _error, _userId, _result, { client }) => client.invalidateQueries({ queryKey: KEY }),
  });
}
