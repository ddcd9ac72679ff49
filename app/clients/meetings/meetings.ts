/**
 * Meetings that campaigns produced for a client. All meeting figures are counted from these meetings. Row-level
 * security limits the visible rows.
 */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import { PAGE_SIZE, pageRange } from '../../api/paging.ts';
import { optionalDate, requiredDate } from '../../ui/lib/calendar-date.ts';
import { keysOf } from '../../ui/lib/keys-of.ts';
import { oneLine } from '../../ui/lib/one-line.ts';
import { HOME_KEY } from '../client-home.ts';
import { FIGURES_KEY } from '../figures/figures-key.ts';
import { LEADS_KEY } from '../leads/leads.ts';
import { criterionInputSchema, type DisputedCriterion, factsFields, meetingDetailsSchema } from './meeting-details.ts';

export const MEETINGS_KEY = ['client-meetings'];

/** Always refetched, because both the client and our team can change meetings. */
const FRESH = { staleTime: 0 } as const;

/** Outcomes of a meeting, in workflow order. */
export const OUTCOMES = { booked: 'Booked', held: 'Held', no_show: 'No-show' } as const;

const meetingSchema = z.object({
  id: z.string(),
  /** Null for a meeting counted from a figure until a team member adds the time. */
  starts_at: z.string().nullable(),
  /** Empty for a meeting counted from a figure until a team member adds the name. */
  met_with: z.string(),
  outcome: z.enum(keysOf(OUTCOMES)),
  evidence: z.string(),
  /** Deadline for the client's answer. Null while the meeting is booked. */
  answer_until: z.string().nullable(),
  answer: z.enum(['accepted', 'disputed']).nullable(),
  reason: z.string(),
  answered_by: z.string(),
  answered_at: z.string().nullable(),
  /** True while the client can answer. */
  is_open: z.boolean(),
  waiting: z.number(),
  total: z.number(),
  /** Campaign that produced the meeting, if known. */
  campaign_id: z.string().nullable(),
  campaign: z.string().nullable(),
  /** Day on which the meeting counts. */
  booked_on: z.string(),
  /**
   * `person`: added by a person. `figure`: counted from an import or event. `completed`: counted, then completed by a
   * person.
   */
  origin: z.enum(['person', 'figure', 'completed']),
  details: meetingDetailsSchema,
});

export type Meeting = z.output<typeof meetingSchema>;

/** Returns whether the client has not yet accepted or disputed the meeting, and still can. */
export function isAwaitingAnswer({ is_open, answer }: Meeting): boolean {
  return is_open && answer === null;
}

/**
 * Reads a page (1-based) of a client's meetings. Meetings that need an answer are first, then disputed ones, then those
 * that need a result, then the latest.
 */
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

/** Reads a meeting, regardless of its page. Returns null if the meeting no longer exists. */
export function meetingQuery(clientId: string, id: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...MEETINGS_KEY, clientId, 'meeting', id],
    queryFn: async (context): Promise<Meeting | null> => {
      if (!z.guid().safeParse(id).success) return null;
      const rows = await readAsSignedIn((api) => api.rpc('list_client_meetings', { _client_id: clientId, _id: id }))(
        context,
      );
      return z.array(meetingSchema).parse(rows)[0] ?? null;
    },
  });
}

export const savedMeetingSchema = z.object({
  met_with: oneLine.min(1, 'A name is required').max(200, 'Name must be at most 200 characters'),
  /** Local time, as in a datetime-local input. */
  starts_at: requiredDate('A time is required'),
  outcome: z.enum(keysOf(OUTCOMES)),
  evidence: z.string().trim().max(2000, 'Write at most 2,000 characters.'),
  /** Empty if unknown. */
  campaign_id: z.string(),
  /** YYYY-MM-DD. If empty, today or the day of a past meeting is stored. */
  booked_on: optionalDate,
  ...factsFields,
});

export type MeetingForm = z.input<typeof savedMeetingSchema>;

interface MeetingInput extends z.output<typeof savedMeetingSchema> {
  clientId: string;
  /** Undefined to add a meeting. */
  id: string | undefined;
  /** The lead who agreed to meet. Undefined keeps the stored lead. */
  leadId: string | undefined;
}

/** Saves a meeting. Here `starts_at` is a UTC timestamp. */
export const saveMeetingMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id, leadId, campaign_id, booked_on, ...meeting }: MeetingInput) => {
    const { role, company_size, country, is_customer, minutes } = meeting;
    return api.rpc('save_client_meeting', {
      _client_id: clientId,
      _starts_at: meeting.starts_at,
      _met_with: meeting.met_with,
      _outcome: meeting.outcome,
      _evidence: meeting.evidence,
      _facts: { role, company_size, country, is_customer, minutes },
      ...(campaign_id !== '' && { _campaign_id: campaign_id }),
      ...(booked_on !== '' && { _booked_on: booked_on }),
      ...(id !== undefined && { _id: id }),
      ...(leadId !== undefined && { _lead_id: leadId }),
    });
  }),
  ...reloadOnSettled(MEETINGS_KEY, FIGURES_KEY, LEADS_KEY),
});

/** Deletes an unanswered meeting. Idempotent. */
export const deleteMeetingMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id }: { clientId: string; id: string }) =>
    api.from('client_meetings').delete().match({ client_id: clientId, id }),
  ),
  ...reloadOnSettled(MEETINGS_KEY, FIGURES_KEY, LEADS_KEY),
});

export const disputeSchema = z.object({
  reason: z.string().trim().min(1, 'Enter a reason.').max(2000, 'Write at most 2,000 characters.'),
  criterion: criterionInputSchema,
});

export type DisputeInput = z.input<typeof disputeSchema>;
export type Dispute = z.output<typeof disputeSchema>;

interface MeetingAnswerInput {
  clientId: string;
  /** Meeting shown to the user. */
  meeting: Pick<Meeting, 'id' | 'outcome'>;
  answer: NonNullable<Meeting['answer']>;
  reason?: string;
  /** Criterion that is not met. Undefined if no criteria are in force. */
  criterion?: DisputedCriterion;
}

export const answerMeetingMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, meeting, answer, reason = '', criterion }: MeetingAnswerInput) =>
    api.rpc('answer_client_meeting', {
      _client_id: clientId,
      _id: meeting.id,
      _outcome: meeting.outcome,
      _answer: answer,
      _reason: reason,
      ...(criterion !== undefined && { _criterion: criterion }),
    }),
  ),
  ...reloadOnSettled(MEETINGS_KEY, HOME_KEY),
});
