/** Pending team registrations, and decisions about registrations. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { changeAsSignedIn, reloadOnSettled } from '../api/as-signed-in.ts';
import { sessionApi } from '../api/visitor-api.ts';

export interface PendingRegistration {
  userId: string;
  /** 'Unknown' if the account has no email address or the lookup failed. */
  email: string;
  createdAt: string;
  /** True once the address is verified. */
  isConfirmed: boolean;
}

export interface Decision {
  id: string;
  /** Null if the account was deleted. */
  userId: string | null;
  email: string;
  approved: boolean;
  /** True if the rejection removed existing access. */
  revoked: boolean;
  decidedBy: string;
  decidedAt: string;
  /** Set if the rejection was undone. */
  withdrawn: { by: string; at: string } | null;
  /** True if the person is declined and can be made pending again. */
  canRestore: boolean;
}

export interface PendingRegistrations {
  people: PendingRegistration[];
  /** Error of the address lookup. If set, all addresses are 'Unknown', but decisions are still possible. */
  emailFailure: Error | null;
}

const KEY = ['registrations'];

/** Maximum number of decisions shown. */
const MAX_DECISIONS = 100;

/** Reads pending registrations, oldest first. */
export const pendingRegistrationsQuery = queryOptions({
  queryKey: [...KEY, 'pending'],
  queryFn: async (): Promise<PendingRegistrations> => {
    const api = await sessionApi();
    const { data: rows } = await api
      .from('user_roles')
      .select('user_id, created_at')
      .eq('role', 'team')
      .eq('approved', false)
      .order('created_at')
      .throwOnError();
    if (rows.length === 0) return { people: [], emailFailure: null };
    const [emails, unverified] = await Promise.all([
      readEmails(rows.map(({ user_id }) => user_id)).catch((failure: Error) => failure),
      api.rpc('unverified_registrations'),
    ]);
    const unconfirmed = new Set(unverified.data);
    const emailFailure = emails instanceof Error ? emails : null;
    const people = rows.map(({ user_id, created_at }) => ({
      userId: user_id,
      email: (emails instanceof Error ? undefined : emails.get(user_id)) ?? 'Unknown',
      createdAt: created_at,
      isConfirmed: !unconfirmed.has(user_id),
    }));
    return { people, emailFailure };
  },
  refetchInterval: 30_000,
});

/**
 * Approves or rejects a registration. Refetches the list even after an error, because another admin may have decided
 * already.
 */
export function decideMutation(approved: boolean) {
  return mutationOptions({
    mutationFn: changeAsSignedIn((api, { userId }: Pick<PendingRegistration, 'userId' | 'email'>) =>
      api.rpc('approve_team_member', { _user_id: userId, _approved: approved }),
    ),
    ...reloadOnSettled(KEY),
  });
}

/**
 * Makes a declined registration pending again.
 * @returns true if the person had not been notified yet
 */
export const restoreMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { userId }: Pick<PendingRegistration, 'userId' | 'email'>) =>
    api.rpc('restore_team_member', { _user_id: userId }),
  ),
  ...reloadOnSettled(KEY),
});

/** Reads the latest decisions, newest first. */
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
    // Show the decisions even if the address lookup fails.
    const emails = await readEmails(rows.flatMap(({ decided_by, withdrawn_by }) => [decided_by, withdrawn_by])).catch(
      () => null,
    );
    const formatAdmin = (id: string | null) => (emails ? (emails.get(id ?? '') ?? 'a former admin') : 'Unknown');
    const seenUserIds = new Set<string | null>();
    return rows.map((row) => {
      const isLatest = !seenUserIds.has(row.user_id);
      seenUserIds.add(row.user_id);
      return {
        id: row.id,
        userId: row.user_id,
        email: row.email || 'Unknown',
        approved: row.approved,
        revoked: row.revoked,
        decidedBy: formatAdmin(row.decided_by),
        decidedAt: row.decided_at,
        withdrawn: row.withdrawn_at === null ? null : { by: formatAdmin(row.withdrawn_by), at: row.withdrawn_at },
        canRestore: isLatest && row.user_id !== null && !row.approved && row.withdrawn_at === null,
      };
    });
  },
});

/** Reads email addresses by account ID. Nulls and deleted accounts are omitted. */
export async function readEmails(ids: (string | null)[]): Promise<Map<string, string>> {
  const uniqueIds = [...new Set(ids)].filter((id) => id !== null);
  if (uniqueIds.length === 0) return new Map();
  const api = await sessionApi();
  const { data } = await api.rpc('user_emails', { _user_ids: uniqueIds }).throwOnError();
  return new Map(data.map(({ user_id, email }) => [user_id, email]));
}
