import { useNavigate } from '@tanstack/react-router';
import { Select } from '../../ui/select.tsx';
import type { ListSearch } from './list-search.ts';
import type { ContentScreen } from './screen.ts';
import { SearchBox } from './search-box.tsx';

interface ListFiltersProps {
  screen: ContentScreen;
  search: ListSearch;
  /** Undefined until it is known. */
  count: number | undefined;
}

/** Search and status of a list, kept in the address so that they survive Back and can be shared. */
export function ListFilters({ screen, search, count }: ListFiltersProps) {
  const navigate = useNavigate();
  const apply = (next: ListSearch) =>
    void navigate({ to: '/admin/$kind', params: { kind: screen.path }, search: next, replace: true });
  return (
    <div className="flex flex-wrap items-center gap-3">
      <SearchBox
        label={`Search ${screen.many}`}
        value={search.q}
        onSearch={(q) => apply({ status: search.status, q })}
      />
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
      <p role="status" className="ml-auto font-mono text-label text-muted">
        {count !== undefined && `${count.toLocaleString('en')} ${count === 1 ? screen.one : screen.many}`}
      </p>
    </div>
  );
}

function readStatus(value: string): ListSearch['status'] {
  return value === 'draft' || value === 'published' ? value : undefined;
}
