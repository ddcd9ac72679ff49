/**
 * `npm run attack`: tests over HTTP how every role can access every table, column, function and bucket of a running
 * instance. Compares the results with supabase/access.json. `--write` regenerates that file from a fresh instance. See
 * docs/access.md.
 */

import { messageOf, OperatorError } from '@signalfjord/backend';
import { z } from 'zod';
import { formatAccess, observe, readDeclared, writeDeclared } from './attack/access.ts';
import { compareAccess } from './attack/compare.ts';
import { startFreshInstance } from './attack/fresh-instance.ts';
import { type Keys, sender } from './attack/instance.ts';
import { isAttackAccount, listAccounts, ROLES } from './attack/people.ts';
import { withPeople } from './attack/with-people.ts';
import { reasonOf } from './doctor/finding.ts';

const USAGE = `Usage:
  SUPABASE_URL=… SUPABASE_PUBLISHABLE_KEY=… SUPABASE_SECRET_KEY=… npm run attack [-- --live]
      compares a running instance with supabase/access.json (--live allows one with users)
  npm run attack -- --write
      rewrites supabase/access.json from a fresh instance (review the diff)`;

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof OperatorError ? error.message : explain(error));
  process.exitCode = 1;
}

async function run(options: readonly string[]): Promise<number> {
  const unknown = options.find((option) => option !== '--live' && option !== '--write');
  if (unknown !== undefined || options.length > 1) throw new OperatorError(USAGE);
  if (options[0] === '--write') return write();
  return attack(keysFromEnvironment(), options[0] === '--live');
}

function keysFromEnvironment(): Keys {
  const variable = (name: string) => {
    const value = process.env[name];
    if (!value) throw new OperatorError(`${name} is not set.\n${USAGE}`);
    return value;
  };
  const url = variable('SUPABASE_URL').replace(/\/+$/, '');
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new OperatorError(`SUPABASE_URL must be an http or https address, not "${url}".`);
  }
  return { url, publishableKey: variable('SUPABASE_PUBLISHABLE_KEY'), secretKey: variable('SUPABASE_SECRET_KEY') };
}

async function write(): Promise<number> {
  const instance = await startFreshInstance();
  try {
    const declaredAccess = await readDeclared();
    const access = await withPeople(instance, (send, callers) =>
      observe({ send, secretKey: instance.secretKey, callers, declared: declaredAccess }),
    );
    await writeDeclared(access);
    console.log(
      formatAccess(access) === formatAccess(declaredAccess)
        ? 'supabase/access.json is up to date.'
        : 'supabase/access.json was rewritten. Review the diff before you commit it.',
    );
    return 0;
  } finally {
    await instance.close();
  }
}

async function attack(keys: Keys, isLive: boolean): Promise<number> {
  const declaredAccess = await readDeclared();
  if (!isLive) await rejectRealAccounts(keys);
  let requests = 0;
  const observedAccess = await withPeople(keys, (send, callers) =>
    observe({
      send: (...request) => {
        requests += 1;
        return send(...request);
      },
      secretKey: keys.secretKey,
      callers,
      declared: declaredAccess,
    }),
  );
  const findings = compareAccess(declaredAccess, observedAccess).filter(({ allowsMore }) => allowsMore);
  for (const { location, declared: before, observed: after } of findings) {
    console.error(`${location}: ${after}, but ${before} is declared.`);
  }
  const count = (entries: object) => Object.keys(entries).length;
  const summary = `${count(observedAccess.tables)} tables, ${count(observedAccess.functions)} functions and ${count(observedAccess.buckets) - 1} buckets as ${ROLES.length} roles, ${requests} requests`;
  console.log(
    findings.length === 0
      ? `${summary}: access matches supabase/access.json.`
      : `${summary}: ${findings.length} findings. Each line above allows more than supabase/access.json declares.`,
  );
  return findings.length === 0 ? 0 : 1;
}

/** Rejects an instance that has accounts other than admins. @throws OperatorError */
async function rejectRealAccounts({ secretKey, ...keys }: Keys): Promise<void> {
  const send = sender({ ...keys, secretKey });
  const accounts = (await listAccounts(send, secretKey)).filter((account) => !isAttackAccount(account));
  const roles = await send(secretKey, 'GET', '/rest/v1/user_roles?select=user_id&role=eq.admin');
  const admins = new Set(roles.read(z.array(z.object({ user_id: z.string() })), []).map((row) => row.user_id));
  const people = accounts.filter(({ id }) => !admins.has(id)).length;
  if (people === 0) return;
  throw new OperatorError(
    `This instance has ${people} accounts that are not admins. The attack does not change their data, but it sends a few thousand requests and creates test accounts for about a minute. Add --live to run it anyway.`,
  );
}

function explain(error: unknown): string {
  const message = messageOf(error);
  if (message !== 'fetch failed') return message;
  return `The instance cannot be reached: ${reasonOf(error)}.`;
}
