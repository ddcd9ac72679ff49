/** Everything of a client that somebody may read, as one archive that can be checked without us. */
import { mutationOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { sessionApi } from '../../api/visitor-api.ts';
import { storedZip, type ZipEntry } from '../../ui/lib/stored-zip.ts';
import { writeCsv } from '../../ui/lib/write-csv.ts';
import { readBesideApprovals, readFiles } from './archive-files.ts';

/** The columns of each table, in the order in which people read them. */
const TABLES = {
  campaigns: ['name', 'channel', 'phase', 'next_step', 'due_on', 'added_at', 'changed_at', 'id'],
  figures: ['campaign', 'metric', 'first_day', 'last_day', 'value', 'import'],
  imports: ['id', 'file', 'sha256', 'new', 'changed', 'same', 'refused', 'by', 'at', 'undone_at'],
  approvals: [
    'title',
    'version',
    'text',
    'due_on',
    'asked_by',
    'asked_at',
    'decision',
    'comment',
    'decided_by',
    'decided_at',
    'approval',
    'sha256',
  ],
  meetings: [
    'booked_on',
    'starts_at',
    'with',
    'campaign',
    'outcome',
    'evidence',
    'answer',
    'reason',
    'answered_by',
    'answered_at',
    'answer_until',
  ],
  leave_alone: ['kind', 'entry', 'added_at'],
  figures_on_the_site: [
    'figure',
    'page',
    'asked_by',
    'asked_at',
    'answer',
    'answered_by',
    'answered_at',
    'withdrawn_by',
    'withdrawn_at',
    'ended_at',
    'quote',
  ],
} as const satisfies Record<string, readonly string[]>;

type Row = Record<string, string | number | null | undefined>;

const rowSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));
const reportSchema = z.object({ name: z.string(), hash: z.string(), document: z.string() });

/** Reads all pages of a part. */
async function readPart<Item>(clientId: string, part: string, schema: z.ZodType<Item>): Promise<Item[]> {
  const api = await sessionApi();
  const rows: Item[] = [];
  for (;;) {
    const given = { _client_id: clientId, _part: part, _offset: rows.length };
    const page = z.array(schema).parse((await api.rpc('client_archive', given).throwOnError()).data);
    if (page.length === 0) return rows;
    rows.push(...page);
  }
}

/** Writes rows as CSV in UTF-8, with the mark that tells spreadsheets so. No cell of it is a formula. */
export function tableFile(columns: readonly string[], rows: readonly Row[]): string {
  return `\uFEFF${writeCsv([columns, ...rows.map((row) => columns.map((column) => row[column]))])}`;
}

const README = `Everything of %client%, as of %time%.

figures.csv has each figure with the import that brought it, imports.csv those imports with the SHA-256 of each file.
approvals.csv has each version of a text, a list or a file with its decision, and the SHA-256 of the text or of the file
that was decided; approval_rows.csv the rows of the lists,
approval_rows_taken_off.csv which of them the client took off, approval_comments.csv what was said about versions. An empty cell is a figure or an answer that is not there.
A cell that a spreadsheet would take for a formula begins with an apostrophe.

figures_on_the_site.csv has each figure that a page of ours asked to show, and what was answered.

files/ has the files, in the order in which they came.

reports/ has each report as it was approved. The SHA-256 of such a file is the one in the mail that brought the report,
and "previous" in it is that of the report before. "decisions" in it lists what was decided since that report, with the
SHA-256 that approvals.csv has, which for a file is the one in SHA256SUMS.

To check that nothing was changed:  sha256sum --check SHA256SUMS   (on a Mac: shasum -a 256 --check SHA256SUMS)
`;

/** Makes the archive. @returns the name of the file and its bytes */
export const archiveMutation = mutationOptions({
  mutationFn: async ({ id, name }: { id: string; name: string }): Promise<{ name: string; bytes: BlobPart[] }> => {
    // The browser hashes nothing on a site without TLS.
    if (!globalThis.crypto.subtle) throw new Error('Open this page over https to download everything.');
    const now = new Date();
    const files = new Map<string, string>();
    files.set('README.txt', README.replace('%client%', () => name).replace('%time%', now.toISOString()));
    for (const [part, columns] of Object.entries(TABLES)) {
      files.set(`${part}.csv`, tableFile(columns, await readPart(id, part, rowSchema)));
    }
    for (const [table, { columns, rows }] of Object.entries(await readBesideApprovals(id))) {
      files.set(`${table}.csv`, tableFile(columns, rows));
    }
    for (const [index, report] of (await readPart(id, 'reports', reportSchema)).entries()) {
      files.set(`reports/${String(index + 1).padStart(3, '0')}-${report.name}.json`, report.document);
    }
    const entries = [...files].map(([file, text]) => ({ name: file, bytes: new TextEncoder().encode(text) }));
    const all = await withSums([...entries, ...(await readFiles(id))]);
    return { name: `everything-${now.toISOString().slice(0, 10)}.zip`, bytes: storedZip(all, now) };
  },
});

/** Adds SHA256SUMS as sha256sum reads it. */
async function withSums(entries: readonly ZipEntry[]): Promise<ZipEntry[]> {
  const sums = await Promise.all(entries.map(async ({ name, bytes }) => `${await hashOf(bytes)}  ${name}\n`));
  return [...entries, { name: 'SHA256SUMS', bytes: new TextEncoder().encode(sums.join('')) }];
}

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
