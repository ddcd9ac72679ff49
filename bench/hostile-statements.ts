/**
 * Measures how visitors' statements that never end slow everybody else: the rate of kept pages, as a share of the quiet
 * rate and of the rate beside another process that keeps one core busy; the processor time of a kept page in the thread
 * that serves it; and how long a read waits after the deadline of the statement before it. On two cores the load itself
 * takes one: the second share says what the statement costs beyond the core that it runs on, and the time what is left
 * of the rate where there are cores for all.
 */
import { spawn } from 'node:child_process';
import { PUBLISHABLE_KEY } from '../backend/http/keys.ts';
import { openFolder, type SiteProcess, startSite } from '../tests/support/site.ts';
import { processorTime } from './processor-time.ts';
import { load, report, withSite } from './site.ts';

/** Stands for whatever passes the limits that the table API puts before a statement. */
const HOSTILE_FUNCTION = `create function public.never_ends() returns bigint language sql stable as
  $$ select count(*) from (select generate_series(1, 1000000000000)) n $$;
  grant execute on function public.never_ends to anon`;

const ROUNDS = 5;

await withSite(async (first, folder) => {
  await first.stop();
  const { database, close } = await openFolder(folder);
  await database.script(HOSTILE_FUNCTION);
  await close();
  const site = await startSite(folder);
  const headers = { apikey: PUBLISHABLE_KEY };
  const attack = () => fetch(`${site.url}/rest/v1/rpc/never_ends`, { headers });
  try {
    await (await fetch(site.url)).arrayBuffer();
    const quiet = await keptPages(site);
    const busy = spawn(process.execPath, ['-e', 'for (;;);']);
    const besideBusy = await load({ url: site.url });
    busy.kill();

    let isOver = false;
    const attacker = (async () => {
      while (!isOver) await (await attack()).arrayBuffer();
    })();
    const attacked = await keptPages(site);
    isOver = true;
    await attacker;
    const share = (rate: { perSecond: number }) => `${Math.round((attacked.perSecond / rate.perSecond) * 100)}%`;
    report('Kept pages while a statement never ends', share(quiet), 'target 90% of the quiet rate');
    report('Likewise, of the rate beside a busy process', share(besideBusy), '');
    report(
      'Processor time of a kept page, quiet and meanwhile',
      `${quiet.milliseconds.toFixed(3)}, ${attacked.milliseconds.toFixed(3)} ms`,
      `${Math.round((quiet.milliseconds / attacked.milliseconds) * 100)}% of the rate`,
    );

    const waits: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const ended = attack().then((response) => ({ status: response.status, at: performance.now() }));
      const read = await fetch(`${site.url}/rest/v1/posts?limit=1`, { headers });
      await read.arrayBuffer();
      const readAt = performance.now();
      const { status, at } = await ended;
      if (status !== 500 || read.status !== 200)
        throw new Error(`The attack answered ${status}, the read ${read.status}`);
      waits.push(Math.round(readAt - at));
    }
    report('A read after the deadline of the statement before it', `${Math.max(...waits)} ms`, 'target 2000 ms');
  } finally {
    await site.stop();
  }
});

/** Measures the rate, and the processor time of a page in the first thread of the server, in milliseconds. */
async function keptPages({ url, process: { pid } }: SiteProcess) {
  const thread = [`/proc/${pid}/task/${pid}/stat`];
  const before = await processorTime(thread);
  const { perSecond, answered } = await load({ url });
  return { perSecond, milliseconds: ((await processorTime(thread)) - before) / answered };
}
