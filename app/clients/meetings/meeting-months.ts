/** Closed months of meetings. Row-level security limits the visible rows. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import { keysOf } from '../../ui/lib/keys-of.ts';
import { writeCsv } from '../../ui/lib/write-csv.ts';
import { CRITERION_KEYS } from '../approvals/criteria.ts';
import { factsSchema, STATES } from './meeting-details.ts';
import { MEETINGS_KEY } from './meetings.ts';

const monthsSchema = z.object({
  closed: z.array(
    z.object({
      /** YYYY-MM-DD */
      first_day: z.string(),
      count: z.number(),
      hash: z.string(),
      closed_by: z.string(),
      closed_at: z.string(),
    }),
  ),
  /** First days of months that the team can close. Empty for the client. */
  open: z.array(z.string()),
});

export type ClosedMonth = z.output<typeof monthsSchema>['closed'][number];

/** Reads a client's closed months, latest first, and the months that can be closed. */
export function meetingMonthsQuery(clientId: string) {
  return queryOptions({
    staleTime: 0,
    // Refetched with the meetings, because their changes affect which months can be closed.
    queryKey: [...MEETINGS_KEY, 'months', clientId],
    queryFn: async (context) => {
      const data = await readAsSignedIn((api) => api.rpc('list_meeting_months', { _client_id: clientId }))(context);
      return monthsSchema.parse(data);
    },
  });
}

const sheetSchema = z.object({
  time_zone: z.string(),
  meetings: z.array(
    factsSchema.extend({
      id: z.string(),
      starts_at: z.string(),
      met_with: z.string(),
      campaign: z.string().nullable(),
      answer: z.string().nullable(),
      /** Null if no criteria were in force. */
      criteria: z
        .object({
          number: z.number(),
          sha256: z.string(),
          results: z.array(z.object({ key: z.enum(CRITERION_KEYS), state: z.enum(keysOf(STATES)) })),
        })
        .nullable(),
    }),
  ),
});

export type MeetingSheet = z.output<typeof sheetSchema>;

/** Reads the sheet of a closed month. Sheets are immutable. */
export function meetingSheetQuery(clientId: string, firstDay: string) {
  return queryOptions({
    queryKey: [...MEETINGS_KEY, 'sheet', clientId, firstDay],
    queryFn: async (context) => {
      const rows = await readAsSignedIn((api) =>
        api.from('client_meeting_months').select('sheet').match({ client_id: clientId, first_day: firstDay }),
      )(context);
      return sheetSchema.parse(JSON.parse(z.array(z.object({ sheet: z.string() })).parse(rows)[0]?.sheet ?? 'null'));
    },
  });
}

export const closeMonthMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, firstDay }: { clientId: string; firstDay: string }) =>
    api.rpc('close_meeting_month', { _client_id: clientId, _first_day: firstDay }),
  ),
  ...reloadOnSettled(MEETINGS_KEY),
});

/** Formats '2026-01-01' as 'January 2026'. */
export function formatMonth(firstDay: string): string {
  return new Date(firstDay).toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** Writes a sheet as CSV, with a column for each criterion. */
export function sheetCsv({ meetings }: MeetingSheet): string {
  const columns = [
    'starts_at',
    'with',
    'campaign',
    'role',
    'company_size',
    'country',
    'is_customer',
    'minutes',
    'answer',
  ];
  const criteria = CRITERION_KEYS.map((key) => `criterion_${key}`);
  return writeCsv([
    [...columns, 'criteria_version', 'criteria_sha256', ...criteria],
    ...meetings.map((meeting) => [
      meeting.starts_at,
      meeting.met_with,
      meeting.campaign,
      meeting.role,
      meeting.company_size,
      meeting.country,
      meeting.is_customer === null ? '' : meeting.is_customer ? 'yes' : 'no',
      meeting.minutes,
      meeting.answer,
      meeting.criteria?.number,
      meeting.criteria?.sha256,
      ...CRITERION_KEYS.map((key) => meeting.criteria?.results.find((result) => result.key === key)?.state),
    ]),
  ]);
}
