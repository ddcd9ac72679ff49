/** Measures the chat of the real server: delay added to the upstream's first token, and 200 concurrent streams. */
import { PUBLISHABLE_KEY } from '../packages/backend/src/http/keys.ts';
import { readReply } from '../supabase/functions/ai-chat/event-stream.ts';
import { event, pauseAfter, startFakeUpstream } from '../tests/support/fake-upstream.ts';
import { readMemoryMb } from '../tests/support/process-memory.ts';
import { startSite } from '../tests/support/site.ts';
import { load, report, withSite } from './site.ts';

const STREAMS = 200;
const QUERY = '/rest/v1/posts?select=*&status=eq.published&order=published_date.desc&limit=20';

const upstream = await startFakeUpstream();
await withSite(async (first, folder) => {
  await first.stop();
  const site = await startSite(folder, { AI_BASE_URL: upstream.url, AI_MODEL: 'bench' });
  try {
    await measureFirstToken(site.url);
    await measureStreams(site.url, site.process.pid);
  } finally {
    await site.stop();
  }
});
await upstream.close();

/** Measures the time from the upstream's first token to its arrival at the browser's side. */
async function measureFirstToken(url: string): Promise<void> {
  const delays: number[] = [];
  for (let turn = 0; turn < 60; turn++) {
    let writtenAt = 0;
    upstream.behave(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      await new Promise((resolve) => setTimeout(resolve, 20));
      writtenAt = performance.now();
      response.write(event('First'));
      response.end('data: [DONE]\n\n');
    });
    const pieces = readReply(await sendMessage(url));
    await pieces.next();
    delays.push(performance.now() - writtenAt);
    await pieces.return();
  }
  delays.splice(0, 10);
  delays.sort((a, b) => a - b);
  const percentile = (share: number) => (delays[Math.floor(delays.length * share)] ?? 0).toFixed(1);
  report('Upstream’s first token to ours, median', `${percentile(0.5)} ms`, '');
  report('Upstream’s first token to ours, 95th percentile', `${percentile(0.95)} ms`, 'target 50 ms');
}

async function measureStreams(url: string, pid: number | undefined): Promise<void> {
  const table = { url: url + QUERY, headers: { apikey: PUBLISHABLE_KEY }, seconds: 4 };
  const withoutStreams = await load(table);
  const idle = (await readMemoryMb({ pid })) ?? 0;
  const release = Promise.withResolvers<void>();
  upstream.behave(pauseAfter(['First '], release.promise, 'last'));
  const streams = await Promise.all(
    Array.from({ length: STREAMS }, async () => {
      const pieces = readReply(await sendMessage(url));
      await pieces.next();
      return pieces;
    }),
  );
  const openMegabytes = (await readMemoryMb({ pid })) ?? 0;
  const duringStreams = await load(table);
  report(`${STREAMS} streams at once, memory above idle`, `${openMegabytes - idle} MB`, 'target 150 MB');
  release.resolve();
  for (const pieces of streams) while (!(await pieces.next()).done);
  // Measure before and after the streams, because other work on the machine affects all measurements.
  const after = await load(table);
  report('Table requests without streams, before and after', `${perSecond(withoutStreams)}, ${perSecond(after)}`, '');
  report(
    `Table requests during ${STREAMS} streams`,
    perSecond(duringStreams),
    'target half of the rate without streams',
  );
}

function perSecond(measured: { perSecond: number }): string {
  return `${Math.round(measured.perSecond)}/s`;
}

async function sendMessage(url: string): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(`${url}/functions/v1/ai-chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${PUBLISHABLE_KEY}` },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'How do you avoid landing in spam?' }] }),
  });
  if (!response.ok || !response.body) throw new Error(`The chat returned ${response.status}: ${await response.text()}`);
  return response.body;
}
