/**
 * Measures memory during an upload of 20 MB, and the time to resize a picture of 12 megapixels. Run with
 * `node bench/storage.ts`. The backend runs in a separate process (this file with --serve).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { serve } from '@hono/node-server';
import { createClient } from '@supabase/supabase-js';
import { pino } from 'pino';
import sharp from 'sharp';
import { parseConfig } from '../packages/backend/src/config.ts';
import { createSiteBackend } from '../server/site-backend.ts';
import { readMemoryMb } from '../tests/support/process-memory.ts';

const BUCKET = 'content-media';

if (process.argv.includes('--serve')) await serveBackend();
else await measure();

async function serveBackend(): Promise<void> {
  const backend = await createSiteBackend(parseConfig(process.env), { log: pino({ level: 'silent' }) });
  const server = serve({ fetch: (request) => backend.fetch(request), port: 0, hostname: '127.0.0.1' }, ({ port }) => {
    console.log(JSON.stringify({ url: `http://127.0.0.1:${port}`, key: backend.keys.secretKey }));
  });
  process.once('SIGTERM', () => server.close(() => void backend.close()));
}

async function measure(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-bench-'));
  // Measure the second start, because creating the database leaves memory that later requests reuse.
  await stop((await start(folder)).child);
  const { child, url, key } = await start(folder);
  try {
    const bucket = createClient(url, key).storage.from(BUCKET);
    const upload = async (name: string, body: Buffer | Blob) => {
      const { error } = await bucket.upload(name, body, { upsert: true });
      if (error) throw error;
    };

    const video = asMp4(20_000_000);
    await upload(
      'warm-up.png',
      await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    );
    await upload('warm-up.mp4', video.subarray(0, 1_000_000));
    for (const [method, body] of [
      ['raw', video],
      ['as a form', new Blob([new Uint8Array(video)])],
    ] as const) {
      await setTimeout(5000);
      const idle = (await readMemoryMb(child)) ?? 0;
      let peak = idle;
      const watch = setInterval(async () => {
        peak = Math.max(peak, (await readMemoryMb(child)) ?? 0);
      }, 5);
      const time = await measureDuration(() => upload('video.mp4', body));
      clearInterval(watch);
      report(
        `Upload of 20 MB ${method}`,
        `${time} ms, ${(peak - idle).toFixed(0)} MB above the idle ${idle.toFixed(0)} MB`,
      );
    }

    await upload('photo.jpg', await photo(4000, 3000));
    for (const [label, query, accept] of [
      ['640 px wide, WebP', 'width=640', 'image/webp'],
      ['1600 px wide, WebP', 'width=1600', 'image/webp'],
      ['2400 px wide, WebP', 'width=2400', 'image/webp'],
      ['1600 px wide, JPEG', 'width=1600', 'image/jpeg'],
      ['640 px wide, AVIF', 'width=640', 'image/avif'],
      ['2400 px wide, AVIF', 'width=2400', 'image/avif'],
    ] as const) {
      const fetchRendition = async () => {
        const response = await fetch(`${url}/storage/v1/render/image/public/${BUCKET}/photo.jpg?${query}`, {
          headers: { accept },
        });
        if (!response.ok) throw new Error(await response.text());
        await response.arrayBuffer();
      };
      const first = await measureDuration(fetchRendition);
      const cached: number[] = [];
      for (let round = 0; round < 50; round += 1) cached.push(await measureDuration(fetchRendition));
      cached.sort((a, b) => a - b);
      report(
        `Rendition of 12 megapixels, ${label}`,
        `${first} ms, from the cache ${cached[25]} ms (slowest of 50: ${cached[49]} ms)`,
      );
    }
  } finally {
    await stop(child);
    await rm(folder, { recursive: true, force: true });
  }
}

function report(name: string, figures: string): void {
  console.log(`${name}: ${figures}`);
}

async function measureDuration(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return Number((performance.now() - start).toFixed(1));
}

async function start(folder: string): Promise<{ child: ChildProcess; url: string; key: string }> {
  const child = spawn(process.execPath, [import.meta.filename, '--serve'], {
    env: { ...process.env, DATA_DIR: folder, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of child.stdout)
    return { child, ...(JSON.parse(String(line)) as { url: string; key: string }) };
  throw new Error('The backend did not start.');
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await new Promise((exited) => child.once('exit', exited));
}

/** Returns random bytes with the signature of a video file. */
function asMp4(size: number): Buffer {
  const video = randomBytes(size);
  Buffer.from('0000001c6674797069736f6d0000020069736f6d69736f326d703431', 'hex').copy(video);
  return video;
}

/** Returns noise similar to a photo, because a plain area compresses too well. */
async function photo(width: number, height: number): Promise<Buffer> {
  const seed = { raw: { width: 500, height: 375, channels: 3 as const } };
  return sharp(randomBytes(500 * 375 * 3), seed)
    .blur(2)
    .resize(width, height)
    .jpeg({ quality: 88 })
    .toBuffer();
}
