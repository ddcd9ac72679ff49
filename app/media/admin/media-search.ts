import { readListSearch } from '../../ui/list/list-search.ts';
import type { MediaKind } from '../media.ts';

/** The state of the library in the address: /admin/media?q=fjord&kind=image&folder=Boats&unused=true&page=2. */
export interface MediaSearch {
  q?: string | undefined;
  kind?: MediaKind | undefined;
  /** '-' for the files in none. */
  folder?: string | undefined;
  unused?: boolean | undefined;
  page?: number;
}

/** Reads what is in the address; anything else is left out. */
export function readMediaSearch(search: Record<string, unknown>): MediaSearch {
  const { q, page } = readListSearch(search);
  const kind = readKind(search['kind']);
  const { folder, unused } = search;
  return {
    ...(q !== undefined && { q }),
    ...(kind && { kind }),
    ...((typeof folder === 'string' && folder !== '') || typeof folder === 'number' ? { folder: String(folder) } : {}),
    ...(unused === true && { unused }),
    ...(page !== undefined && { page }),
  };
}

export function readKind(value: unknown): MediaKind | undefined {
  return value === 'image' || value === 'video' || value === 'audio' || value === 'document' ? value : undefined;
}
