/**
 * `npm run import-content -- PATH [PATH…]`: imports posts of WordPress, Ghost or Markdown files through the API of the
 * running server. See docs/commands.md.
 */
import { openAsBlob } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { type Config, messageOf, OperatorError } from '@signalfjord/backend';
import { loadKeys, openExistingDatabase } from '@signalfjord/backend/commands';
import { createClient } from '@supabase/supabase-js';
import type { Database } from '../app/api/database.types.ts';
import type { ImportFile } from '../app/content/import/import-files.ts';
import { planImport } from '../app/content/import/plan-import.ts';
import { type ImportNote, IncompleteImport } from '../app/content/import/source.ts';
import { type ImportStage, splitByExistence, writeImport } from '../app/content/import/write-import.ts';
import { UserError } from '../app/ui/lib/user-error.ts';
import { report } from './run-command.ts';

const USAGE = `Usage: npm run import-content -- PATH [PATH…]
  PATH is a WordPress export (.xml), a Ghost export (.json), a folder of Markdown files, a ZIP archive, or a folder with
  pictures. Start the server first.`;

const paths = process.argv.slice(2);

await report(async () => {
  if (paths.length === 0 || paths.some((path) => path.startsWith('-'))) throw new OperatorError(USAGE);
  return async (config) => {
    try {
      return await importContent(config);
    } catch (error) {
      if (error instanceof IncompleteImport) throw new OperatorError(error.message, { cause: error });
      if (error instanceof UserError)
        throw new OperatorError(`${error.message} Nothing was imported.`, { cause: error });
      throw error;
    }
  };
});

async function importContent(config: Config): Promise<string> {
  const plan = await planImport((await Promise.all(paths.map(listFiles))).flat());
  const { url, secretKey } = await openApi(config);
  const api = createClient<Database>(url, secretKey, { auth: { persistSession: false } });
  const { created, skipped } = await splitByExistence(api, plan).catch((error: unknown) => {
    throw new OperatorError(`The API at ${url} cannot be reached (${messageOf(error)}). Start the server first.`);
  });
  const result = await writeImport(api, plan, created, {
    ownOrigin: config.SUPABASE_URL ? '' : url,
    onProgress: showProgress,
  });
  return [
    `Posts imported from ${plan.system}: ${result.posts.length}.`,
    ...section(
      'Skipped, because the slug is already in use',
      skipped.map(({ title, slug }) => ({ title, text: slug })),
    ),
    ...section('Left out or changed', [...plan.notes, ...result.notes]),
  ].join('\n');
}

function showProgress(stage: ImportStage, done: number, total: number): void {
  if (process.stderr.isTTY)
    process.stderr.write(
      `\r${stage === 'files' ? 'Uploading files' : 'Creating posts'}: ${done} of ${total}${done === total ? '\n' : ''}`,
    );
}

function section(title: string, notes: readonly ImportNote[]): string[] {
  return notes.length === 0
    ? []
    : ['', `${title}: ${notes.length}.`, ...notes.map((note) => `  ${note.title}: ${note.text}`)];
}

/** Lists a file, or all files in a folder and its subfolders. Their paths begin with the name of the folder. */
async function listFiles(path: string): Promise<ImportFile[]> {
  const stats = await stat(path).catch(() => null);
  if (!stats) throw new OperatorError(`File or folder not found: ${path}`);
  if (!stats.isDirectory()) return [await importFile(path, basename(path))];
  const root = resolve(path, '..');
  const entries = await readdir(resolve(path), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(files.sort().map((file) => importFile(file, relative(root, file).split(sep).join('/'))));
}

async function importFile(file: string, path: string): Promise<ImportFile> {
  return { path, size: (await stat(file)).size, read: () => openAsBlob(file) };
}

async function openApi(config: Config): Promise<{ url: string; secretKey: string }> {
  const { SUPABASE_URL, SUPABASE_SECRET_KEY, HOST, PORT } = config;
  if (SUPABASE_URL) {
    if (!SUPABASE_SECRET_KEY) throw new OperatorError('Set SUPABASE_SECRET_KEY to the secret key of the project.');
    return { url: SUPABASE_URL, secretKey: SUPABASE_SECRET_KEY };
  }
  const { database, close } = await openExistingDatabase(config);
  try {
    const { secretKey } = await loadKeys(database, config.AUTH_SIGNING_ALGORITHM);
    const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST;
    return { url: `http://${host}:${PORT}`, secretKey };
  } finally {
    await close();
  }
}
