/**
 * A database server like that of a hosted Supabase project. `postgres` is not a superuser, and runs migrations with the
 * same limited privileges.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateKeyPair, SignJWT } from 'jose';
import { pino } from 'pino';
import { parseConfig } from '../../packages/backend/src/config.ts';
import type { Database } from '../../packages/backend/src/database/database.ts';
import { openPostgresDatabase } from '../../packages/backend/src/database/postgres-database.ts';
import { createTokenVerifier, identifyRequest } from '../../packages/backend/src/http/identity.ts';
import { PUBLISHABLE_KEY, SigningKeys } from '../../packages/backend/src/http/keys.ts';
import { MemoryBudget } from '../../packages/backend/src/limits/memory-budget.ts';
import { createRestService } from '../../packages/backend/src/rest/rest-service.ts';
import { startNativePostgres } from '../../packages/backend/tests/support/native-postgres.ts';
import type { Keys } from '../../scripts/attack/instance.ts';
import { type Caller, MEMBERSHIP_TABLES, ROLES, SAMPLE_CLIENT } from '../../scripts/attack/people.ts';

const root = join(import.meta.dirname, '../..');
const MIGRATIONS = join(root, 'supabase/migrations');
const SAMPLES = [join(root, 'supabase/seed.sql'), join(root, 'scripts/attack/sample-rows.sql')];

/**
 * Default grants of older projects on every object that a migration creates. Projects created since May 2026 lack them.
 */
const DEFAULT_GRANTS = ['tables', 'functions', 'sequences']
  .map((kind) => `alter default privileges in schema public grant all on ${kind} to anon, authenticated, service_role;`)
  .join('\n');

/** Policies on the storage service's tables, which the extension supautils lets postgres create. */
const STORAGE_POLICY = /^(?:create|alter|drop) policy [^;]* on storage\.(?:objects|buckets)\b[^;]*;/gm;

export interface HostedPlatform {
  /** Creates a project with every migration and rows of every kind, as `supabase db push` does. */
  project(name: string, options: { grantsOnNewTables: boolean }): Promise<HostedProject>;
  /** Returns the URL of a project's database. */
  url(role: string, name: string): string;
  stop(): Promise<void>;
}

export interface HostedProject {
  /** Connected as the platform's superuser. */
  database: Database;
  /** Connected as `postgres`, which runs migrations and jobs. */
  postgres: Database;
  /** Starts the table API with a separate login. */
  tableApi(): Promise<TableApi>;
  close(): Promise<void>;
}

export async function startHostedPlatform(): Promise<HostedPlatform> {
  const server = await startNativePostgres('supabase_admin');
  const databaseUrl = (role: string, name: string) =>
    server.url.replace('//supabase_admin@', `//${role}@`).replace(/\w+$/, name);
  const admin = openPostgresDatabase(server.url, 1);
  await admin.script('create database platform');
  await prepare(databaseUrl('supabase_admin', 'platform'));
  return {
    async project(name, { grantsOnNewTables }) {
      await admin.script(`create database ${name} template platform owner postgres`);
      const database = openPostgresDatabase(databaseUrl('supabase_admin', name), 2);
      const postgres = openPostgresDatabase(databaseUrl('postgres', name), 1);
      await push(postgres, database, grantsOnNewTables ? DEFAULT_GRANTS : '');
      for (const file of SAMPLES) await postgres.script(await readFile(file, 'utf8'));
      return {
        database,
        postgres,
        tableApi: () => serveTables(databaseUrl('authenticator', name), database),
        async close() {
          await Promise.all([database.close(), postgres.close()]);
        },
      };
    },
    url: databaseUrl,
    async stop() {
      await admin.close();
      await server.stop();
    },
  };
}

async function prepare(url: string): Promise<void> {
  const database = openPostgresDatabase(url, 1);
  await database.script('create schema backend');
  for (const file of await sqlFiles(join(root, 'packages/backend/src/database/bootstrap'))) {
    await database.script(await readFile(file, 'utf8'));
  }
  await database.script(await readFile(join(import.meta.dirname, 'hosted-platform.sql'), 'utf8'));
  await database.close();
}

/**
 * @param before SQL that runs before each migration, because a project may be older than the baseline, which revokes
 * these grants
 */
