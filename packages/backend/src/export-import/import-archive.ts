/**
 * Imports an archive completely or not at all. The database is filled in one transaction, which commits only if all
 * tables, files and policies equal the archive. Bytes are stored first, and deleted if the transaction fails.
 */
import type { Queryable, Transaction } from '../database/database.ts';
import { isMigration, migrate, readSqlFiles, withBaseline } from '../database/migrate.ts';
import { OperatorError } from '../database/operator-error.ts';
import { type Archive, type Manifest, newerArchive, openArchive, type StoredFile } from './archive.ts';
import { type ArchiveSummary, listApplied, type Source, STATEMENT_MS, summarize } from './export-archive.ts';
import { loadRows } from './load-rows.ts';
import { listPolicies, listTables, setOutputFormats, sumRows, type Table, tableSql } from './tables.ts';
import { withoutTriggers } from './without-triggers.ts';

export interface Target extends Source {
  /** True if existing data may be lost. */
  replace: boolean;
  /** Lists the SQL names of the content tables, which are empty in a new database. */
  listContentTables(database: Queryable): Promise<string[]>;
}

/** @throws OperatorError */
export async function importArchive(target: Target, path: string): Promise<ArchiveSummary> {
  const archive = await openArchive(path);
  try {
    await requireKnownFiles(target, path, archive.manifest);
    const state = await requireEmptyTarget(target, path, archive.manifest);
    const newFiles = await writeFiles(target, archive, state);
    try {
      const skippedItems = await target.database.runExclusively(() =>
        target.database.transaction((tx) => fillDatabase(tx, target, archive)),
      );
      return summarize(archive.manifest, skippedItems);
    } catch (error) {
      await target.files.remove(newFiles);
      throw error;
    }
  } finally {
    archive.close();
  }
}

/** Rejects an archive whose migrations are unknown or differ from ours. */
async function requireKnownFiles({ migrationsFolder }: Target, path: string, manifest: Manifest): Promise<void> {
  const files = await readSqlFiles(migrationsFolder);
  manifest.applied = withBaseline(files, manifest.applied, ({ version }) => {
    return `${path} is older than version ${version}. Import it with version ${version} and export it again. Nothing was changed.`;
  });
  const hashes = new Map(files.map((file) => [file.name, file.sha256]));
  for (const { name, sha256 } of manifest.applied) {
    if (!hashes.has(name)) throw newerArchive(path, manifest.version);
    if (sha256 !== null && sha256 !== hashes.get(name)) {
      throw new OperatorError(`${path} was made with a different version of ${name}. Nothing was changed.`);
    }
  }
}

interface TargetState {
  isNew: boolean;
  /** Bytes that already exist in the target. */
  versions: ReadonlySet<string>;
}

/** @throws OperatorError if the target is not empty, or its migrations differ from the archive's */
async function requireEmptyTarget(target: Target, path: string, manifest: Manifest): Promise<TargetState> {
  const { database, files, replace } = target;
  const applied = (await listApplied(database)).map(({ name }) => name);
  if (applied.length === 0) {
    if (files.isProject)
      throw new OperatorError('The project does not have the tables of the site yet. Run "supabase db push" first.');
    const [table] = await database.transaction((tx) => listTables(tx, false));
    if (table) {
      throw new OperatorError(
        `The database contains tables of another application, such as ${table.schema}.${table.name}. Use a separate database. Nothing was changed.`,
      );
    }
    return { isNew: true, versions: new Set() };
  }
  const isCompared = (name: string) => isMigration(name) || !(files.isProject || manifest.isProject);
  const expected = manifest.applied.map(({ name }) => name).filter(isCompared);
  if (expected.join() !== applied.filter(isCompared).join()) {
    throw new OperatorError(
      `${path} (${manifest.version}) and this database have different versions. Import it into an empty database, which is then migrated. Nothing was changed.`,
    );
  }
  const isEmpty = await isTargetEmpty(target);
  if (!isEmpty && files.isProject) {
    throw new OperatorError('The project is not empty: it has accounts, files or content. Nothing was changed.');
  }
  if (!isEmpty && !replace) {
    throw new OperatorError(
      'The database is not empty: it has accounts, files or content. Add -- --replace to delete them. Nothing was changed.',
    );
  }
  const { rows } = await database.query<{ version: string }>(
    `select version from storage.objects where version is not null ${files.isProject ? '' : 'union select version from backend.deleted_objects'}`,
  );
  return { isNew: false, versions: new Set(rows.map(({ version }) => version)) };
}

