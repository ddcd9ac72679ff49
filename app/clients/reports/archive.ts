/** Archive of all client data visible to the user, verifiable offline. */
import { mutationOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { sessionApi } from '../../api/visitor-api.ts';
import { storedZip, type ZipEntry } from '../../ui/lib/stored-zip.ts';
import { writeCsv } from '../../ui/lib/write-csv.ts';
import { readApprovalTables, readFiles } from './archive-files.ts';

/** Columns of each table, in reading order. */
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
    'role',
    'company_size',
    'country',
    'is_customer',
    'minutes',
    'criterion',
    'lead',
    'meeting',
  ],
  meeting_changes: ['meeting', 'at', 'status', 'reason', 'criterion', 'by'],
  meeting_results: ['meeting', 'at', 'status', 'amount', 'reason', 'by'],
  fees: ['number', 'from', 'amount', 'by', 'at'],
  leads: [
    'received_at',
    'name',
    'email',
    'company',
    'title',
    'campaign',
    'step',
    'text',
    'words',
    'status',
    'reason',
    'taken_by',
    'taken_at',
    'lead',
  ],
  lead_changes: ['lead', 'at', 'status', 'reason', 'by'],
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
const monthSchema = z.object({ name: z.string(), document: z.string() });
const reportSchema = z.object({ name: z.string(), hash: z.string(), document: z.string() });

/** Reads one part of the archive, page by page. */
async function readPart<Item>(clientId: string, part: string, schema: z.ZodType<Item>): Promise<Item[]> {
  const api = await sessionApi();
  const rows: Item[] = [];
  for (;;) {
    const args = { _client_id: clientId, _part: part, _offset: rows.length };
    const page = z.array(schema).parse((await api.rpc('client_archive', args).throwOnError()).data);
    if (page.length === 0) return rows;
    rows.push(...page);
  }
}

/** Writes rows as UTF-8 CSV with a byte order mark. Cells that spreadsheets would evaluate are escaped. */
export function writeTable(columns: readonly string[], rows: readonly Row[]): string {
  return `\uFEFF${writeCsv([columns, ...rows.map((row) => columns.map((column) => row[column]))])}`;
}

const README = `All data of %client%, as of %time%.

figures.csv lists each figure with its import. imports.csv lists these imports with the SHA-256 of each file.
approvals.csv lists each version of a text, list or file with its decision, and the SHA-256 of the text or file that was
decided. approval_rows.csv lists the rows of the lists. approval_rows_taken_off.csv lists the rows that the client
removed. approval_comments.csv lists the comments on versions.
An empty cell is a missing figure or answer. Cells that a spreadsheet would evaluate as a formula begin with an
apostrophe.

figures_on_the_site.csv lists each figure that we asked to quote on our website, with the answer.

files/ contains the files, in the order in which they were added.

reports/ contains each report as it was approved. Its SHA-256 is in the email that announced the report. "previous" is
the SHA-256 of the report before it. "decisions" lists the decisions since that report. Their SHA-256 values are in
approvals.csv. The SHA-256 values of files are also in SHA256SUMS.

meeting-months/ contains the sheet of each closed month. Its SHA-256 is shown beside the month. In the criteria of a
meeting, "sha256" is the SHA-256 of the criteria version in approvals.csv.

To verify that nothing was changed:  sha256sum --check SHA256SUMS   (on a Mac: shasum -a 256 --check SHA256SUMS)
`;

/**
 * Builds the archive.
 * @returns file name and bytes of the archive
 */
export const archiveMutation = mutationOptions({
  mutationFn: async ({ id, name }: { id: string; name: string }): Promise<{ name: string; bytes: BlobPart[] }> => {
    // `crypto.subtle` is only available over HTTPS.
    if (!globalThis.crypto.subtle) throw new Error('Open this page over https to download everything.');
    const now = new Date();
    const files = new Map<string, string>();
    files.set('README.txt', README.replace('%client%', () => name).replace('%time%', now.toISOString()));
    for (const [part, columns] of Object.entries(TABLES)) {
      files.set(`${part}.csv`, writeTable(columns, await readPart(id, part, rowSchema)));
    }
    for (const [table, { columns, rows }] of Object.entries(await readApprovalTables(id))) {
      files.set(`${table}.csv`, writeTable(columns, rows));
    }
    for (const [index, report] of (await readPart(id, 'reports', reportSchema)).entries()) {
      files.set(`reports/${String(index + 1).padStart(3, '0')}-${report.name}.json`, report.document);
    }
    for (const month of await readPart(id, 'meeting_months', monthSchema)) {
      files.set(`meeting-months/${month.name}.json`, month.document);
    }
    const entries = [...files].map(([file, text]) => ({ name: file, bytes: new TextEncoder().encode(text) }));
    const allEntries = await addChecksums([...entries, ...(await readFiles(id))]);
    return { name: `everything-${now.toISOString().slice(0, 10)}.zip`, bytes: storedZip(allEntries, now) };
  },
});

/** Adds SHA256SUMS in the format of sha256sum. */
async function addChecksums(entries: readonly ZipEntry[]): Promise<ZipEntry[]> {
  const sums = await Promise.all(entries.map(async ({ name, bytes }) => `${await sha256(bytes)}  ${name}\n`));
  return [...entries, { name: 'SHA256SUMS', bytes: new TextEncoder().encode(sums.join('')) }];
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
