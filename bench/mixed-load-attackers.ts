/** Attackers of the mixed load, in a separate thread: each attack runs 10 times a second, from fifty addresses. */
import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import { runAtInterval, Tally } from './mixed-load-tally.ts';

const { url, seconds } = workerData as { url: string; seconds: number };
const INTERVAL_MS = 100;
const MEGABYTE = 1024 * 1024;

const requests = new Tally(url);
const address = (index: number) => `203.0.113.${index % 50}`;

const get = (kind: string, path: string) => (index: number) =>
  requests.send({ kind, path: `/rest/v1/${path}`, address: address(index) });

const hugeBody = JSON.stringify([{ padding: 'x'.repeat(8 * MEGABYTE) }]);
const aliases = Array.from({ length: 900 }, (_, n) => `a${n}:content`).join();
const embeds = Array.from({ length: 30 }, (_, n) => `m${n}:chat_messages(content)`).join();

const ATTACKS: ((index: number) => Promise<unknown>)[] = [
  get('regular expression', `posts?title=match.${encodeURIComponent('(?:a{255}){200}b')}`),
  get('regular expression', `posts?content=imatch.${encodeURIComponent('^(.*)(.*)\\1\\2$')}`),
  get('deep embed', 'conversations?select=*,chat_messages(*,conversations(*,chat_messages(*,conversations(*))))'),
  get('aliases of a column', `posts?select=${aliases}`),
  get('aliases of an embed', `conversations?select=id,${embeds}`),
  (index) =>
    requests.send({
      kind: 'large body',
      path: '/rest/v1/conversations',
      address: address(index),
      method: 'POST',
      body: hugeBody,
    }),
  floodChat,
  (index) =>
    requests.send({
      kind: 'guessed code',
      path: '/auth/v1/verify',
      address: address(index),
      method: 'POST',
      body: JSON.stringify({
        type: 'recovery',
        email: 'visitor-0@example.com',
        token: String(index % 1_000_000).padStart(6, '0'),
      }),
    }),
];

async function floodChat(index: number): Promise<void> {
  const id = await requests.startConversation('chat flood', address(index));
  if (id === null) return;
  const message = { conversation_id: id, role: 'user', content: `${'a'.repeat(3999)}!` };
  await requests.send({
    kind: 'chat flood',
    path: '/rest/v1/chat_messages',
    address: address(index),
    method: 'POST',
    body: JSON.stringify(Array(20).fill(message)),
    headers: { 'x-conversation-id': id },
  });
}

// Requests made while the server stops are not counted.
parentPort?.on('message', () =>
  parentPort?.postMessage({
    counts: requests.counts,
    broken: requests.total('broken'),
    unexpectedResponses: requests.unexpectedResponses,
  }),
);
const end = performance.now() + seconds * 1000;
await Promise.all(ATTACKS.map((attack) => runAtInterval(INTERVAL_MS, end, attack)));
