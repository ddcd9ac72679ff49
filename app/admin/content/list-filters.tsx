import { useNavigate } from '@tanstack/react-router';
import type { ContentKind } from '../../content/kind.ts';
import { Select } from '../../ui/select.tsx';
import { ItemCount } from '../list/item-count.tsx';
import type { ListSearch } from '../list/list-search.ts';
import { SearchBox } from '../list/search-box.tsx';

interface ListFiltersProps {
  kind: ContentKind;
  search: ListSearch;
  /** Undefined until it is known. */
  count: number | undefined;
}

/** Search and status of a list, kept in the address so that they survive Back and can be shared. */
export function ListFilters({ kind, search, count }: ListFiltersProps) {
  const navigate = useNavigate();
  const apply = (next: ListSearch) =>
    void navigate({ to: '/admin/$kind', params: { kind: kind.path }, search: next, replace: true });
  return (
    <div className="flex flex-wrap items-center gap-3">
      <SearchBox label={`Search ${kind.many}`} value={search.q} onSearch={(q) => apply({ status: search.status, q })} />
      <Select
        aria-label="Filter by status"
        value={search.status ?? ''}
        onChange={(event) => apply({ q: search.q, status: readStatus(event.target.value) })}
        className="w-40"
      >
        <option value="">All statuses</option>
        <option value="published">Published</option>
        <option value="draft">Draft</option>
      </Select>
      <ItemCount count={count} one={kind.one} many={kind.many} />
    </div>
  );
}

function readStatus(value: string): ListSearch['status'] {
  return value === 'draft' || value === 'published' ? value : undefined;
}
