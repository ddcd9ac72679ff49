import { readListSearch } from '../../ui/list/list-search.ts';
import type { MediaKind } from '../media.ts';

/** State of the library in the URL: /admin/media?q=fjord&kind=image&folder=Boats&unused=true&page=2. */
export interface MediaSearch {
  q?: string | undefined;
  kind?: MediaKind | undefined;
  /** '-' for files without a folder. */
  folder?: string | undefined;
  unused?: boolean | undefined;
  page?: number;
}

/** Parses the URL search and ignores unknown values. */
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
