/** Holds the row type of every `query<Row>` against what Postgres says that the statement returns. */
import { glob, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { copyFolder } from '../../tests/support/copy-folder.ts';
import {
  type Kind,
  type TypedStatement,
  typedStatements,
  UnreadableError,
} from '../../tests/support/typed-statements.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Kinds of the types of Postgres by their OIDs, as pglite-answer.ts reads them; text unless named. */
const KINDS: Record<number, Kind[]> = {
  16: ['boolean'],
  17: ['bytes'],
  ...Object.fromEntries([20, 21, 23, 700, 701].map((oid) => [oid, ['number']])),
  ...Object.fromEntries([114, 3802].map((oid) => [oid, ['json', 'array', 'string', 'number', 'boolean']])),
  ...Object.fromEntries([1003, 1009, 1015, 2951].map((oid) => [oid, ['array']])),
  1184: ['Date'],
};

/** Statements whose tables, columns or conditions are known only as the program runs, by file. */
const PUT_TOGETHER: Record<string, number> = {
  'backend/auth/providers/custom-provider-rows.ts': 2,
  'backend/auth/saml/sso-providers.ts': 1,
  'backend/functions/retention.ts': 1,
  'backend/moving/export-archive.ts': 2,
  'backend/moving/import-archive.ts': 1,
  'backend/moving/tables.ts': 1,
  'backend/storage/resumable/upload-rows.ts': 1,
};

let folder: string;
let pglite: PGlite;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalfjord-typed-'));
  await copyFolder(inject('databaseTemplate'), folder);
  pglite = await PGlite.create(folder, { extensions: { pg_trgm } });
});
afterAll(async () => {
  await pglite.close();
  await rm(folder, { recursive: true });
});

/** Returns where a row type says something else than the database. */
async function faultsOf({ place, sql, columns }: TypedStatement): Promise<string[]> {
  const { resultFields } = await pglite.describeQuery(sql);
  const returned = new Map(resultFields.map(({ name, dataTypeID }) => [name, KINDS[dataTypeID] ?? ['string']]));
  return [...columns].flatMap(([name, said]) => {
    const kinds = returned.get(name);
    if (kinds === undefined) return [`${place}: the statement returns no column ${name}.`];
    const wrong = [...said].filter((kind) => kind !== 'null' && kind !== 'any' && !kinds.includes(kind));
    return wrong.map((kind) => `${place}: ${name} is ${kinds[0]} in the database, and ${kind} in the row type.`);
  });
}

async function faultsIn(text: string): Promise<string[]> {
  const found = typedStatements(join(ROOT, 'backend/planted.ts'), text);
  const faults = await Promise.all(
    found.map(async (one) => (one instanceof UnreadableError ? [one.message] : faultsOf(one))),
  );
  return faults.flat().map((fault) => fault.replace(`${ROOT}/`, ''));
}

test('Every row type says what its statement returns', async () => {
  const faults: string[] = [];
  const unreadable: Record<string, number> = {};
  const reasons: string[] = [];
  let checked = 0;
  for await (const file of glob('{backend,server}/**/*.ts', { cwd: ROOT })) {
    if (file.endsWith('.test.ts')) continue;
    for (const statement of typedStatements(join(ROOT, file))) {
      if (statement instanceof UnreadableError) {
        unreadable[file] = (unreadable[file] ?? 0) + 1;
        reasons.push(statement.message);
      } else {
        faults.push(...(await faultsOf(statement)));
      }
      checked++;
    }
  }
  expect(faults).toEqual([]);
  expect(unreadable, reasons.join('\n')).toEqual(PUT_TOGETHER);
  expect(checked).toBeGreaterThan(90);
});

test('A column that is missing, and one of another type, are named with their place', async () => {
  const planted = `
    const COLUMNS = 'id, email';
    interface Row { id: string; created_at: Date | null }
    database.query<Row>(\`select \${COLUMNS} from auth.users\`);
    database.query<{ email: number; isAnonymous: boolean }>(
      'select email, is_anonymous as "isAnonymous" from auth.users where id = $1', [id]);
    database.query<Pick<Row, 'id'>>(\`select id from \${table}\`);`;
  expect(await faultsIn(planted)).toEqual([
    'backend/planted.ts:4: the statement returns no column created_at.',
    'backend/planted.ts:5: email is string in the database, and number in the row type.',
    'backend/planted.ts:7: cannot tell what `table` is',
  ]);
});

test('A row type that fits is not named', async () => {
  const planted = `
    type Role = 'client' | 'team';
    database.query<{ user_id: string; role: Role; approved: boolean; created_at: Date }>('select * from public.user_roles');`;
  expect(await faultsIn(planted)).toEqual([]);
});
