/** Members, invitations and assigned team members of clients. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { requestMagicLink } from '../accounts/authentication.ts';
import { emailSchema } from '../accounts/credentials.ts';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled } from '../api/as-signed-in.ts';
import { sessionApi } from '../api/visitor-api.ts';
import { keysOf } from '../ui/lib/keys-of.ts';
import { CLIENTS_KEY } from './clients.ts';

/**
 * Only approvers can approve or decline requests, change leads, accept or dispute meetings, and report their results.
 * Viewers have all other rights, but do not see the amounts of deals.
 */
export const MEMBER_KINDS = { approver: 'Approver', viewer: 'Viewer' } as const;

export type MemberKind = keyof typeof MEMBER_KINDS;

const kind = z.enum(keysOf(MEMBER_KINDS));

/** Returns a note that tells viewers who can decide. */
export function viewerNotice(client: string): string {
  return `Approvers of ${client} decide on this. As a viewer, you can only read it.`;
}

/** Email notifications that a member can turn on. */
export const NOTIFICATIONS = {
  waiting: 'When something needs your answer',
  report: 'When a report is ready',
  lead: 'When someone answers a campaign with interest',
} as const;

export type NotificationKind = keyof typeof NOTIFICATIONS;

/** Always refetched, because other team members can change memberships. */
const FRESH = { staleTime: 0 } as const;

const peopleSchema = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    is_team: z.boolean(),
    /** Null for team members. */
    kind: kind.nullable(),
    /** True for an invited person whose email address is not verified. */
    is_waiting: z.boolean(),
    /** Last time the member opened the portal. */
    read_at: z.string().nullable(),
  }),
);

export type ClientPerson = z.output<typeof peopleSchema>[number];

/** Reads a client's members, pending invitations and assigned team members. */
export function clientPeopleQuery(clientId: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...CLIENTS_KEY, 'people', clientId],
    queryFn: async (context): Promise<ClientPerson[]> =>
      peopleSchema.parse(await readAsSignedIn((api) => api.rpc('client_people', { _client_id: clientId }))(context)),
  });
}

const membershipSchema = z.object({ kind, notifications: z.array(z.enum(keysOf(NOTIFICATIONS))) });

/** Reads a user's role and notification settings at a client, or null if the user is not a member. */
export function membershipQuery(clientId: string, userId: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...CLIENTS_KEY, 'membership', clientId, userId],
    queryFn: async ({ signal }) => {
      const api = await sessionApi();
      const { data } = await api
        .from('client_members')
        .select('kind, notifications')
        .match({ client_id: clientId, user_id: userId })
        .abortSignal(signal)
        .throwOnError();
      return membershipSchema.nullable().parse(data[0] ?? null);
    },
  });
}

export const memberSchema = emailSchema.extend({ kind });

interface MemberInput extends z.output<typeof memberSchema> {
  clientId: string;
}

/**
 * Adds a member and notifies them by email. Members get access once their email address is verified.
 * @returns true if the address is already verified
 */
export const addMemberMutation = mutationOptions({
  mutationFn: async ({ clientId, email, kind }: MemberInput): Promise<boolean> => {
    const member = { _client_id: clientId, _email: email, _kind: kind };
    const { data: state } = await (await sessionApi()).rpc('add_client_member', member).throwOnError();
    // With Supabase, only the authentication service can send magic links.
    if (state === 'unlinked') await requestMagicLink(email);
    return state === 'added';
  },
  ...reloadOnSettled(CLIENTS_KEY),
});

export const assignMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, userId }: { clientId: string; userId: string }) =>
    api.from('client_assignments').insert({ client_id: clientId, user_id: userId }),
  ),
  ...reloadOnSettled(CLIENTS_KEY),
});

interface MembershipInput {
  clientId: string;
  person: Pick<ClientPerson, 'id' | 'is_team' | 'is_waiting'>;
}

export const changeKindMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, person, kind }: MembershipInput & { kind: MemberKind }) =>
    api
      .from(person.is_waiting ? 'client_invitations' : 'client_members')
      .update({ kind })
      .match({ client_id: clientId, user_id: person.id }),
  ),
  ...reloadOnSettled(CLIENTS_KEY),
});

/** Removes a member or cancels an invitation. */
export const removePersonMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, person: { id, is_team, is_waiting } }: MembershipInput) =>
    api
      .from(is_team ? 'client_assignments' : is_waiting ? 'client_invitations' : 'client_members')
      .delete()
      .match({ client_id: clientId, user_id: id }),
  ),
  ...reloadOnSettled(CLIENTS_KEY),
});

export const setNotificationsMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, mails }: { clientId: string; mails: NotificationKind[] }) =>
    api.rpc('set_my_client_mails', { _client_id: clientId, _notifications: mails }),
  ),
  ...reloadOnSettled(CLIENTS_KEY),
});
