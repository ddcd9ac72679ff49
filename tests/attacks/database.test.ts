/** Expensive statements that a visitor can cause, sent directly to the database to bypass the limits of the API. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Database, QueryResult } from '../../packages/backend/src/database/database.ts';
import { assumeRole, type RequestIdentity } from '../../packages/backend/src/database/request-role.ts';
import { openTestDatabase } from '../support/test-database.ts';

const VISITOR: RequestIdentity = { role: 'anon', claims: { role: 'anon' }, headers: {}, method: 'GET', path: '/posts' };

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
  await database.query(
    `insert into public.posts (title, slug, status, published_date)
     values ('First', 'first', 'published', now() - interval '1 day')`,
  );
});
afterAll(() => database.close());

const queryAsVisitor = (text: string, values: string[]): Promise<QueryResult[]> =>
  database.batch([assumeRole(VISITOR), { text, values }]);

const readTitles = async () =>
  (await queryAsVisitor('select title from public.posts where title ~ $1', ['^F']))[1]?.rows;

test('A regular expression with catastrophic backtracking times out and does not block pages or later queries', async () => {
  const events: string[] = [];
  const page = createServer((_request, response) => response.end('a cached page'));
  page.listen(0, '127.0.0.1');
  await once(page, 'listening');
  onTestFinished(() => void page.close());
  const address = page.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;

  const attack = queryAsVisitor(`select repeat('a', 16000) ~ $1`, ['^(a+)(a+)\\1\\2$']).finally(() =>
    events.push('attack'),
  );
  const queuedRead = readTitles();
  const pageText = fetch(`http://127.0.0.1:${port}`).then((response) => response.text());
  void pageText.then(() => events.push('page'));

  await expect(attack).rejects.toMatchObject({
    code: '57014',
    message: 'canceling statement due to statement timeout',
  });
  expect(await pageText).toBe('a cached page');
  expect(await queuedRead).toEqual([{ title: 'First' }]);
  expect(events).toEqual(['page', 'attack']);
});

test('The connection survives a pattern that is too large to compile and an invalid value', async () => {
  const attack = queryAsVisitor('select title from public.posts where title ~ $1', ['(?:a{255}){200}b']);
  await expect(attack).rejects.toMatchObject({ code: '2201B' });
  const invalidQuery = queryAsVisitor('select title from public.posts where id = $1', ['x']);
  await expect(invalidQuery).rejects.toMatchObject({ code: '22P02' });
  expect(await readTitles()).toEqual([{ title: 'First' }]);
});
