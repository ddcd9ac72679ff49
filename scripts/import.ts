/**
 * `npm run import -- FILE [--replace]` imports an archive into the configured site, completely or not at all. `npm run
 * restore -- FILE` is the same with `--replace`. `npm run restore -- --at TIME` restores a point in time from
 * BACKUP_URL. See docs/backups.md.
 */
import { type Config, OperatorError } from '@signalfjord/backend';
import {
  importArchive,
  openBackupStore,
  openByteStore,
  openTarget,
  restoreToTime,
} from '@signalfjord/backend/commands';
import { formatSummary, listContentTables, MIGRATIONS_FOLDER, programVersion } from './moving.ts';
import { report } from './run-command.ts';

const args = process.argv.slice(2);
const replace = args.includes('--replace');
const [path = '', ...extraArguments] = args.filter((word) => word !== '--replace');

await report(async () => {
  if (path === '--at' && extraArguments.length === 1) {
    const moment = parseTime(extraArguments[0] ?? '');
    return (config) => restoreToMoment(config, moment);
  }
  if (!path || path.startsWith('-') || extraArguments.length > 0) {
    throw new OperatorError(
      'Usage: npm run import -- FILE [--replace]   (--replace deletes the existing content), or npm run restore -- --at TIME',
    );
  }
  return (config) => importFile(config, path);
});

/** Parses a time. A time without a time zone is local time. */
function parseTime(text: string): Date {
  const moment = new Date(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) ? text : Number.NaN);
  if (Number.isNaN(moment.getTime())) {
    throw new OperatorError(
      `--at is ${JSON.stringify(text)}, but must be a time such as 2026-11-23T18:30 or 2026-11-23T17:30Z.`,
    );
  }
  return moment;
}

async function restoreToMoment(config: Config, moment: Date): Promise<string> {
  const { BACKUP_URL, DATA_DIR, S3_BUCKET } = config;
  if (!BACKUP_URL) throw new OperatorError('Set BACKUP_URL to the location where the server stores its backups.');
  const deployment = { dataFolder: DATA_DIR, bytes: S3_BUCKET ? null : openByteStore(config) };
  const { at, previousFolder, fileCount } = await restoreToTime(openBackupStore(BACKUP_URL), deployment, moment);
  return [
    `The database in ${DATA_DIR} was restored to ${at.toISOString()}, the last saved change before ${moment.toISOString()}.`,
    ...(fileCount > 0 ? [`Missing files restored: ${fileCount}.`] : []),
    ...(previousFolder ? [`The previous database is in ${previousFolder}. Delete it when you no longer need it.`] : []),
    'Start the server.',
  ].join('\n');
}

async function importFile(config: Config, file: string): Promise<string> {
  const deployment = await openTarget(config);
  let isDone = false;
  try {
    const target = {
      ...deployment,
      migrationsFolder: MIGRATIONS_FOLDER,
      version: await programVersion(),
      replace,
      listContentTables,
    };
    const imported = await importArchive(target, file);
    isDone = true;
    return [
      `Imported and verified ${formatSummary(imported)} from ${file}.`,
      ...imported.skippedItems.map((item) => `Skipped, because the project does not support it: ${item}.`),
      'If the site is running on this database, restart every instance of the server.',
    ].join('\n');
  } finally {
    await deployment.close(isDone);
  }
}
