/** URL state of the leads list, such as /admin/leads?q=kari&status=new&source=contact. Part of the main chunk. */
import { readListSearch } from '../../ui/list/list-search.ts';

export interface LeadSearch {
  q?: string;
  status?: string;
  source?: string;
  page?: number;
}

/** Parses the URL. The list ignores an unknown status or source. */
export function readLeadSearch(search: Record<string, unknown>): LeadSearch {
  const { status: _published, ...list } = readListSearch(search);
  const { status, source } = search;
  return {
    ...list,
    ...(typeof status === 'string' && status !== '' && { status }),
    ...(typeof source === 'string' && source !== '' && { source }),
  };
}
