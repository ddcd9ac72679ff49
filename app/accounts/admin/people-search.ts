/** State of the people list in the URL, such as ?q=kari&standing=team&page=2. Part of the initial bundle. */
import { type ListSearch, readListSearch } from '../../ui/list/list-search.ts';

export interface PeopleSearch extends ListSearch {
  standing?: string;
  /** Opens the invitation dialog. */
  invite?: true;
}

/** Parses the URL search. The list validates the role filter. */
export function readPeopleSearch(search: Record<string, unknown>): PeopleSearch {
  const { standing, invite } = search;
  return {
    ...readListSearch(search),
    ...(typeof standing === 'string' && standing !== '' && { standing }),
    ...(invite === true && { invite }),
  };
}
