/** Files of a client, and what was said and taken off row by row, for the archive. Policies decide what somebody is given. */

import { sessionApi } from '../../api/visitor-api.ts';
import type { ZipEntry } from '../../ui/lib/stored-zip.ts';

/** Rows that the API gives at a time. */
const PORTION = 1000;

/** The archive is made in the memory of the browser. */
const MAX_BYTES = 1024 * 1024 * 1024;

/** Reads all rows of a request, in portions. */
async function readAll<Row>(request: (first: number, last: number) => PromiseLike<{ data: Row[] }>): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const { data } = await request(rows.length, rows.length + PORTION - 1);
    rows.push(...data);
    if (data.length < PORTION) return rows;
  }
}

/** Reads the tables beside the approvals of a client, with the columns of each in the order in which people read them. */
export async function readBesideApprovals(clientId: string) {
  const api = await sessionApi();
  const key = ['approval_id', 'number'] as const;
  const listed = await readAll((first, last) =>
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
  const takenOff = await readAll((first, last) =>
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
    approval_rows: { columns: [...key, 'line', 'company', 'domain', 'person', 'note', 'hint'], rows: listed },
    approval_rows_taken_off: { columns: [...key, 'line', 'created_at'], rows: takenOff },
    approval_comments: { columns: [...key, 'quote', 'text', 'created_at'], rows: comments },
  };
}

/**
 * Reads the files of a client with their bytes.
 * @throws Error with a sentence for people, when they are too much for one archive
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
    throw new Error('The files of this client are more than 1 GB. Save them one by one under Files.');
  }
  const entries: ZipEntry[] = [];
  // One after the other: the browser holds them all at the end, and the server has others to answer.
  for (const [index, { object_name, name }] of files.entries()) {
    const { data, error } = await api.storage.from('client-files').download(object_name);
    if (error) throw error;
    entries.push({ name: nameInArchive(index, name), bytes: new Uint8Array(await data.arrayBuffer()) });
  }
  return entries;
}

/** 'files/001-deck.pdf': each name once, and one that every system takes. */
export function nameInArchive(index: number, name: string): string {
  return `files/${String(index + 1).padStart(3, '0')}-${name.replace(/[\\/:*?"<>|]/g, '_')}`;
}
