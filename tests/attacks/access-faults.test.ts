/**
 * Adds each fault of faults.sql to a copy of a database and checks that the attack reports it. access.test.ts runs the
 * attack over HTTP, and this test calls the instance in process. By default, each run tests only the listed tables,
 * functions and buckets. With ATTACK_WHOLE=1, it tests the whole instance.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { openPostgresDatabase } from '../../packages/backend/src/database/postgres-database.ts';
import { type Access, observe, readDeclared } from '../../scripts/attack/access.ts';
import { compareAccess } from '../../scripts/attack/compare.ts';
import { fillWithSamples, serveInstance } from '../../scripts/attack/fresh-instance.ts';
import { sender } from '../../scripts/attack/instance.ts';
import { type Caller, createPeople } from '../../scripts/attack/people.ts';

const FAULTS = (await readFile(join(import.meta.dirname, 'faults.sql'), 'utf8'))
  .split(/^-- (?=.* \| )/m)
  .slice(1)
  .map((text) => {
    const [title = '', ...sql] = text.split('\n');
    const [name = '', touches = ''] = title.split(' | ');
    return { name, touches, sql: sql.join('\n') };
  });

let declaredAccess: Access;
let callers: readonly Caller[];

/** Database with sample rows and the accounts of the attack, whose tokens are valid in each copy. */
const SAMPLE_DATABASE = `attack_${crypto.randomUUID().replaceAll('-', '')}`;

const toUrl = (name: string) => inject('testServer').replace('/postgres?', `/${name}?`);

async function copyDatabase(from: string, to: string): Promise<void> {
  const admin = openPostgresDatabase(toUrl('postgres'), 1);
  await admin.script(`create database ${to} template ${from}`);
  await admin.close();
}

beforeAll(async () => {
  declaredAccess = await readDeclared();
  await copyDatabase('template_signalfjord', SAMPLE_DATABASE);
  const database = openPostgresDatabase(toUrl(SAMPLE_DATABASE));
  await fillWithSamples(database);
  const instance = await serveInstance(database);
  callers = await createPeople(sender(instance), instance.secretKey);
  // Some functions require a recent sign-in. On a slow machine, these sign-ins would expire before the last fault.
  await database.query(`update auth.mfa_amr_claims set created_at = now() + '1 day', updated_at = now() + '1 day'`);
  await instance.close();
});

async function runAttack(sql: string, touches: string) {
  const name = `${SAMPLE_DATABASE}_${crypto.randomUUID().slice(0, 8)}`;
  await copyDatabase(SAMPLE_DATABASE, name);
  const database = openPostgresDatabase(toUrl(name), 4);
  await database.script(sql);
  const instance = await serveInstance(database);
  const isWholeInstance = process.env['ATTACK_WHOLE'] === '1';
  const observedAccess = await observe({
    send: sender(instance.inProcess),
    secretKey: instance.secretKey,
    callers,
    declared: declaredAccess,
    filter: (entry) => isWholeInstance || ` ${touches} `.includes(` ${entry} `),
  });
  await instance.close();
  return compareAccess(declaredAccess, observedAccess, isWholeInstance);
}

test('faults.sql contains 38 different faults', () => {
  expect(new Set(FAULTS.map(({ sql }) => sql)).size).toBe(38);
});

test.each(FAULTS)('The attack reports the fault: $name', async ({ sql, touches }) => {
  const findings = await runAttack(sql, touches);
  const names = findings.map(({ location }) => location.replace(/^\w+ |, .*/g, ''));
  expect(names.filter((name) => ` ${touches} `.includes(` ${name} `))).not.toEqual([]);
});

// access.test.ts checks that a whole instance without faults has no findings.
test('The attack has no findings for a table, a function and a bucket without faults', async () => {
  const names = FAULTS.flatMap(({ touches }) => touches.split(' '));
  const findFirst = (kind: keyof Access) => names.find((name) => name in declaredAccess[kind]) ?? '';
  const targets = [findFirst('tables'), findFirst('functions'), findFirst('buckets')];
  expect(targets).not.toContain('');
  expect(await runAttack('select 1', targets.join(' '))).toEqual([]);
});
