/** Summaries drafted by a language model, if one is configured. A person edits and saves them. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { sessionApi } from '../../api/visitor-api.ts';
import type { Report } from './reports.ts';

const availableSchema = z.object({ available: z.boolean() });

/** Checks for a configured language model. */
export const summariesAvailableQuery = queryOptions({
  queryKey: ['report-summaries-available'],
  queryFn: async ({ signal }) => {
    const api = await sessionApi();
    const { data, error } = await api.functions.invoke<unknown>('report-summary', { method: 'GET', signal });
    if (error) throw error;
    return availableSchema.parse(data).available;
  },
});

const summarySchema = z.object({ summary: z.string() });

/** Requests a draft. Fails if the draft contains a number that is not in the report. */
export const suggestSummaryMutation = mutationOptions({
  mutationFn: async ({ id }: Pick<Report, 'id'>) => {
    const api = await sessionApi();
    const { data, error } = await api.functions.invoke<unknown>('report-summary', { body: { report: id } });
    if (error) throw new Error(await errorMessage(error));
    return summarySchema.parse(data);
  },
});

/** Reads the server's message from the response body, which the Supabase functions client does not parse. */
async function errorMessage({ context }: { context?: unknown }): Promise<string> {
  const body: unknown = context instanceof Response ? await context.json().catch(() => null) : null;
  return z.object({ error: z.string() }).safeParse(body).data?.error ?? 'Please try again in a moment.';
}
