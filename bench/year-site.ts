/** A site whose database is filled before the measurement, on the built-in database or on a Postgres server. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../packages/backend/src/database/database.ts';
import { openPostgresDatabase } from '../packages/backend/src/database/postgres-database.ts';
import type { NativePostgres } from '../packages/backend/tests/support/native-postgres.ts';
import { openFolder, removeFolder, type SiteProcess, startSite } from '../tests/support/site.ts';

export const ADMIN = { email: 'bench@example.com', password: 'Right-password-1' };

export interface FilledSite {
  site: SiteProcess;
  /** Environment variables of the site, for commands that access the same data. */
  variables: Record<string, string>;
}

/**
 * Starts a site, fills its database while it is stopped, measures it after a restart, and deletes it.
 * @param name of the database on the server
 * @param server null for the built-in database
 */
export async function withFilledSite<T>(
  name: string,
  server: NativePostgres | null,
  prepare: (database: Database) => Promise<void>,
  measure: (filled: FilledSite) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  const environment: Record<string, string> = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
  const url = server?.url.replace(/\w+$/, name);
  if (server && url) {
    const owner = openPostgresDatabase(server.url, 1);
    await owner.script(`create database ${name}`);
    await owner.close();
    environment['DATABASE_URL'] = url;
  }
  await (await startSite(folder, environment)).stop();
  const postgres = url ? openPostgresDatabase(url) : null;
  const { database, close } = postgres
    ? { database: postgres, close: () => postgres.close() }
    : await openFolder(folder);
  await prepare(database);
  await close();
  const site = await startSite(folder, environment);
  try {
    return await measure({ site, variables: { DATA_DIR: folder, ...(url && { DATABASE_URL: url }) } });
  } finally {
    await site.stop();
    await removeFolder(folder);
  }
}
