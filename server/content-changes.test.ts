import { type Database, openPostgresDatabase } from '@signalfjord/backend';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NativePostgres, startNativePostgres } from '../packages/backend/tests/support/native-postgres.ts';
import { listenForContentChanges } from './content-changes.ts';

let postgres: NativePostgres;
beforeAll(async () => {
  postgres = await startNativePostgres();
});
afterAll(() => postgres.stop());

const change = (database: Database) => database.query(`select pg_notify('content_changed', 'posts')`);

test('When settled() resolves, every process has been notified of the change', async () => {
  const [firstDatabase, secondDatabase] = [openPostgresDatabase(postgres.url), openPostgresDatabase(postgres.url)];
  const notifications = { first: 0, second: 0 };
  const firstChanges = await listenForContentChanges(firstDatabase, () => notifications.first++);
  const secondChanges = await listenForContentChanges(secondDatabase, () => notifications.second++);
  for (let n = 1; n <= 50; n++) {
    await change(firstDatabase);
    await firstChanges.settled();
    expect(notifications.first).toBe(n);
    await secondChanges.settled();
    expect(notifications.second).toBe(n);
  }
  await Promise.all([firstDatabase.close(), secondDatabase.close()]);
});