async function push(postgres: Database, superuser: Database, before: string): Promise<void> {
  for (const file of await sqlFiles(MIGRATIONS)) {
    await postgres.script(before);
    const sql = await readFile(file, 'utf8');
    try {
      await postgres.script(sql.replaceAll(STORAGE_POLICY, ''));
      await superuser.script((sql.match(STORAGE_POLICY) ?? []).join('\n'));
    } catch (cause) {
      throw new Error(`${file} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  }
}

async function sqlFiles(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return files.map((file) => join(folder, file));
}

export interface TableApi extends Required<Keys> {
  callers: Caller[];
  close(): Promise<void>;
}

/** Starts our table API with PostgREST's login role, and creates a user of each role. */
async function serveTables(url: string, superuser: Database): Promise<TableApi> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const database = openPostgresDatabase(url);
  const keys = new SigningKeys(database, 'ES256', {
    current: { kid: 'project', alg: 'ES256', privateKey },
    verifying: new Map([['project', publicKey]]),
    publicKeys: [],
    secretKey: 'sb_secret_project',
  });
  const verifier = createTokenVerifier(keys);
  const restService = await createRestService({
    config: parseConfig({ RATE_LIMITS: 'off' }),
    database,
    keys,
    memory: new MemoryBudget(),
    verifyCaptcha: async () => null,
    readSenderName: async () => 'Signalfjord',
    log: pino({ level: 'silent' }),
    identify: (request) => identifyRequest(request, keys, verifier),
  });
  return {
    url: 'http://project.test',
    publishableKey: PUBLISHABLE_KEY,
    secretKey: keys.secretKey,
    // The platform has no storage service, so respond with an empty list of buckets.
    fetch: async (requestUrl, init) =>
      requestUrl.includes('/rest/v1/') ? restService.fetch(new Request(requestUrl, init), '') : Response.json([]),
    callers: await Promise.all(ROLES.map((role) => caller(role, superuser, keys))),
    async close() {
      await restService.close();
      await database.close();
    },
  };
}

/** Role of the user behind each caller. An application acts for its own admin. */
const STORED_ROLES: Partial<Record<Caller['role'], string>> = {
  pending: 'team',
  client: 'client',
  member: 'client',
  team: 'team',
  worker: 'team',
  application: 'admin',
  admin: 'admin',
};

async function caller(role: Caller['role'], superuser: Database, { current }: SigningKeys): Promise<Caller> {
  const id = crypto.randomUUID();
  if (role === 'visitor') return { role, id, email: '', token: null };
  const email = `${role}@attack.invalid`;
  const session = crypto.randomUUID();
  // An email address counts as verified only if a confirmation email was sent before it was confirmed.
  await superuser.query(
    `insert into auth.users (
       id, aud, role, email, raw_user_meta_data, confirmation_sent_at, email_confirmed_at, created_at, updated_at
     ) values (
       $1, 'authenticated', 'authenticated', $2, $3, case when $4 then now() - interval '1 minute' end, now(), now(), now()
     )`,
    [id, email, { full_name: role }, role !== 'unproven'],
  );
  await superuser.query(
    'insert into auth.sessions (id, user_id, created_at, updated_at, aal) values ($1, $2, now(), now(), $3)',
    [session, id, 'aal1'],
  );
  // These users have just signed in with a password.
  await superuser.query(
    `insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
     values (gen_random_uuid(), $1, now(), now(), 'password')`,
    [session],
  );
  const storedRole = STORED_ROLES[role];
  if (storedRole) {
    await superuser.query('insert into public.user_roles (user_id, role, approved) values ($1, $2, $3)', [
      id,
      storedRole,
      role !== 'pending',
    ]);
  }
  const table = MEMBERSHIP_TABLES[role];
  if (table) {
    await superuser.query(`insert into public.${table} (client_id, user_id) values ($1, $2)`, [SAMPLE_CLIENT, id]);
  }
  const client = role === 'application' ? { client_id: crypto.randomUUID() } : {};
  const token = await new SignJWT({ role: 'authenticated', session_id: session, aal: 'aal1', ...client })
    .setProtectedHeader({ alg: current.alg, kid: current.kid })
    .setSubject(id)
    .setAudience('authenticated')
    .setExpirationTime('1h')
    .sign(current.privateKey);
  return { role, id, email, token, ...(table ? { client: SAMPLE_CLIENT } : {}) };
}
