/** Client reports: drafts and sent reports. Sent reports are immutable. Row-level security limits the visible rows. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, readAsSignedIn, readPageAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import type { Selected } from '../../api/tables.ts';
import { sessionApi } from '../../api/visitor-api.ts';
import { figuresSchema } from './report-texts.ts';

const KEY = ['client-reports'];

/** Always refetched, because other team members can edit reports. */
const FRESH = { staleTime: 0 } as const;

const LIST_COLUMNS = 'id, span, first_day, last_day, corrects, created_at, sent_at';

const LISTED = `${LIST_COLUMNS}, result:figures->result` as const;

/** `result` has the sums of the period, as stored in the report. */
export type ListedReport = Selected<'client_reports', typeof LIST_COLUMNS> & { result: unknown };

/**
 * Reads a page of a client's reports (1-based). Drafts come first, then the newest sent report.
 * @param onlySent excludes drafts, as in the client's view
 */
export function reportsQuery(clientId: string, page: number, onlySent: boolean) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'list', clientId, page, onlySent],
    placeholderData: keepPreviousData,
    queryFn: readPageAsSignedIn(page, (api) => {
      const all = api.from('client_reports').select(LISTED, { count: 'exact' }).eq('client_id', clientId);
      return (onlySent ? all.not('sent_at', 'is', null) : all.is('discarded_at', null))
        .order('sent_at', { ascending: false, nullsFirst: true })
        .order('first_day', { ascending: false })
        .order('id');
    }),
  });
}

/** Reads the latest sent version of the report for a week or month, including corrections, or null if none was sent. */
export function sentReportQuery(clientId: string, span: string, firstDay: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'sent', clientId, span, firstDay],
    queryFn: async ({ signal }): Promise<Report | null> => {
      const { data } = await (await sessionApi())
        .from('client_reports')
        .select('id')
        .match({ client_id: clientId, span, first_day: firstDay })
        .not('sent_at', 'is', null)
        .order('sent_at', { ascending: false })
        .limit(1)
        .abortSignal(signal)
        .throwOnError();
      return data[0] ? readReport(data[0].id, signal) : null;
    },
  });
}

const reportSchema = z.object({
  client_id: z.string(),
  client: z.string(),
  /** Time zone of the client. */
  time_zone: z.string(),
  /** Object name in the bucket of client files, or null. */
  logo: z.string().nullable(),
  span: z.enum(['week', 'month']),
  first_day: z.string(),
  last_day: z.string(),
  figures: figuresSchema,
  summary: z.string(),
  /** ID of the corrected report. */
  corrects: z.string().nullable(),
  corrected_by: z.string().nullable(),
  /** Null for a draft. */
  hash: z.string().nullable(),
  /** False if the stored content does not match its hash. */
  is_genuine: z.boolean().nullable(),
  sent_at: z.string().nullable(),
  approved_by: z.string().nullable(),
  may_change: z.boolean(),
  /** State of the generated summary until a person saves a summary. Null if none was requested. */
  by_model: z.object({ state: z.enum(['pending', 'done', 'empty', 'unavailable']) }).nullable(),
  /** Version of the draft. Approval fails if the draft has changed. Null for users who cannot approve. */
  content_hash: z.string().nullable(),
  /** False if figures changed after the summary was saved. */
  is_summary_current: z.boolean(),
});

export type Report = z.output<typeof reportSchema> & { id: string };

async function readReport(id: string, signal: AbortSignal): Promise<Report | null> {
  const data = await readAsSignedIn((api) => api.rpc('client_report', { _id: id }))({ signal });
  return data === null ? null : { id, ...reportSchema.parse(data) };
}

/** Reads a report, or null if it does not exist or is not visible to the user. */
export function reportQuery(id: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'report', id],
    queryFn: ({ signal }) => (z.guid().safeParse(id).success ? readReport(id, signal) : null),
  });
}

/** Lists a client's sent reports whose content does not match the stored hash. */
export function tamperedReportsQuery(clientId: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'tampered', clientId],
    queryFn: readAsSignedIn((api) => api.rpc('check_client_reports', { _client_id: clientId })),
  });
}

interface StartReportInput {
  clientId: string;
  span: 'week' | 'month';
  firstDay: string;
}

/**
 * Creates a report for a completed period or returns its draft.
 * @returns ID of the report
 */
export const startReportMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, span, firstDay }: StartReportInput) =>
    api.rpc('start_client_report', { _client_id: clientId, _span: span, _first_day: firstDay }),
  ),
  ...reloadOnSettled(KEY),
});

type ReportKey = Pick<Report, 'id' | 'client_id'>;

/**
 * Creates a correction of a sent report or returns its draft.
 * @returns ID of the report
 */
export const correctReportMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { id, client_id }: ReportKey) =>
    api.rpc('correct_client_report', { _client_id: client_id, _id: id }),
  ),
  ...reloadOnSettled(KEY),
});

export const summarySchema = z.object({ summary: z.string().trim().max(5000, 'Write at most 5,000 characters.') });

/** Saves the summary if the draft has not changed since it was read. */
export const saveSummaryMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, args: { report: Pick<Report, 'id' | 'client_id' | 'summary'>; summary: string }) =>
    api.rpc('save_report_summary', {
      _client_id: args.report.client_id,
      _id: args.report.id,
      _summary: args.summary,
      _expected_summary: args.report.summary,
    }),
  ),
  ...reloadOnSettled(KEY),
});

export const discardReportMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { id, client_id }: ReportKey) =>
    api.rpc('discard_client_report', { _client_id: client_id, _id: id }),
  ),
  ...reloadOnSettled(KEY),
});

/** Approves the version of the draft shown to the user. The report becomes immutable and is announced by email. */
export const approveReportMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { id, client_id, content_hash }: ReportKey & Pick<Report, 'content_hash'>) =>
    api.rpc('approve_client_report', { _client_id: client_id, _id: id, _content_hash: content_hash ?? '' }),
  ),
  ...reloadOnSettled(KEY),
});