async function isTargetEmpty({ database, listContentTables }: Target): Promise<boolean> {
  const tables = ['auth.users', 'storage.objects', ...(await listContentTables(database))];
  const { rows } = await database.query<{ is_empty: boolean }>(
    `select ${tables.map((name) => `not exists (select from ${name})`).join(' and ')} as is_empty`,
  );
  return rows[0]?.is_empty ?? false;
}

/** Stores the bytes of every file. @returns the files that did not exist before */
async function writeFiles(
  { database, files }: Target,
  { manifest, read }: Archive,
  state: TargetState,
): Promise<StoredFile[]> {
  const missing = manifest.files.filter(({ version }) => !state.versions.has(version));
  const addedFiles: StoredFile[] = [];
  // Another database may use the same store, so keep its files.
  for (const file of missing) if (!(await files.has(file))) addedFiles.push(file);
  if (!state.isNew && !files.isProject) {
    // After a crash, the next sweep deletes these bytes. Inserting a row that refers to them deletes the record.
    await database.query(
      'insert into backend.unnamed_bytes (version) select unnest($1::text[]) on conflict do nothing',
      [addedFiles.map(({ version }) => version)],
    );
  }
  try {
    await files.makeBuckets([...new Set(missing.map(({ bucket }) => bucket))]);
    for (const file of missing) await files.write(file, await read(`files/${file.version}`));
    return addedFiles;
  } catch (error) {
    await files.remove(addedFiles).catch(() => undefined);
    throw error;
  }
}

/** @returns the names of data that the target cannot store */
async function fillDatabase(tx: Transaction, target: Target, archive: Archive): Promise<string[]> {
  const { manifest } = archive;
  const { isProject } = target.files;
  await tx.run({ text: `select set_config('statement_timeout', '0', true)`, deadlineMs: STATEMENT_MS });
  if (!isProject) await migrateWithin(tx, target, (name) => isInArchive(manifest, name));
  await setOutputFormats(tx);
  // Tables that are not in the archive are not changed.
  const isArchived = ({ schema, name }: Table) =>
    manifest.tables.some((table) => table.schema === schema && table.name === name);
  const tables = (await listTables(tx, isProject)).filter(isArchived);
  const previousFiles = await readStoredVersions(tx, isProject);
  const skippedItems = await withoutTriggers(tx, tables, async () => {
    await clearTables(tx, tables, isProject);
    const missing = await loadRows(tx, await archive.read('data.sql'), tables, isProject);
    for (const { name, value } of manifest.sequences) {
      await tx.query(
        `select setval(to_regclass($1), coalesce($2::bigint, 1), $2 is not null) where to_regclass($1) is not null`,
        [name, value],
      );
    }
    if (!isProject) {
      await requireBytes(tx, manifest);
      await recordUnusedBytes(tx, previousFiles);
    }
    return missing;
  });
  await requireEqual(tx, archive, tables, isProject);
  // Migrations that are newer than the archive convert its rows.
  if (!isProject) await migrateWithin(tx, target, () => true);
  // Clears the caches of every process.
  await tx.query(`select pg_notify('content_changed', '')`);
  return skippedItems;
}

/** Returns whether a file belongs in the archive. A project has its own bootstrap, so ours is not applied there. */
function isInArchive({ applied, isProject }: Manifest, name: string): boolean {
  return (isProject && !isMigration(name)) || applied.some((file) => file.name === name);
}

async function migrateWithin(tx: Transaction, { migrationsFolder }: Target, shouldApply: (name: string) => boolean) {
  await tx.query(`select set_config('search_path', '"$user", public', true)`);
  await migrate(
    { query: (text, values) => tx.query(text, values), script: (sql) => runScript(tx, sql) },
    migrationsFolder,
    shouldApply,
  );
}

