/** The state of the list in the address: /admin/people?q=kari&standing=team&page=2. Part of every visitor's code. */
import { type ListSearch, readListSearch } from '../../ui/list/list-search.ts';

export interface PeopleSearch extends ListSearch {
  standing?: string;
  /** Opened to invite somebody. */
  invite?: true;
}

/** Reads what is in the address; the list knows which standings there are. */
export function readPeopleSearch(search: Record<string, unknown>): PeopleSearch {
  const { standing, invite } = search;
  return {
    ...readListSearch(search),
    ...(typeof standing === 'string' && standing !== '' && { standing }),
    ...(invite === true && { invite }),
  };
}
