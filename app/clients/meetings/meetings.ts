/** The ledger of meetings that campaigns of a client brought: what all figures of meetings count. Policies decide who sees it. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import { PAGE_SIZE, pageRange } from '../../api/paging.ts';
import { optionalDate, requiredDate } from '../../ui/lib/calendar-date.ts';
import { keysOf } from '../../ui/lib/keys-of.ts';
import { oneLine } from '../../ui/lib/one-line.ts';
import { HOME_KEY } from '../client-home.ts';
import { FIGURES_KEY } from '../figures/figures-key.ts';

export const MEETINGS_KEY = ['client-meetings'];

/** Asked anew on every screen: both sides write. */
const FRESH = { staleTime: 0 } as const;

/** In the order in which a meeting goes through them. */
export const OUTCOMES = { booked: 'Booked', held: 'Held', no_show: 'Nobody came' } as const;

const meetingSchema = z.object({
  id: z.string(),
  /** Null for one that a figure has counted, until somebody adds its time. */
  starts_at: z.string().nullable(),
  /** Empty for one that a figure has counted, until somebody adds its name. */
  met_with: z.string(),
  outcome: z.enum(keysOf(OUTCOMES)),
  evidence: z.string(),
  /** The end of the client's time to answer; null while the meeting is booked. */
  answer_until: z.string().nullable(),
  answer: z.enum(['accepted', 'disputed']).nullable(),
  reason: z.string(),
  answered_by: z.string(),
  answered_at: z.string().nullable(),
  /** True as long as the client can answer. */
  is_open: z.boolean(),
  waiting: z.number(),
  total: z.number(),
  /** The campaign that brought it, where that is known. */
  campaign_id: z.string().nullable(),
  campaign: z.string().nullable(),
  /** The day on which it counts. */
  booked_on: z.string(),
  /** A person, or a figure of an import or event, whose row a person may have completed. */
  origin: z.enum(['person', 'figure', 'completed']),
});

export type Meeting = z.output<typeof meetingSchema>;

/** Reads a page (from 1) of the meetings of a client: those that wait for an answer first, then the latest. */
export function meetingsQuery(clientId: string, page: number) {
  return queryOptions({
    ...FRESH,
    queryKey: [...MEETINGS_KEY, clientId, page],
    placeholderData: keepPreviousData,
    queryFn: async (context) => {
      const [_offset] = pageRange(page);
      const rows = await readAsSignedIn((api) =>
        api.rpc('list_client_meetings', { _client_id: clientId, _limit: PAGE_SIZE, _offset }),
      )(context);
      const items = z.array(meetingSchema).parse(rows);
      return { items, count: items[0]?.total ?? 0, waiting: items[0]?.waiting ?? 0 };
    },
  });
}

export const savedMeetingSchema = z.object({
  met_with: oneLine.min(1, 'A name is required').max(200, 'Name must be at most 200 characters'),
  /** In the time zone of this browser, as a datetime-local input has it. */
  starts_at: requiredDate('A time is required'),
  outcome: z.enum(keysOf(OUTCOMES)),
  evidence: z.string().trim().max(2000, 'Write at most 2,000 characters.'),
  /** Empty where it is not known. */
  campaign_id: z.string(),
  /** YYYY-MM-DD; empty takes today, or the day of a meeting that is over. */
  booked_on: optionalDate,
});

interface SavedMeeting extends z.output<typeof savedMeetingSchema> {
  clientId: string;
  /** Undefined adds one. */
  id: string | undefined;
}

/** Saves a meeting; `starts_at` is an instant here. */
export const saveMeetingMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id, campaign_id, booked_on, ...meeting }: SavedMeeting) =>
    api.rpc('save_client_meeting', {
      _client_id: clientId,
      _starts_at: meeting.starts_at,
      _met_with: meeting.met_with,
      _outcome: meeting.outcome,
      _evidence: meeting.evidence,
      ...(campaign_id !== '' && { _campaign_id: campaign_id }),
      ...(booked_on !== '' && { _booked_on: booked_on }),
      ...(id !== undefined && { _id: id }),
    }),
  ),
  ...reloadOnSettled(MEETINGS_KEY, FIGURES_KEY),
});

/** Deletes a meeting that nobody answered. Deleting what is gone already succeeds. */
export const deleteMeetingMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id }: { clientId: string; id: string }) =>
    api.from('client_meetings').delete().match({ client_id: clientId, id }),
  ),
  ...reloadOnSettled(MEETINGS_KEY, FIGURES_KEY),
});

export const disputeSchema = z.object({
  reason: z.string().trim().min(1, 'Please describe what is wrong.').max(2000, 'Write at most 2,000 characters.'),
});

interface Answered {
  clientId: string;
  /** As the person has read it. */
  meeting: Pick<Meeting, 'id' | 'outcome'>;
  answer: NonNullable<Meeting['answer']>;
  reason?: string;
}

export const answerMeetingMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, meeting, answer, reason = '' }: Answered) =>
    api.rpc('answer_client_meeting', {
      _client_id: clientId,
      _id: meeting.id,
      _outcome: meeting.outcome,
      _answer: answer,
      _reason: reason,
    }),
  ),
  ...reloadOnSettled(MEETINGS_KEY, HOME_KEY),
});

/** 'Kari, Kunde AS', or what is known of a meeting that a figure has counted. */
export function meetingName({ met_with }: Pick<Meeting, 'met_with'>): string {
  return met_with === '' ? 'Name to be added' : met_with;
}
