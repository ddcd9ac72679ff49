/** Files, comments and removed rows for the client archive. Row-level security limits the visible rows. */

import { sessionApi } from '../../api/visitor-api.ts';
import type { ZipEntry } from '../../ui/lib/stored-zip.ts';

/** Page size of the API. */
const PAGE_SIZE = 1000;

/** Maximum total size, because the browser builds the archive in memory. */
const MAX_BYTES = 1024 * 1024 * 1024;

/** Reads all rows of a request page by page. */
async function readAll<Row>(request: (first: number, last: number) => PromiseLike<{ data: Row[] }>): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const { data } = await request(rows.length, rows.length + PAGE_SIZE - 1);
    rows.push(...data);
    if (data.length < PAGE_SIZE) return rows;
  }
}

/** Reads the tables that accompany approvals, with columns in reading order. */
export async function readApprovalTables(clientId: string) {
  const api = await sessionApi();
  const key = ['approval_id', 'number'] as const;
  const listRows = await readAll((first, last) =>
    api
      .from('approval_rows')
      .select('approval_id, number, line, company, domain, person, note, hint')
      .eq('client_id', clientId)
      .order('approval_id')
      .order('number')
      .order('line')
      .range(first, last)
      .throwOnError(),
  );
  const removedRows = await readAll((first, last) =>
    api
      .from('approval_vetoes')
      .select('approval_id, number, line, created_at')
      .eq('client_id', clientId)
      .order('approval_id')
      .order('number')
      .order('line')
      .range(first, last)
      .throwOnError(),
  );
  const comments = await readAll((first, last) =>
    api
      .from('approval_comments')
      .select('approval_id, number, quote, text, created_at')
      .eq('client_id', clientId)
      .order('created_at')
      .order('id')
      .range(first, last)
      .throwOnError(),
  );
  return {
    approval_rows: { columns: [...key, 'line', 'company', 'domain', 'person', 'note', 'hint'], rows: listRows },
    approval_rows_taken_off: { columns: [...key, 'line', 'created_at'], rows: removedRows },
    approval_comments: { columns: [...key, 'quote', 'text', 'created_at'], rows: comments },
  };
}

/**
 * Reads a client's files with their contents.
 * @throws Error with a message for the user if the files exceed the size limit
 */
export async function readFiles(clientId: string): Promise<ZipEntry[]> {
  const api = await sessionApi();
  const files = await readAll((first, last) =>
    api
      .from('client_files')
      .select('object_name, name, size')
      .eq('client_id', clientId)
      .order('created_at')
      .order('id')
      .range(first, last)
      .throwOnError(),
  );
  if (files.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES) {
    throw new Error('The files of this client exceed 1 GB. Download them one by one under Files.');
  }
  const entries: ZipEntry[] = [];
  // Download sequentially to limit the load on the server and the memory use of the browser.
  for (const [index, { object_name, name }] of files.entries()) {
    const { data, error } = await api.storage.from('client-files').download(object_name);
    if (error) throw error;
    entries.push({ name: buildArchiveName(index, name), bytes: new Uint8Array(await data.arrayBuffer()) });
  }
  return entries;
}

/** Builds a unique, portable file name such as 'files/001-deck.pdf'. */
export function buildArchiveName(index: number, name: string): string {
  return `files/${String(index + 1).padStart(3, '0')}-${name.replace(/[\\/:*?"<>|]/g, '_')}`;
}
