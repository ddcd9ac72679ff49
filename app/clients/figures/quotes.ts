/** Client figures quoted in case studies with the client's consent. Row-level security limits access. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { METRIC_NAMES } from '../../../supabase/functions/metrics.ts';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import { addDays } from '../../ui/lib/zoned-times.ts';
import { HOME_KEY } from '../client-home.ts';
import { getMonth } from './progress.ts';

const KEY = ['figure-quotes'];

/** Always refetched, because both the client and our team can change quotes. */
const FRESH = { staleTime: 0 } as const;

const answer = z.enum(['yes', 'no']).nullable();

const quoteSchema = z.object({
  id: z.string(),
  /** Current text of the quote, such as '41 meetings booked, August–October 2026'. Null if there is no figure. */
  words: z.string().nullable(),
  value: z.number().nullable(),
  /** Page title. */
  title: z.string(),
  /** Page path. Null while the page is not public. */
  path: z.string().nullable(),
  answer,
  answered_by: z.string(),
  answered_at: z.string().nullable(),
  withdrawn_at: z.string().nullable(),
});

export type Quote = z.output<typeof quoteSchema>;

/** Reads a client's quotes. Pending quotes are first, then the latest. */
export function quotesQuery(clientId: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'client', clientId],
    queryFn: async (context): Promise<Quote[]> =>
      z
        .array(quoteSchema)
        .parse(await readAsSignedIn((api) => api.rpc('list_figure_quotes', { _client_id: clientId }))(context)),
  });
}

const projectQuoteSchema = quoteSchema
  .pick({ words: true, answer: true, answered_at: true, withdrawn_at: true })
  .extend({ client: z.string() })
  .nullable();

export type ProjectQuote = NonNullable<z.output<typeof projectQuoteSchema>>;

/** Reads a project's quote for the editor. Null if there is no quote. */
export function projectQuoteQuery(projectId: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'project', projectId],
    queryFn: async (context) =>
      projectQuoteSchema.parse(
        await readAsSignedIn((api) => api.rpc('quote_of_project', { _project_id: projectId }))(context),
      ),
  });
}

/** `first` is the first day of the first month, `last` the last day of the last month, both as YYYY-MM-DD. */
export const quoteRequestSchema = z
  .object({
    clientId: z.string().min(1, 'Choose a client'),
    metric: z.enum(METRIC_NAMES),
    first: z.string(),
    last: z.string(),
  })
  .refine(({ first, last }) => first < last, {
    path: ['last'],
    message: 'The last month must not be before the first month.',
  });

interface QuoteRequestInput extends z.output<typeof quoteRequestSchema> {
  projectId: string;
}

export const requestQuoteMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { projectId, clientId, metric, first, last }: QuoteRequestInput) =>
    api.rpc('ask_to_quote_figure', {
      _project_id: projectId,
      _client_id: clientId,
      _metric: metric,
      _first_day: first,
      _last_day: last,
    }),
  ),
  ...reloadOnSettled(KEY),
});

export const endQuoteMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, projectId: string) => api.rpc('end_figure_quote', { _project_id: projectId })),
  ...reloadOnSettled(KEY),
});

interface QuoteAnswerInput {
  clientId: string;
  /** Quote shown to the user. */
  quote: Pick<Quote, 'id' | 'value'>;
  answer: 'yes' | 'no';
}

export const answerQuoteMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, quote, answer: _answer }: QuoteAnswerInput) =>
    api.rpc('answer_figure_quote', { _client_id: clientId, _id: quote.id, _answer, _value: quote.value ?? 0 }),
  ),
  ...reloadOnSettled(KEY, HOME_KEY),
});

export const withdrawQuoteMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id }: { clientId: string; id: string }) =>
    api.rpc('withdraw_figure_quote', { _client_id: clientId, _id: id }),
  ),
  ...reloadOnSettled(KEY),
});

/** Number of past months that can be quoted. */
const MONTH_COUNT = 36;

/** Lists the months before the current month as date ranges, latest first. */
export function quotableMonths(today: string): { first: string; last: string }[] {
  const months = [getMonth(addDays(getMonth(today).first, -1))];
  while (months.length < MONTH_COUNT) months.push(getMonth(addDays(months.at(-1)?.first ?? today, -1)));
  return months;
}
