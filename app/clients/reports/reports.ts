/** Reports to clients: drafts, and those that were sent, which never change. Policies decide which of them somebody sees. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, readAsSignedIn, readPageAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import type { Selected } from '../../api/tables.ts';
import { sessionApi } from '../../api/visitor-api.ts';
import { figuresSchema } from './sheet.ts';

const KEY = ['client-reports'];

/** Asked anew on every screen: colleagues write too. */
const FRESH = { staleTime: 0 } as const;

const LISTED = 'id, span, first_day, last_day, corrects, created_at, sent_at';

export type ListedReport = Selected<'client_reports', typeof LISTED>;

/**
 * Reads a page (from 1) of the reports of a client, drafts first, then the latest.
 * @param onlySent leaves the drafts out, as the client's people have it
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

/** Reads the report of a week or a month that a client was sent, the last that corrects it; null when there is none. */
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
  /** Zone of the client. */
  time_zone: z.string(),
  /** A file of the client; null for none. */
  logo: z.string().nullable(),
  span: z.enum(['week', 'month']),
  first_day: z.string(),
  last_day: z.string(),
  figures: figuresSchema,
  summary: z.string(),
  /** The report that this one corrects. */
  corrects: z.string().nullable(),
  corrected_by: z.string().nullable(),
  /** Null for a draft. */
  hash: z.string().nullable(),
  /** False when it is not what was sent. */
  is_genuine: z.boolean().nullable(),
  sent_at: z.string().nullable(),
  approved_by: z.string().nullable(),
  may_change: z.boolean(),
  /** State of the summary that the language model was asked for, until a person saves one; null where none was asked. */
  by_model: z.object({ state: z.enum(['wanted', 'filled', 'empty', 'away']) }).nullable(),
  /** The state that is approved; null for who may not approve. */
  seal: z.string().nullable(),
  /** False when the figures of a draft changed after its summary was saved. */
  is_summary_current: z.boolean(),
});

export type Report = z.output<typeof reportSchema> & { id: string };

async function readReport(id: string, signal: AbortSignal): Promise<Report | null> {
  const given = await readAsSignedIn((api) => api.rpc('client_report', { _id: id }))({ signal });
  return given === null ? null : { id, ...reportSchema.parse(given) };
}

/** Reads one report; null if it does not exist or this person may not read it. */
export function reportQuery(id: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'report', id],
    queryFn: ({ signal }) => (z.guid().safeParse(id).success ? readReport(id, signal) : null),
  });
}

/** Holds the reports that a client was sent against their hashes: those that are not what was sent. */
export function falsifiedQuery(clientId: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'falsified', clientId],
    queryFn: readAsSignedIn((api) => api.rpc('check_client_reports', { _client_id: clientId })),
  });
}

interface Started {
  clientId: string;
  span: 'week' | 'month';
  firstDay: string;
}

/** Makes a report of a time that is over, or finds its draft. @returns its id */
export const startReportMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, span, firstDay }: Started) =>
    api.rpc('start_client_report', { _client_id: clientId, _span: span, _first_day: firstDay }),
  ),
  ...reloadOnSettled(KEY),
});

type Named = Pick<Report, 'id' | 'client_id'>;

/** Begins a report that corrects one that was sent, or finds it. @returns its id */
export const correctReportMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { id, client_id }: Named) =>
    api.rpc('correct_client_report', { _client_id: client_id, _id: id }),
  ),
  ...reloadOnSettled(KEY),
});

export const summarySchema = z.object({ summary: z.string().trim().max(5000, 'Write at most 5,000 characters.') });

/** Saves the summary of a draft over the one that was read. */
export const saveSummaryMutation = mutationOptions({
  mutationFn: changeAsSignedIn(
    (api, given: { report: Pick<Report, 'id' | 'client_id' | 'summary'>; summary: string }) =>
      api.rpc('save_report_summary', {
        _client_id: given.report.client_id,
        _id: given.report.id,
        _summary: given.summary,
        _former: given.report.summary,
      }),
  ),
  ...reloadOnSettled(KEY),
});

export const discardReportMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { id, client_id }: Named) =>
    api.rpc('discard_client_report', { _client_id: client_id, _id: id }),
  ),
  ...reloadOnSettled(KEY),
});

/** Approves a draft as it was read: it is frozen and mailed. */
export const approveReportMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { id, client_id, seal }: Named & Pick<Report, 'seal'>) =>
    api.rpc('approve_client_report', { _client_id: client_id, _id: id, _seal: seal ?? '' }),
  ),
  ...reloadOnSettled(KEY),
});
