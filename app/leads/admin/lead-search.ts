/** URL state of the list: /admin/leads?q=kari&status=new&source=contact. In the main chunk. */
import { readListSearch } from '../../ui/list/list-search.ts';

export interface LeadSearch {
  q?: string;
  status?: string;
  source?: string;
  page?: number;
}

/** Parses the URL. The list validates status and source. */
export function readLeadSearch(search: Record<string, unknown>): LeadSearch {
  const { status: _published, ...list } = readListSearch(search);
  const { status, source } = search;
  return {
    ...list,
    ...(typeof status === 'string' && status !== '' && { status }),
    ...(typeof source === 'string' && source !== '' && { source }),
  };
}
