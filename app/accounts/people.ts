/** Account administration and the activity log. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled } from '../api/as-signed-in.ts';
import { PAGE_SIZE, pageRange } from '../api/paging.ts';
import { sessionApi } from '../api/visitor-api.ts';
import { requestMagicLink } from './authentication.ts';
import { emailSchema } from './credentials.ts';
import { readEmails } from './registrations.ts';

/** State of an account. It is the role, or the reason why the account has no role. */
export type AccountStatus = 'client' | 'team' | 'admin' | 'pending' | 'declined' | 'none';

/** List filter. `invited` matches pending invitations of any role. */
export type PeopleFilter = AccountStatus | 'invited';

export interface PersonListItem {
  id: string;
  /** Falls back to the phone number. */
  email: string;
  name: string;
  status: AccountStatus;
  isInvited: boolean;
  /** Null if the user never signed in. */
  lastSignInAt: string | null;
  factors: number;
  sessions: number;
}

const KEY = ['people'];

/** The list is refetched on every visit, because other admins and the users themselves change accounts. */
const FRESH = { staleTime: 0 } as const;

const statusSchema = z.enum(['client', 'team', 'admin', 'pending', 'declined', 'none']);

/** Reads a page (1-based) of accounts, newest first, with the total. */
export function peopleQuery({
  page,
  search,
  filter,
}: {
  page: number;
  search: string;
  filter?: PeopleFilter | undefined;
}) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'list', { page, search, filter }],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<{ items: PersonListItem[]; count: number }> => {
      const api = await sessionApi();
      const [_offset] = pageRange(page);
      const { data } = await api
        .rpc('list_people', { _search: search, _status: filter ?? '', _limit: PAGE_SIZE, _offset })
        .abortSignal(signal)
        .throwOnError();
      const items = data.map((row) => ({
        id: row.id,
        email: row.email,
        name: row.name,
        status: statusSchema.parse(row.status),
        isInvited: row.invited,
        lastSignInAt: row.last_sign_in_at,
        factors: row.factors,
        sessions: row.sessions,
      }));
      return { items, count: data[0]?.total ?? 0 };
    },
  });
}

function isId(text: string): boolean {
  return z.guid().safeParse(text).success;
}

const time = z.string().nullable();

const personSchema = z.object({
  id: z.string(),
  email: z.string(),
  phone: z.string(),
  name: z.string(),
  status: statusSchema,
  invited: z.boolean(),
  created_at: time,
  email_confirmed_at: time,
  last_sign_in_at: time,
  sessions: z.array(z.object({ id: z.string(), last_active_at: time, user_agent: z.string(), ip_address: z.string() })),
  factors: z.array(
    z.object({ id: z.string(), name: z.string(), type: z.string(), status: z.string(), created_at: time }),
  ),
  identities: z.array(z.object({ id: z.string(), provider: z.string(), email: z.string(), last_sign_in_at: time })),
});

export type PersonDetail = z.infer<typeof personSchema>;

/** Reads an account, or null if it does not exist. */
export function personQuery(id: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'person', id],
    queryFn: async ({ signal }): Promise<PersonDetail | null> => {
      if (!isId(id)) return null;
      const api = await sessionApi();
      const { data } = await api.rpc('read_person', { _user_id: id }).abortSignal(signal).throwOnError();
      return personSchema.nullable().parse(data);
    },
  });
}

/** Counts the chats that contain an account's email address. Deleting the account also deletes these chats. */
export function chatsWithAddressQuery(id: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'chats', id],
    queryFn: readAsSignedIn((api) => api.rpc('count_chats_mentioning', { _user_id: id })),
  });
}

/** Counts the leads with an account's email address. Deleting the account also deletes these leads. */
export function leadsWithAddressQuery(id: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'leads', id],
    queryFn: readAsSignedIn((api) => api.rpc('count_leads_of', { _user_id: id })),
  });
}

/** Refetches everything that an account action may have changed, even after an error. */
export const reloadPeople = reloadOnSettled(KEY, ['registrations']);

type Action =
  | 'make_client'
  | 'make_admin'
  | 'revoke_access'
  | 'end_person_sessions'
  | 'reset_person_factors'
  | 'delete_person';

/** Returns the mutation for an action on an account. */
function actionMutation(name: Action) {
  return mutationOptions({
    mutationFn: changeAsSignedIn((api, id: string) => api.rpc(name, { _user_id: id })),
    ...reloadPeople,
  });
}

export const makeClientMutation = actionMutation('make_client');
export const makeAdminMutation = actionMutation('make_admin');
export const revokeAccessMutation = actionMutation('revoke_access');
export const endPersonSessionsMutation = actionMutation('end_person_sessions');
export const resetPersonFactorsMutation = actionMutation('reset_person_factors');
export const deletePersonMutation = actionMutation('delete_person');

/** Exports all data about the person as JSON text. The export is logged. */
export const exportPersonMutation = mutationOptions({
  mutationFn: async (id: string): Promise<string> => {
    const api = await sessionApi();
    const { data } = await api.rpc('export_person', { _user_id: id }).throwOnError();
    return JSON.stringify(data, null, 2);
  },
  ...reloadOnSettled([...KEY, 'activity-log']),
});

export const invitationSchema = emailSchema.extend({ role: z.enum(['client', 'team']) });

/** Creates an account and emails a sign-in link. Resends the invitation if the person has not signed in yet. */
export const inviteMutation = mutationOptions({
  mutationFn: async ({ email, role }: z.infer<typeof invitationSchema>): Promise<void> => {
    const api = await sessionApi();
    const { data: isMailed } = await api.rpc('invite_person', { _email: email, _role: role }).throwOnError();
    // On Supabase, only the authentication service can send magic links.
    if (!isMailed) await requestMagicLink(email);
  },
  ...reloadPeople,
});

export interface ActivityLogEntry {
  id: number;
  at: string;
  action: string;
  role: string | null;
  actor: string;
  person: string;
  /** Null if the account was deleted. */
  personId: string | null;
}

/** Reads a page (1-based) of the log of one or all accounts, latest first. */
export function activityLogQuery({ page, person }: { page: number; person?: string | undefined }) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'activity-log', { page, person }],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<{ items: ActivityLogEntry[]; count: number }> => {
      const api = await sessionApi();
      let request = api.from('people_log').select('id, at, action, role, actor_id, person_id', { count: 'exact' });
      if (person && !isId(person)) return { items: [], count: 0 };
      if (person) request = request.eq('person_id', person);
      const { data, count } = await request
        .order('id', { ascending: false })
        .range(...pageRange(page))
        .abortSignal(signal)
        .throwOnError();
      const emails = await readEmails(data.flatMap(({ actor_id, person_id }) => [actor_id, person_id]));
      const formatActor = (id: string | null) =>
        emails.get(id ?? '') ?? (id ? `account ${id.slice(0, 8)}` : 'the system');
      const items = data.map(({ id, at, action, role, actor_id, person_id }) => ({
        id,
        at,
        action,
        role,
        actor: formatActor(actor_id),
        person: formatActor(person_id),
        personId: person_id !== null && emails.has(person_id) ? person_id : null,
      }));
      return { items, count: count ?? 0 };
    },
  });
}
