import type { MediaKind } from '../../data/media.ts';
import { readListSearch } from '../list/list-search.ts';

/** The state of the library in the address: /admin/media?q=fjord&kind=image&page=2. */
export interface MediaSearch {
  q?: string;
  kind?: MediaKind;
  page?: number;
}

/** Reads what is in the address; anything else is left out. */
export function readMediaSearch(search: Record<string, unknown>): MediaSearch {
  const { q, page } = readListSearch(search);
  const kind = readKind(search['kind']);
  return { ...(q !== undefined && { q }), ...(kind && { kind }), ...(page !== undefined && { page }) };
}

export function readKind(value: unknown): MediaKind | undefined {
  return value === 'image' || value === 'video' || value === 'audio' || value === 'document' ? value : undefined;
}
