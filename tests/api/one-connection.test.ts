import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../backend/database/database.ts';
import { refuseNestedWork } from '../support/one-connection.ts';
import { openTestDatabase } from '../support/test-database.ts';

let database: Database;
beforeAll(async () => {
  database = refuseNestedWork(await openTestDatabase());
});
afterAll(() => database.close());

const WORK: [string, () => Promise<unknown>][] = [
  ['a statement', () => database.query('select 1')],
  ['a batch', () => database.batch([{ text: 'select 1' }])],
  ['another transaction', () => database.transaction((tx) => tx.query('select 1'))],
];

test.each(WORK)('Within a transaction %s of its own is refused, and done afterwards', async (_, work) => {
  const nested = database.transaction(async (tx) => {
    await tx.query('select 1');
    return work();
  });
  await expect(nested).rejects.toThrow('never ends on PGlite');
  await work();
});

test('Others may work meanwhile, and what a transaction leaves behind once it has ended', async () => {
  const after = Promise.withResolvers<void>();
  let later: Promise<unknown> = Promise.resolve();
  const transaction = database.transaction(async (tx) => {
    later = after.promise.then(() => database.query('select 1'));
    await tx.query('select 1');
  });
  await Promise.all([transaction, database.query('select 1')]);
  after.resolve();
  await later;
});
