/** Clients and their campaigns. Row-level security limits the visible rows. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { GOAL_FIELDS } from '../../supabase/functions/metrics.ts';
import { changeAsSignedIn, openApi, readAsSignedIn, readPageAsSignedIn, reloadOnSettled } from '../api/as-signed-in.ts';
import type { Selected } from '../api/tables.ts';
import { optionalDate } from '../ui/lib/calendar-date.ts';
import { keysOf, recordOf } from '../ui/lib/keys-of.ts';
import { oneLine } from '../ui/lib/one-line.ts';

export const CHANNELS = { email: 'Email', linkedin: 'LinkedIn', phone: 'Phone', other: 'Other' } as const;
/** Phases of a campaign, in workflow order. */
export const PHASES = {
  planned: 'Planned',
  building: 'Building',
  running: 'Running',
  paused: 'Paused',
  done: 'Done',
} as const;

export type Phase = keyof typeof PHASES;
type Channel = keyof typeof CHANNELS;

export const CLIENTS_KEY = ['clients'];

/** Always refetched, because other team members can edit clients. */
const FRESH = { staleTime: 0 } as const;

export const CAMPAIGN_COLUMNS = 'id, client_id, name, channel, phase, next_step, due_on, updated_at';
export const OWN_COLUMNS =
  'id, name, domain, time_zone, first_weekday, currency, meetings_goal, replies_goal, delivered_goal, report_weekday, report_hour, lead_months, is_sample, logo, updated_at, changed_by';
const CLIENT_COLUMNS = `${OWN_COLUMNS}, campaigns(${CAMPAIGN_COLUMNS})` as const;

export type Campaign = Selected<'campaigns', typeof CAMPAIGN_COLUMNS>;
export type Client = Selected<'clients', typeof OWN_COLUMNS> & { campaigns: Campaign[] };

/** Reads a page (1-based) of visible clients by name, with their campaigns by due date. */
export function clientsQuery(page: number) {
  return queryOptions({
    ...FRESH,
    queryKey: [...CLIENTS_KEY, 'list', page],
    placeholderData: keepPreviousData,
    queryFn: readPageAsSignedIn(page, (api) =>
      api
        .from('clients')
        .select(CLIENT_COLUMNS, { count: 'exact' })
        .is('campaigns.deleted_at', null)
        .order('name')
        .order('id')
        .order('due_on', { referencedTable: 'campaigns', nullsFirst: false })
        .order('name', { referencedTable: 'campaigns' }),
    ),
  });
}

/** Reads the names of all visible clients, for a select. */
export const clientNamesQuery = queryOptions({
  ...FRESH,
  queryKey: [...CLIENTS_KEY, 'names'],
  queryFn: readAsSignedIn((api) => api.from('clients').select('id, name, logo').order('name').order('id').limit(1000)),
});

/** Reads a client, or null if it does not exist or is not visible to the user. */
export function clientQuery(id: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...CLIENTS_KEY, 'client', id],
    queryFn: async (context): Promise<Client | null> => {
      if (!z.guid().safeParse(id).success) return null;
      const api = await openApi(context);
      const { data } = await api
        .from('clients')
        .select(CLIENT_COLUMNS)
        .eq('id', id)
        .is('campaigns.deleted_at', null)
        .order('due_on', { referencedTable: 'campaigns', nullsFirst: false })
        .order('name', { referencedTable: 'campaigns' })
        .abortSignal(context.signal)
        .throwOnError();
      return data[0] ?? null;
    },
  });
}

const name = oneLine.min(1, 'A name is required').max(200, 'Name must be at most 200 characters');

/** Returns the schema of an optional number. Also accepts numbers, because merged versions contain parsed values. */
function optionalNumber(pattern: RegExp, message: string) {
  return z.preprocess(
    (value: string | number | null) => String(value ?? ''),
    oneLine.regex(pattern, message).transform((text) => (text === '' ? null : Number(text))),
  );
}

/** Returns the schema of a number selected from a list. */
function chosenNumber(min: number, max: number, message: string) {
  return z.coerce.number<string>(message).int(message).min(min, message).max(max, message);
}

/** Monthly goal, or empty. */
const goal = optionalNumber(/^([1-9]\d{0,8})?$/, 'Enter a whole number, or leave this empty.');

export const clientSchema = z.object({
  name,
  domain: oneLine
    .toLowerCase()
    .max(253, 'Domain must be at most 253 characters')
    .regex(/^[a-z0-9.-]*$/, 'Enter a domain such as example.com.'),
  time_zone: z.string(),
  /** 1 for Monday to 7 for Sunday. */
  first_weekday: chosenNumber(1, 7, 'Choose the first day of the week.'),
  currency: oneLine.toUpperCase().regex(/^[A-Z]{3}$/, 'Enter three letters such as NOK.'),
  ...recordOf(GOAL_FIELDS, () => goal),
  /** 1 for Monday to 7 for Sunday, or null. */
  report_weekday: optionalNumber(/^[1-7]?$/, 'Choose a day, or “Never”.'),
  report_hour: chosenNumber(0, 23, 'Choose an hour.'),
  /** Number of months that leads are kept after their last change. */
  lead_months: chosenNumber(1, 60, 'Enter a number of months from 1 to 60.'),
});

/** Deletes a client with its campaigns. Idempotent. */
export const deleteClientMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, id: string) => api.from('clients').delete().eq('id', id)),
  ...reloadOnSettled(CLIENTS_KEY),
});

export const campaignSchema = z.object({
  name,
  channel: z.enum(keysOf(CHANNELS)),
  phase: z.enum(keysOf(PHASES)),
  next_step: oneLine.max(500, 'Write at most 500 characters.'),
  /** YYYY-MM-DD, or empty. */
  due_on: optionalDate,
});

/** Returns the label of a phase, such as 'Building'. */
export function phaseLabel(phase: string): string {
  return isPhase(phase) ? PHASES[phase] : phase;
}

export function isPhase(text: string): text is Phase {
  return Object.hasOwn(PHASES, text);
}

/** Returns the label of a channel, such as 'LinkedIn'. */
export function channelLabel(channel: string): string {
  return isChannel(channel) ? CHANNELS[channel] : channel;
}

export function isChannel(text: string): text is Channel {
  return Object.hasOwn(CHANNELS, text);
}
