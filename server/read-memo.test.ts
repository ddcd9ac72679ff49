import { expect, test } from 'vitest';
import { ReadMemo } from './read-memo.ts';

const MINUTE = 60_000;
const posts = () => new Request('http://backend.internal/rest/v1/posts', { headers: { apikey: 'key' } });

/** Answers with the number of times it was asked. */
function counting(status = 200) {
  let asked = 0;
  return async () => new Response(String(++asked), { status });
}

test('An answer is read once, for those who ask at the same time too, and again after a change', async () => {
  const reads = new ReadMemo(counting(), MINUTE);
  const answers = await Promise.all([reads.fetch(posts()), reads.fetch(posts())]);
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['1', '1']);
  expect(await (await reads.fetch(posts())).text()).toBe('1');
  reads.drop();
  expect(await (await reads.fetch(posts())).text()).toBe('2');
});

test('A reading that began before a change is not given to those who ask after it', async () => {
  const slow = Promise.withResolvers<Response>();
  const answers = [slow.promise, Promise.resolve(new Response('new'))];
  const reads = new ReadMemo(() => answers.shift() ?? new Response('more'), MINUTE);
  const before = reads.fetch(posts());
  reads.drop();
  const after = reads.fetch(posts());
  slow.resolve(new Response('old'));
  expect(await (await before).text()).toBe('old');
  expect(await (await after).text()).toBe('new');
  expect(await (await reads.fetch(posts())).text()).toBe('new');
});

test('Refusals and failures are not kept, and neither is what is too old', async () => {
  const refused = new ReadMemo(counting(500), MINUTE);
  await refused.fetch(posts());
  expect(await (await refused.fetch(posts())).text()).toBe('2');

  const outcomes = [Promise.reject(new Error('no network')), Promise.resolve(new Response('back'))];
  const failing = new ReadMemo(() => outcomes.shift() ?? new Response('more'), MINUTE);
  await expect(failing.fetch(posts())).rejects.toThrow('no network');
  expect(await (await failing.fetch(posts())).text()).toBe('back');

  const old = new ReadMemo(counting(), -1);
  await old.fetch(posts());
  expect(await (await old.fetch(posts())).text()).toBe('2');
});

test('An answer that differs by the form asked for is kept for each form', async () => {
  const reads = new ReadMemo(async (request) => new Response(request.headers.get('accept')), MINUTE);
  const asking = (accept: string) => reads.fetch(new Request(posts(), { headers: { accept } }));
  expect(await (await asking('application/json')).text()).toBe('application/json');
  expect(await (await asking('text/csv')).text()).toBe('text/csv');
});
