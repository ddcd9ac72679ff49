/** Attackers of the mixed load, in a separate thread: each attack runs 10 times a second, from fifty addresses. */
import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import { every, Tally } from './mixed-load-tally.ts';

const { url, seconds } = workerData as { url: string; seconds: number };
const INTERVAL_MS = 100;
const MEGABYTE = 1024 * 1024;

const tally = new Tally(url);
const address = (turn: number) => `203.0.113.${turn % 50}`;

const get = (kind: string, path: string) => (turn: number) =>
  tally.ask({ kind, path: `/rest/v1/${path}`, address: address(turn) });

const hugeBody = JSON.stringify([{ padding: 'x'.repeat(8 * MEGABYTE) }]);
const aliases = Array.from({ length: 900 }, (_, n) => `a${n}:content`).join();
const embeds = Array.from({ length: 30 }, (_, n) => `m${n}:chat_messages(content)`).join();

const ATTACKS: ((turn: number) => Promise<unknown>)[] = [
  get('regular expression', `posts?title=match.${encodeURIComponent('(?:a{255}){200}b')}`),
  get('regular expression', `posts?content=imatch.${encodeURIComponent('^(.*)(.*)\\1\\2$')}`),
  get('deep embed', 'conversations?select=*,chat_messages(*,conversations(*,chat_messages(*,conversations(*))))'),
  get('aliases of a column', `posts?select=${aliases}`),
  get('aliases of an embed', `conversations?select=id,${embeds}`),
  (turn) =>
    tally.ask({
      kind: 'large body',
      path: '/rest/v1/conversations',
      address: address(turn),
      method: 'POST',
      body: hugeBody,
    }),
  floodChat,
  (turn) =>
    tally.ask({
      kind: 'guessed code',
      path: '/auth/v1/verify',
      address: address(turn),
      method: 'POST',
      body: JSON.stringify({
        type: 'recovery',
        email: 'visitor-0@example.com',
        token: String(turn % 1_000_000).padStart(6, '0'),
      }),
    }),
];

async function floodChat(turn: number): Promise<void> {
  const id = await tally.startConversation('chat flood', address(turn));
  if (id === null) return;
  const message = { conversation_id: id, role: 'user', content: `${'a'.repeat(3999)}!` };
  await tally.ask({
    kind: 'chat flood',
    path: '/rest/v1/chat_messages',
    address: address(turn),
    method: 'POST',
    body: JSON.stringify(Array(20).fill(message)),
    headers: { 'x-conversation-id': id },
  });
}

// Requests made while the server stops are not counted.
parentPort?.on('message', () =>
  parentPort?.postMessage({ counts: tally.counts, broken: tally.total('broken'), surprises: tally.surprises }),
);
const end = performance.now() + seconds * 1000;
await Promise.all(ATTACKS.map((attack) => every(INTERVAL_MS, end, attack)));
