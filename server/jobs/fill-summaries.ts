/** Asks the language model for the summary of each draft that was made on its day. The draft is there meanwhile. */
import { type Database, type Job, startQueueWorker } from '@signalfjord/backend';
import type { Logger } from 'pino';
import { z } from 'zod';
import { type Upstream, UpstreamError } from '../../supabase/functions/ai-chat/upstream.ts';
import { reportSchema, summarise } from '../../supabase/functions/report-summary/report-summary.ts';

const draftSchema = reportSchema.extend({ client_id: z.guid(), id: z.guid(), seal: z.string() });

/** Fills in summaries one after the other. A model that is away is asked again by the database's times; the draft says so. */
export async function fillSummariesOfDrafts(database: Database, upstream: Upstream, log: Logger): Promise<Job> {
  const stopping = new AbortController();
  const worker = await startQueueWorker(database, log, {
    channel: 'report_drafted',
    async doNext() {
      const { rows } = await database.query<{ draft: unknown }>('select private.next_asked_summary() as draft');
      const draft = draftSchema.nullable().parse(rows[0]?.draft ?? null);
      if (draft === null) return false;
      // '' for a rejected draft, null when the model could not be reached.
      const reply = summarise(draft, upstream, stopping.signal).then((summary) => summary ?? '');
      const written = await reply.catch((error: unknown) => {
        if (stopping.signal.aborted || !(error instanceof UpstreamError)) throw error;
        log.warn({ report: draft.id, reason: error.reason }, 'the language model wrote no summary of a report');
        return null;
      });
      await database.query('select private.fill_asked_summary($1, $2, $3, $4, $5)', [
        draft.client_id,
        draft.id,
        draft.seal,
        written,
        0,
      ]);
      return true;
    },
    name: 'the summaries of drafts',
  });
  return {
    stop() {
      stopping.abort();
      return worker.stop();
    },
  };
}
