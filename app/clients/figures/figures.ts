/** Figures and imports of campaigns. Row-level security limits the visible rows. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { METRIC_NAMES, type Metric } from '../../../supabase/functions/metrics.ts';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import { PAGE_SIZE, pageRange } from '../../api/paging.ts';
import { sessionApi } from '../../api/visitor-api.ts';
import { CLIENTS_KEY } from '../clients.ts';
import { MEETINGS_KEY } from '../meetings/meetings.ts';
import type { ColumnMap } from './figure-columns.ts';
import type { FigureFile, FigureRow } from './figure-file.ts';
import { FIGURES_KEY } from './figures-key.ts';
import type { Period, Sum } from './progress.ts';

/** Always refetched, because other team members can import figures. */
const FRESH = { staleTime: 0 } as const;

/** Reads a client's latest imports, newest first. */
export function importsQuery(clientId: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...FIGURES_KEY, 'imports', clientId],
    queryFn: readAsSignedIn((api) => api.rpc('client_imports', { _client_id: clientId })),
  });
}

interface ImportInput {
  clientId: string;
  file: Pick<FigureFile, 'name' | 'hash'>;
  map: ColumnMap;
  /** Campaigns created by the import. */
  created: readonly { id: string; name: string; channel: string }[];
  rows: readonly FigureRow[];
  /** Number of lines and cells that could not be read. */
  rejectedCount: number;
}

const metric = z.enum(METRIC_NAMES);

const resultSchema = z.object({
  new: z.number(),
  changed: z.number(),
  same: z.number(),
  refused: z.number(),
  examples: z.array(
    z.object({
      state: z.enum(['new', 'changed', 'refused']),
      line: z.number(),
      campaign: z.string(),
      metric,
      day: z.string(),
      value: z.number(),
      before: z.number().nullable(),
      reason: z.string().nullable(),
    }),
  ),
});

export type FiguresResult = z.output<typeof resultSchema>;

async function sendFigures(
  { clientId, file, map, created, rows, rejectedCount }: ImportInput,
  isDryRun: boolean,
): Promise<FiguresResult> {
  const api = await sessionApi();
  const _file = {
    name: file.name,
    hash: file.hash,
    period: map.period,
    column_map: map,
    campaigns: [...created],
    refused: rejectedCount,
  };
  const args = { _client_id: clientId, _file, _rows: [...rows], _is_dry_run: isDryRun };
  return resultSchema.parse((await api.rpc('import_figures', args).throwOnError()).data);
}

/** Validates an import without saving it. */
export function importPreviewQuery(args: ImportInput) {
  return queryOptions({
    ...FRESH,
    gcTime: 0,
    retry: false,
    queryKey: [...FIGURES_KEY, 'trial', args.clientId, args.file.hash, args.map],
    queryFn: () => sendFigures(args, true),
  });
}

export const importMutation = mutationOptions({
  mutationFn: (args: ImportInput) => sendFigures(args, false),
  ...reloadOnSettled(FIGURES_KEY, CLIENTS_KEY, MEETINGS_KEY),
});

const undoResultSchema = z.object({
  removed: z.number(),
  restored: z.number(),
  kept: z.object({
    count: z.number(),
    examples: z.array(z.object({ campaign: z.string(), metric, day: z.string(), value: z.number(), file: z.string() })),
  }),
});

export type UndoResult = z.output<typeof undoResultSchema>;

/** Undoes an import. Figures that a later import changed are kept. */
export const undoImportMutation = mutationOptions({
  mutationFn: async (batch: { clientId: string; id: string }, context): Promise<UndoResult> => {
    const undo = changeAsSignedIn((api, { clientId, id }: typeof batch) =>
      api.rpc('undo_import', { _client_id: clientId, _batch_id: id }),
    );
    return undoResultSchema.parse(await undo(batch, context));
  },
  ...reloadOnSettled(FIGURES_KEY, MEETINGS_KEY),
});

const sumsSchema = z.array(z.object({ metric, first_day: z.string(), value: z.number() }));

/** Reads a client's metrics for a period, summed over its campaigns. */
export function sumsQuery(clientId: string, metrics: readonly Metric[], { first, last }: Period) {
  return queryOptions({
    ...FRESH,
    queryKey: [...FIGURES_KEY, 'sums', clientId, metrics, first, last],
    queryFn: async (context): Promise<Sum[]> => {
      const args = { _client_id: clientId, _from: first, _until: last, _metrics: [...metrics] };
      return sumsSchema.parse(await readAsSignedIn((api) => api.rpc('figure_sums', args))(context));
    },
  });
}

const figureRowsSchema = z.object({
  campaigns: z.array(
    z.object({
      /** Empty for meetings without a campaign. */
      id: z.string(),
      name: z.string(),
      rows: z.array(
        z.object({ first_day: z.string(), last_day: z.string(), value: z.number(), batch: z.string().nullable() }),
      ),
    }),
  ),
  imports: z.array(
    z.object({
      id: z.string(),
      file_name: z.string(),
      created_at: z.string(),
      imported_by: z.string(),
      /** True if the figures are counted from events, which the user can list. */
      is_source: z.boolean(),
    }),
  ),
});

export type FigureRows = z.output<typeof figureRowsSchema>;

/** Reads the figures behind a sum, with their imports. */
export function figureRowsQuery(clientId: string, metric: Metric, { first, last }: Period) {
  return queryOptions({
    ...FRESH,
    queryKey: [...FIGURES_KEY, 'behind', clientId, metric, first, last],
    queryFn: async (context): Promise<FigureRows> => {
      const days = { _client_id: clientId, _metric: metric, _from: first, _until: last };
      return figureRowsSchema.parse(await readAsSignedIn((api) => api.rpc('figure_details', days))(context));
    },
  });
}

/** A figure counted from events. */
export interface SourceFigure {
  clientId: string;
  batch: string;
  metric: Metric;
  day: string;
}

/** Reads a page (1-based) of the events behind a figure. */
export function figureEventsQuery({ clientId, batch, metric, day }: SourceFigure, page: number) {
  return queryOptions({
    ...FRESH,
    queryKey: [...FIGURES_KEY, 'events', clientId, batch, metric, day, page],
    placeholderData: keepPreviousData,
    queryFn: async (context) => {
      const [_offset] = pageRange(page);
      const row = { _client_id: clientId, _batch_id: batch, _metric: metric, _day: day };
      const items = await readAsSignedIn((api) => api.rpc('figure_events', { ...row, _limit: PAGE_SIZE, _offset }))(
        context,
      );
      return { items, count: items[0]?.total ?? 0 };
    },
  });
}
