/**
 * The guard checks replies of a language model against the starter content. It must withhold false replies and show
 * faithful ones.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seed } from '../../packages/backend/src/database/seed.ts';
import { evidenceOf } from '../../supabase/functions/ai-chat/grounded-reply.ts';
import { createGuard } from '../../supabase/functions/ai-chat/guard/guard.ts';
import { retrieve } from '../../supabase/functions/ai-chat/retrieve.ts';
import { createSearchIndex, type SearchIndex } from '../../supabase/functions/ai-chat/search.ts';
import { readSiteContent, type SiteContent } from '../../supabase/functions/ai-chat/site-content.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';
import { type ClaimPairs, TEST_PAIRS, TUNING_PAIRS } from './claim-pairs.ts';
import { FIRST_REPLIES, SECOND_REPLIES } from './model-replies.ts';

let site: TestBackend;
let content: SiteContent;
let index: SearchIndex;
beforeAll(async () => {
  site = await startTestBackend();
  await seed(site.backend.database, join(import.meta.dirname, '../../supabase/seed.sql'));
  content = await readSiteContent({
    apiUrl: site.url,
    publishableKey: 'sb_publishable_signalfjord',
    secretKey: site.backend.keys.secretKey,
    fetch,
  });
  index = createSearchIndex(content);
});
afterAll(() => site.close());

async function isStopped([question, reply]: readonly [string, string]): Promise<boolean> {
  const conversation = [{ role: 'user' as const, content: question }];
  const guard = createGuard(evidenceOf(content, retrieve(content, index, conversation, [])), conversation, 'en');
  async function* pieces() {
    yield* reply.split(/(?<=\s)/);
  }
  for await (const _piece of guard.check(pieces(), new AbortController().signal));
  return !guard.shown().includes(reply);
}

const toReplies = (pairs: ClaimPairs) => ({
  wrong: pairs.map(([question, , falseClaim]) => [question, falseClaim] as const),
  faithful: pairs.map(([question, truth]) => [question, truth] as const),
});

test.each([
  ['in the tuning set without numbers', toReplies(TUNING_PAIRS), 1, 0.2],
  ['in the test set without numbers', toReplies(TEST_PAIRS), 0.8, 0.2],
  ['in the tuning set', FIRST_REPLIES, 1, 0],
  ['in the test set', SECOND_REPLIES, 0.7, 0.05],
])(
  'The guard stops most false replies %s, and hardly any faithful ones',
  async (name, replies, minStopped, maxLost) => {
    const missedReplies: string[] = [];
    for (const reply of replies.wrong) if (!(await isStopped(reply))) missedReplies.push(reply[1]);
    const lostReplies: string[] = [];
    for (const reply of replies.faithful) if (await isStopped(reply)) lostReplies.push(reply[1]);
    console.log(
      `Replies ${name}: ${replies.wrong.length - missedReplies.length} of ${replies.wrong.length} false ones are stopped, and ${lostReplies.length} of ${replies.faithful.length} faithful ones`,
    );
    expect(1 - missedReplies.length / replies.wrong.length, missedReplies.join('\n')).toBeGreaterThanOrEqual(
      minStopped,
    );
    expect(lostReplies.length / replies.faithful.length, lostReplies.join('\n')).toBeLessThanOrEqual(maxLost);
  },
);
