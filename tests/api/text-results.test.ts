/** Results of approved texts by version and step, from the events of a source. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approveText } from '../support/campaign-texts.ts';
import { newClient, type TestClient } from '../support/clients.ts';
import { addSource, postEvents } from '../support/sources.ts';
import { keepMailsQueued, startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let admin: SupabaseClient;
let testClient: TestClient;
let teamMember: SupabaseClient;

beforeAll(async () => {
  site = await startTestBackend();
  await keepMailsQueued(site);
  admin = (await site.signedIn('admin')).client;
});
afterAll(() => site.close());
beforeEach(async () => {
  testClient = await newClient(site, admin, 'Fjell AS');
  teamMember = testClient.worker.client;
});

const approve = (number: number, text: string, { id, step = 1 }: { id?: string; step?: number } = {}) =>
  approveText(testClient, { title: `Mail ${step}`, text, step, number, ...(id && { id }) });

/** An event for a person, the given number of minutes after the source was added. */
function event(kind: string, person: string, minute: number, fields: { step?: number; text?: string } = {}) {
  const at = new Date(Date.now() + minute * 1000).toISOString();
  return { kind, id: `${kind} ${person} ${minute}`, to: `${person}@kunde.example`, at, ...fields };
}

async function post(token: string, events: object[]) {
  expect((await postEvents(site, token, events)).status).toBe(200);
}

async function readResults(client = teamMember) {
  const { data } = await client.rpc('text_results', { _client_id: testClient.id }).throwOnError();
  return data.map(({ title, number, step, sent, bounced, replied, interested, meetings }: Record<string, unknown>) => [
    ...[title, number, step],
    ...[sent, bounced, replied, interested, meetings],
  ]);
}

test('A reply counts for the version and step that the person received last before it', async () => {
  const first = await approve(1, 'Hei {{first_name}}, fisk?');
  await approve(1, 'Fortsatt fisk?', { step: 2 });
  const token = await addSource(teamMember, testClient);
  await post(token, [
    event('sent', 'anna', 1, { step: 1, text: 'Hei Anna, fisk?' }),
    event('sent', 'bo', 2, { step: 1, text: '<p>Hei Bo, fisk?</p>' }),
    event('sent', 'eva', 3, { step: 1, text: 'Hei Eva, kjøp nå!' }),
    event('bounced', 'bo', 4),
    event('sent', 'anna', 5, { step: 2, text: 'Fortsatt fisk?' }),
    event('reply', 'anna', 6),
    event('reply', 'anna', 7),
    event('positive_reply', 'anna', 8),
    event('reply', 'stranger', 9),
    event('reply', 'eva', 10),
  ]);
  await approve(2, 'Hei {{first_name}}, laks?', { id: first });
  await post(token, [
    event('sent', 'ola', 11, { step: 1, text: 'Hei Ola, laks?' }),
    event('reply', 'ola', 12),
    event('meeting', 'ola', 13),
  ]);
  const expected = [
    ['Mail 1', 1, 1, 2, 1, 0, 0, 0],
    ['Mail 1', 2, 1, 1, 0, 1, 0, 1],
    ['Mail 2', 1, 2, 1, 0, 1, 1, 0],
  ];
  expect(await readResults()).toEqual(expected);
  expect(await readResults(testClient.member.client)).toEqual(expected);
});

test('A message without a text counts for the only text of its step', async () => {
  await approve(1, 'Hei');
  await approve(1, 'Hallo', { step: 2 });
  const token = await addSource(teamMember, testClient);
  await post(token, [event('sent', 'anna', 1, { step: 2 }), event('sent', 'anna', 2)]);
  expect(await readResults()).toEqual([['Mail 2', 1, 2, 1, 0, 0, 0, 0]]);
});

test('Shuffled and duplicated events give the same results', async () => {
  await approve(1, 'Hei');
  await approve(1, 'Hallo', { step: 2 });
  const events = Array.from({ length: 400 }, (_, person) => [
    event('sent', `p${person}`, person + 1, { step: 1, text: 'Hei' }),
    ...(person % 20 === 0 ? [event('reply', `p${person}`, person + 2)] : []),
    ...(person % 2 === 0 ? [event('sent', `p${person}`, person + 3, { step: 2, text: 'Hallo' })] : []),
    ...(person % 50 === 0 ? [event('positive_reply', `p${person}`, person + 4)] : []),
    ...(person % 40 === 1 ? [event('bounced', `p${person}`, person + 5)] : []),
  ]).flat();
  const doubled = [...events, ...events].map((item, index) => ({ item, order: (index * 7919) % 2003 }));
  const shuffled = doubled.sort((a, b) => a.order - b.order).map(({ item }) => item);
  const token = await addSource(teamMember, testClient);
  for (let start = 0; start < shuffled.length; start += 500) await post(token, shuffled.slice(start, start + 500));
  expect(await readResults()).toEqual([
    ['Mail 1', 1, 1, 400, 10, 20, 0, 0],
    ['Mail 2', 1, 2, 200, 0, 0, 8, 0],
  ]);
});
