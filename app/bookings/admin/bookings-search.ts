/** URL state of the screen: /admin/bookings?tab=list&q=ada&page=2. Part of the main chunk. */
import { type ListSearch, readListSearch } from '../../ui/list/list-search.ts';

export interface BookingsSearch extends ListSearch {
  tab?: string;
  /** Any day of the displayed week. */
  week?: string;
}

export function readBookingsSearch(search: Record<string, unknown>): BookingsSearch {
  const { tab, week } = search;
  return {
    ...readListSearch(search),
    ...(typeof tab === 'string' ? { tab } : {}),
    ...(typeof week === 'string' && /^\d{4}-\d\d-\d\d$/.test(week) && !Number.isNaN(Date.parse(week)) ? { week } : {}),
  };
}
