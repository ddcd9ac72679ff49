/** Team registrations: who waits for an admin, and what admins decided. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { changeAsSignedIn, reloadOnSettled } from '../api/as-signed-in.ts';
import { sessionApi } from '../api/visitor-api.ts';

export interface PendingRegistration {
  userId: string;
  /** 'Unknown' when the account has none, or when none could be looked up. */
  email: string;
  createdAt: string;
  /** False until the person has confirmed the address by a mailed link or code. */
  isConfirmed: boolean;
}

export interface Decision {
  id: string;
  /** Null when the account was deleted since. */
  userId: string | null;
  email: string;
  approved: boolean;
  /** True when the no took away what the person had already. */
  revoked: boolean;
  decidedBy: string;
  decidedAt: string;
  /** Set when a rejection was taken back. */
  withdrawn: { by: string; at: string } | null;
  /** True when the person is declined now and could be put back on the list. */
  canRestore: boolean;
}

export interface PendingRegistrations {
  people: PendingRegistration[];
  /**
   * Reason why no e-mail address could be looked up; everybody is 'Unknown' then, and can be decided about all the
   * same.
   */
  emailFailure: Error | null;
}

const KEY = ['registrations'];

/** Most decisions that are shown. */
const MAX_DECISIONS = 100;

/** Oldest first, so that nobody waits longest unseen. */
export const pendingRegistrationsQuery = queryOptions({
  queryKey: [...KEY, 'pending'],
  queryFn: async (): Promise<PendingRegistrations> => {
    const api = await sessionApi();
    const { data: waiting } = await api
      .from('user_roles')
      .select('user_id, created_at')
      .eq('role', 'team')
      .eq('approved', false)
      .order('created_at')
      .throwOnError();
    if (waiting.length === 0) return { people: [], emailFailure: null };
    const [emails, unproven] = await Promise.all([
      emailsOf(waiting.map(({ user_id }) => user_id)).catch((failure: Error) => failure),
      api.rpc('unproven_registrations'),
    ]);
    const unconfirmed = new Set(unproven.data);
    const emailFailure = emails instanceof Error ? emails : null;
    const people = waiting.map(({ user_id, created_at }) => ({
      userId: user_id,
      email: (emails instanceof Error ? undefined : emails.get(user_id)) ?? 'Unknown',
      createdAt: created_at,
      isConfirmed: !unconfirmed.has(user_id),
    }));
    return { people, emailFailure };
  },
  refetchInterval: 30_000,
});

/** Approves or rejects the person; the list is loaded again whatever the answer, since somebody else may have decided. */
export function decideMutation(approved: boolean) {
  return mutationOptions({
    mutationFn: changeAsSignedIn((api, { userId }: Pick<PendingRegistration, 'userId' | 'email'>) =>
      api.rpc('approve_team_member', { _user_id: userId, _approved: approved }),
    ),
    ...reloadOnSettled(KEY),
  });
}

/** Puts a declined person back on the list. True when they had not been told yet. */
export const restoreMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { userId }: Pick<PendingRegistration, 'userId' | 'email'>) =>
    api.rpc('restore_team_member', { _user_id: userId }),
  ),
  ...reloadOnSettled(KEY),
});

/** The latest decisions, newest first. */
export const decisionsQuery = queryOptions({
  queryKey: [...KEY, 'decisions'],
  queryFn: async (): Promise<Decision[]> => {
    const api = await sessionApi();
    const { data: rows } = await api
      .from('registration_decisions')
      .select('id, user_id, email, approved, revoked, decided_by, decided_at, withdrawn_by, withdrawn_at')
      .order('decided_at', { ascending: false })
      .limit(MAX_DECISIONS)
      .throwOnError();
    // A lookup that fails hides no decision.
    const emails = await emailsOf(rows.flatMap(({ decided_by, withdrawn_by }) => [decided_by, withdrawn_by])).catch(
      () => null,
    );
    const nameOf = (id: string | null) => (emails ? (emails.get(id ?? '') ?? 'a former admin') : 'Unknown');
    const later = new Set<string | null>();
    return rows.map((row) => {
      const isLatest = !later.has(row.user_id);
      later.add(row.user_id);
      return {
        id: row.id,
        userId: row.user_id,
        email: row.email || 'Unknown',
        approved: row.approved,
        revoked: row.revoked,
        decidedBy: nameOf(row.decided_by),
        decidedAt: row.decided_at,
        withdrawn: row.withdrawn_at === null ? null : { by: nameOf(row.withdrawn_by), at: row.withdrawn_at },
        canRestore: isLatest && row.user_id !== null && !row.approved && row.withdrawn_at === null,
      };
    });
  },
});

/** Reads the addresses of accounts by their ids; nulls, and accounts that are gone, are left out. */
export async function emailsOf(ids: (string | null)[]): Promise<Map<string, string>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const api = await sessionApi();
  const { data } = await api.rpc('user_emails', { _user_ids: wanted }).throwOnError();
  return new Map(data.map(({ user_id, email }) => [user_id, email]));
}