/** Runs several statements within the transaction. */
async function runScript(tx: Transaction, sql: string): Promise<void> {
  const [blockQuote, scriptQuote] = ['$script_of_a_move$', '$statements_of_a_move$'];
  await tx.query(`do ${blockQuote} begin execute ${scriptQuote}${sql}${scriptQuote}; end ${blockQuote}`);
}

async function readStoredVersions(tx: Transaction, isProject: boolean): Promise<string[]> {
  if (isProject) return [];
  const { rows } = await tx.query<{ version: string }>(
    'select version from storage.objects where version is not null union select version from backend.deleted_objects',
  );
  return rows.map(({ version }) => version);
}

/** Rejects rows that refer to bytes that are not in the archive. @throws OperatorError */
async function requireBytes(tx: Transaction, { files }: Manifest): Promise<void> {
  const versions = new Set(files.map(({ version }) => version));
  const missing = (await readStoredVersions(tx, false)).find((version) => !versions.has(version));
  if (missing === undefined) return;
  throw new OperatorError(`The archive lacks the file ${JSON.stringify(missing.slice(0, 100))}. Nothing was changed.`);
}

/** Records bytes of replaced files for deletion by the next sweep, and bytes of imported files as used. */
async function recordUnusedBytes(tx: Transaction, stored: readonly string[]): Promise<void> {
  const usedVersions = `select version from storage.objects where version is not null union select version from backend.deleted_objects`;
  await tx.query(
    `insert into backend.unnamed_bytes (version)
     select version from unnest($1::text[]) old (version) where version not in (${usedVersions}) on conflict do nothing`,
    [stored],
  );
  await tx.query(`delete from backend.unnamed_bytes where version in (${usedVersions})`);
}

async function clearTables(tx: Transaction, tables: readonly Table[], isProject: boolean): Promise<void> {
  const names = tables.filter(({ schema }) => !isProject || schema === 'public' || schema === 'private').map(tableSql);
  // Unfinished uploads refer to their bucket.
  await tx.query(`truncate ${names.join(', ')} ${isProject ? '' : 'cascade'}`);
  if (!isProject) return;
  for (const table of tables.filter(({ schema }) => schema === 'auth'))
    await tx.query(`delete from ${tableSql(table)}`);
}

/** @throws OperatorError if a table or policy differs from the source */
async function requireEqual(
  tx: Transaction,
  { manifest }: Archive,
  tables: readonly Table[],
  isProject: boolean,
): Promise<void> {
  for (const { schema, name, columns, rows, sha256 } of manifest.tables) {
    const table = tables.find((table) => table.schema === schema && table.name === name);
    const has = (column: string) => table?.columns.some(({ name }) => name === column);
    // Data that a project cannot store has already been reported. Its storage service writes its own rows.
    if (!table || !columns.every(has) || (isProject && schema === 'storage')) continue;
    const sum = await sumRows(tx, table, columns);
    if (sum.rows !== rows || sum.sha256 !== sha256) {
      throw new OperatorError(
        `${schema}.${name} has ${sum.rows} rows that do not match the ${rows} rows of the archive. Nothing was changed.`,
      );
    }
  }
  const { rows } = await tx.query<{ major: number }>(
    `select current_setting('server_version_num')::integer / 10000 as major`,
  );
  const isSameVersion = rows[0]?.major === manifest.postgres;
  const formatPolicies = (policies: Manifest['policies']) =>
    policies.filter(([rule]) => isSitePolicy(rule)).map(([rule, text]) => (isSameVersion ? `${rule} ${text}` : rule));
  const actual = new Set(formatPolicies(await listPolicies(tx, tables)));
  const expected = formatPolicies(manifest.policies);
  const different = expected.find((line) => !actual.has(line)) ?? [...actual].find((line) => !expected.includes(line));
  if (different) throw new OperatorError(`The policies differ: ${different}. Nothing was changed.`);
}

/** Returns whether a policy belongs to the site. A project's platform has its own policies in auth. */
function isSitePolicy(rule: string): boolean {
  return /^(public|private|storage)\./.test(rule);
}
