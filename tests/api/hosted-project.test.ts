/**
 * Runs the migrations as the role `postgres` on a database like that of a hosted Supabase project. Checks that every
 * role then has the declared rights, and that the functions work.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Access, observe, readDeclared } from '../../scripts/attack/access.ts';
import { ANY_BUCKET } from '../../scripts/attack/buckets.ts';
import { compareAccess } from '../../scripts/attack/compare.ts';
import { callPath } from '../../scripts/attack/functions.ts';
import { discover, type Send, sender } from '../../scripts/attack/instance.ts';
import type { Caller } from '../../scripts/attack/people.ts';
import {
  type HostedPlatform,
  type HostedProject,
  startHostedPlatform,
  type TableApi,
} from '../support/hosted-platform.ts';

/** Functions about files in the trash, which the storage service of a hosted project does not have. */
const BUILT_IN_STORAGE_ONLY = ['delete_media_permanently', 'restore_media'];

/** The scheduled job in docs/hosted.md. */
const PAGE = await readFile(join(import.meta.dirname, '../../docs/hosted.md'), 'utf8');
const JOB = /cron\.schedule\('[\w-]+', '[^']+', '([^']+)'\)/.exec(PAGE)?.[1] ?? '';

let platform: HostedPlatform;
let declaredAccess: Access;
/** The rights of visitors and users according to the catalogue, by project name. */
const rights = new Map<string, string[]>();
beforeAll(async () => {
  [platform, declaredAccess] = await Promise.all([startHostedPlatform(), readDeclared()]);
});
afterAll(() => platform.stop());

describe.each([
  ['that grants access to new tables, like older projects', 'older_project', true],
  ['that grants no access to new tables', 'new_project', false],
])('On the database of a project %s', (_what, name, grantsOnNewTables) => {
  let project: HostedProject;
  let api: TableApi;
  let send: Send;
  beforeAll(async () => {
    project = await platform.project(name, { grantsOnNewTables });
    rights.set(name, await listRights(project));
    api = await project.tableApi();
    send = sender(api);
  });
  afterAll(async () => {
    await api.close();
    await project.close();
  });

  if (grantsOnNewTables) {
    test('every role has the declared rights on tables and functions', async () => {
      const { secretKey, callers } = api;
      const filter = (location: string) => location !== ANY_BUCKET;
      const observedAccess = await observe({
        send,
        secretKey,
        callers,
        declared: { ...declaredAccess, buckets: {} },
        filter,
      });
      const differences = compareAccess({ ...declaredAccess, buckets: {} }, observedAccess);
      expect(differences.filter(({ allowsMore }) => allowsMore)).toEqual([]);
      const functions = new Set(differences.map(({ location }) => location.replace(/^function |,.*/g, '')));
      expect([...functions].sort()).toEqual(BUILT_IN_STORAGE_ONLY);
    });
  }

  test('every role has the declared rights on files', async () => {
    for (const bucket of ['content-media', 'media-originals']) {
      for (const caller of api.callers) {
        const verbs = declaredAccess.buckets[bucket]?.[caller.role]?.split(', ') ?? [];
        const expected = ['list', 'upload', 'replace', 'remove'].filter((verb) => verbs.includes(verb));
        expect([caller.role, bucket, await listFileOperations(project, caller, bucket)]).toEqual([
          caller.role,
          bucket,
          expected,
        ]);
      }
    }
  });

  test("an upload is added to the media library by the trigger on the storage service's table", async () => {
    await project.database.query(
      `insert into storage.objects (bucket_id, name, metadata) values ('content-media', 'entered.png', '{"mimetype":"image/png"}')`,
    );
    const { rows } = await project.database.query(`select from private.media_files where name = 'entered.png'`);
    expect(rows).toHaveLength(1);
  });

  test("every function's owner has all the rights that the function needs", async () => {
    const { functions } = await discover(send, api.secretKey);
    // Functions that delete data run last, because others need that data.
    const deletes = (functionName: string) => Number(/^(delete_my_account|delete_person|end_)/.test(functionName));
    const names = Object.keys(functions).sort((a, b) => deletes(a) - deletes(b));
    const problems: string[] = [];
    for (const functionName of names) {
      for (const token of [
        api.secretKey,
        ...api.callers.filter(({ role }) => deletes(functionName) || role === 'admin').map(({ token }) => token),
      ]) {
        const path = callPath(functionName, functions[functionName] ?? {}, api.callers);
        const { text } = await send(token, 'POST', path.split('?')[0] ?? '', {
          body: Object.fromEntries(new URLSearchParams(path.split('?')[1])),
        });
        // A caller without the right to execute the function cannot reveal missing rights of its owner.
        const isDenied = text.includes(`permission denied for function ${functionName}"`);
        if (!isDenied && /permission denied|must be owner|WHERE clause|"42(?:P01|883)"/.test(text)) {
          problems.push(`${functionName}: ${text}`);
        }
      }
    }
    expect(problems).toEqual([]);
  });

  test('the job in docs/hosted.md runs as postgres and leaves no overdue work', async () => {
    await project.postgres.query(JOB);
    const { rows } = await project.postgres.query(
      'select name from private.jobs where next_run_at <= now() or last_error <> $1',
      [''],
    );
    expect(rows).toEqual([]);
  });

  // These checks do not depend on the default grants, so one project is enough.
  if (!grantsOnNewTables) {
    test('Rate limits use the address from the edge, not a forged X-Forwarded-For', async () => {
      const isAllowed = async (headers: Record<string, string>) => {
        const { rows } = await project.database.query<{ counted: boolean }>(
          `select private.count_for_address('tried', private.client_address(), 1, '1 hour') as counted
           from (select set_config('request.headers', $1, false)) as request (headers) where headers <> ''`,
          [JSON.stringify(headers)],
        );
        return rows[0]?.counted;
      };
      const edge = (address: string, forged: string) => ({ 'cf-connecting-ip': address, 'x-forwarded-for': forged });
      expect(await isAllowed(edge('198.51.100.1', '203.0.113.1'))).toBe(true);
      expect(await isAllowed(edge('198.51.100.1', '203.0.113.2'))).toBe(false);
      expect(await isAllowed(edge('198.51.100.2', '203.0.113.1'))).toBe(true);
      const outcomes: unknown[] = [];
      for (let attempt = 1; attempt <= 21; attempt += 1)
        outcomes.push(await isAllowed({ 'x-forwarded-for': `203.0.113.${attempt}` }));
      expect(outcomes).toEqual([...Array(20).fill(true), false]);
    });

    test('Every update and delete in a function has a where clause, as hosted projects require', async () => {
      const { rows } = await project.database.query<{ name: string; source: string }>(
        `select proname as name, prosrc as source from pg_proc
         where pronamespace in ('public'::regnamespace, 'private'::regnamespace)`,
      );
      const writes = /\b(?:update\s+(?!of\b)[\w.]+(?:\s+as\s+\w+)?\s+set|delete\s+from\s+[\w.]+)\b[^;]*/gi;
      const withoutWhere = rows.flatMap(({ name, source }) =>
        (source.replace(/--.*$/gm, '').match(writes) ?? []).flatMap((write) =>
          /\bwhere\b/i.test(write) ? [] : [name],
        ),
      );
      expect(rows.length).toBeGreaterThan(100);
      expect(withoutWhere).toEqual([]);
    });
  }
});

test('Older and newer projects grant everyone the same rights', () => {
  expect(rights.get('older_project')?.length).toBeGreaterThan(1000);
  expect(rights.get('new_project')).toEqual(rights.get('older_project'));
});

/** Lists the rights of the request roles on each schema, table, column and function. */
async function listRights({ database }: HostedProject): Promise<string[]> {
  const { rows } = await database.query<{ line: string }>(`
    with things as (
      select nspname || '.' || relname as name, pg_class.oid as relation, null::oid as routine, null::int2 as place
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace where relkind in ('r', 'v', 'm', 'p', 'f')
      union all
      select nspname || '.' || relname || '.' || attname, attrelid, null, attnum
      from pg_attribute join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
      where relkind in ('r', 'v', 'm', 'p', 'f') and attnum > 0 and not attisdropped
      union all
      select nspname || '.' || proname || '(' || pg_get_function_identity_arguments(pg_proc.oid) || ')', null, pg_proc.oid, null
      from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
      union all
      select nspname || '.', null, null, null from pg_namespace
    )
    select who || ' ' || privilege || ' ' || name as line
    from things, unnest(array['anon', 'authenticated']) as who,
      unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'EXECUTE', 'USAGE']) as privilege
    where name !~ '^(pg_|information_schema)' and case
      when routine is not null then privilege = 'EXECUTE' and has_function_privilege(who, routine, privilege)
      when privilege in ('EXECUTE', 'USAGE') then
        relation is null and privilege = 'USAGE' and has_schema_privilege(who, rtrim(name, '.'), privilege)
      when relation is null then false
      when place is null then has_table_privilege(who, relation, privilege)
      else privilege <> 'DELETE' and has_column_privilege(who, relation, place, privilege)
    end
    order by 1`);
  return rows.map(({ line }) => line);
}

/** Lists the operations on files that the caller may perform. Runs them like the storage service and rolls back. */
async function listFileOperations(
  { database }: HostedProject,
  { id, token }: Caller,
  bucket: string,
): Promise<string[]> {
  const role = token === null ? 'anon' : 'authenticated';
  const claims = JSON.stringify(token === null ? { role } : { role, sub: id, ...decodePayload(token) });
  const file = `insert into storage.objects (bucket_id, name) values ('${bucket}', 'tried.png')`;
  const cases: [verb: string, before: string, statement: string][] = [
    ['list', file, `select 1 from storage.objects where name = 'tried.png'`],
    ['upload', 'select 1', `${file} returning 1`],
    ['replace', file, `update storage.objects set metadata = '{}' where name = 'tried.png' returning 1`],
    ['remove', file, `delete from storage.objects where name = 'tried.png' returning 1`],
  ];
  const verbs: string[] = [];
  for (const [verb, before, statement] of cases) {
    const rollback = new Error('undone');
    await database
      .transaction(async (tx) => {
        await tx.query(before);
        await tx.query(
          `select set_config('request.jwt.claims', $1, true), set_config('storage.allow_delete_query', 'true', true), set_config('role', $2, true)`,
          [claims, role],
        );
        if ((await tx.query(statement)).rows.length > 0) verbs.push(verb);
        throw rollback;
      })
      .catch((error: unknown) => {
        if (error !== rollback && !/row-level security|permission denied/.test(String(error))) throw error;
      });
  }
  return verbs;
}

function decodePayload(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
}
