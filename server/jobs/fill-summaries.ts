/** Requests summaries of report drafts from the language model. A draft can be used before its summary arrives. */
import { type Database, type Job, POLL_INTERVAL_MS } from '@signalfjord/backend';
import type { Logger } from 'pino';
import { z } from 'zod';
import { type Upstream, UpstreamError } from '../../supabase/functions/ai-chat/upstream.ts';
import { reportSchema, summarise } from '../../supabase/functions/report-summary/report-summary.ts';

const draftSchema = reportSchema.extend({ client_id: z.guid(), id: z.guid(), content_hash: z.string() });

/**
 * Fills in summaries one by one. If the model is unavailable, the database schedules a retry, and the draft shows that
 * its summary is pending.
 */
export function summariesJob(database: Database, upstream: Upstream, log: Logger): Job {
  return {
    name: 'fill summaries',
    channels: ['report_drafted'],
    async run(signal) {
      const { rows } = await database.query<{ draft: unknown }>('select private.claim_requested_summary() as draft');
      const draft = draftSchema.nullable().parse(rows[0]?.draft ?? null);
      if (draft === null) return POLL_INTERVAL_MS;
      // '' if the summary was rejected because it contains unknown numbers, null if the model failed.
      const reply = summarise(draft, upstream, signal).then((text) => text ?? '');
      const summary = await reply.catch((error: unknown) => {
        if (signal.aborted || !(error instanceof UpstreamError)) throw error;
        log.warn({ report: draft.id, reason: error.reason }, 'the language model returned no summary for a report');
        return null;
      });
      await database.query('select private.store_requested_summary($1, $2, $3, $4)', [
        draft.client_id,
        draft.id,
        draft.content_hash,
        summary,
      ]);
      return 0;
    },
  };
}
