import type { Transaction } from '../database/database.ts';
import { quote, type Table, tableSql } from './tables.ts';

/**
 * Runs `work` without triggers on these tables, so that rows of all tables, including the history and the search index,
 * are inserted unchanged. Foreign keys are deferred, so that the order of the rows does not matter. Superusers and the
 * owner of a Supabase project can set this for the transaction. For other owners, the tables are altered and restored
 * at the end.
 */
export async function withoutTriggers<T>(
  tx: Transaction,
  tables: readonly Table[],
  work: () => Promise<T>,
): Promise<T> {
  // In its own block, because an error would abort the transaction.
  await tx.query(`do $$ begin
    set local session_replication_role = replica;
  exception when insufficient_privilege then null; end $$`);
  const { rows } = await tx.query<{ role: string }>(`select current_setting('session_replication_role') as role`);
  if (rows[0]?.role === 'replica') {
    const result = await work();
    await tx.query('set local session_replication_role = origin');
    return result;
  }
  const { names, triggers, keys } = await readConstraints(tx, tables);
  for (const name of names) await tx.query(`alter table ${name} disable trigger user`);
  for (const key of keys) await tx.query(`alter table ${key} deferrable initially deferred`);
  const result = await work();
  // Checks all foreign keys before they are made immediate again.
  await tx.query('set constraints all immediate');
  for (const key of keys) await tx.query(`alter table ${key} not deferrable`);
  for (const trigger of triggers) await tx.query(`alter table ${trigger}`);
  return result;
}

async function readConstraints(tx: Transaction, tables: readonly Table[]) {
  const names = tables.map(tableSql);
  const triggers = await tx.query<{ change: string }>(
    `select format('%s enable %s trigger %I', tgrelid::regclass, case tgenabled when 'A' then 'always' when 'R' then 'replica' else '' end, tgname) as change
     from pg_trigger where not tgisinternal and tgenabled <> 'D' and tgrelid = any ($1::text[]::regclass[])`,
    [names],
  );
  const keys = await tx.query<{ name: string; relation: string }>(
    `select conname as name, conrelid::regclass::text as relation from pg_constraint
     where contype = 'f' and not condeferrable and conrelid = any ($1::text[]::regclass[])`,
    [names],
  );
  return {
    names,
    triggers: triggers.rows.map(({ change }) => change),
    keys: keys.rows.map(({ name, relation }) => `${relation} alter constraint ${quote(name)}`),
  };
}
