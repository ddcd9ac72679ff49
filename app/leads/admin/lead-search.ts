/** The state of the list in the address: /admin/leads?q=kari&status=new&source=contact. Part of every visitor's code. */
import { readListSearch } from '../../ui/list/list-search.ts';

export interface LeadSearch {
  q?: string;
  status?: string;
  source?: string;
  page?: number;
}

/** Reads what is in the address; the list knows which statuses and sources there are. */
export function readLeadSearch(search: Record<string, unknown>): LeadSearch {
  const { status: _published, ...list } = readListSearch(search);
  const { status, source } = search;
  return {
    ...list,
    ...(typeof status === 'string' && status !== '' && { status }),
    ...(typeof source === 'string' && source !== '' && { source }),
  };
}
