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
  const [here, there] = [openPostgresDatabase(postgres.url), openPostgresDatabase(postgres.url)];
  const heard = { here: 0, there: 0 };
  const changesHere = await listenForContentChanges(here, () => heard.here++);
  const changesThere = await listenForContentChanges(there, () => heard.there++);
  for (let n = 1; n <= 50; n++) {
    await change(here);
    await changesHere.settled();
    expect(heard.here).toBe(n);
    await changesThere.settled();
    expect(heard.there).toBe(n);
  }
  await Promise.all([here.close(), there.close()]);
});
