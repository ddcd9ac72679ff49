import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FilterBar } from '../../ui/list/filter-bar.tsx';
import { ItemCount } from '../../ui/list/item-count.tsx';
import { type ListSearch, readListSearch } from '../../ui/list/list-search.ts';
import { SearchBox } from '../../ui/search-box.tsx';
import { Select } from '../../ui/select.tsx';
import { categoriesQuery, MAX_SEARCH_COUNT } from '../editing.ts';
import type { ContentKind } from '../kind.ts';

interface ListFiltersProps {
  kind: ContentKind;
  search: ListSearch;
  /** Undefined while loading. */
  count: number | undefined;
}

/** Search, filters and sorting of a list. Stored in the URL, so that they survive Back and can be shared. */
export function ListFilters({ kind, search, count }: ListFiltersProps) {
  const navigate = useNavigate();
  const { q, status, category, sort } = search;
  const apply = (next: Record<string, string | undefined>) =>
    void navigate({
      to: '/admin/$kind',
      params: { kind: kind.path },
      // Changing a filter resets the page to 1.
      search: readListSearch({ q, status, category, sort, ...next }),
      replace: true,
    });
  return (
    <FilterBar
      search={<SearchBox label={`Search ${kind.plural}`} value={q} onSearch={(text) => apply({ q: text })} />}
      count={
        <ItemCount
          count={count}
          singular={kind.singular}
          plural={kind.plural}
          maxCount={q ? MAX_SEARCH_COUNT : undefined}
        />
      }
      isFiltered={Boolean(status || category || sort)}
    >
      <Select
        aria-label="Filter by status"
        value={status ?? ''}
        onChange={(event) => apply({ status: event.target.value })}
        className="w-40"
      >
        <option value="">All statuses</option>
        <option value="published">Published</option>
        <option value="draft">Draft</option>
      </Select>
      {kind.hasCategories && (
        <CategoryFilter kind={kind} value={category ?? ''} onChange={(chosen) => apply({ category: chosen })} />
      )}
      <Select
        aria-label="Sort by"
        value={sort ?? ''}
        onChange={(event) => apply({ sort: event.target.value })}
        className="w-40"
      >
        <option value="">{q ? 'Best match' : 'Site order'}</option>
        <option value="changed">Last changed</option>
        <option value="newest">Newest</option>
        <option value="title">Title</option>
      </Select>
    </FilterBar>
  );
}

interface CategoryFilterProps {
  kind: ContentKind;
  value: string;
  onChange: (category: string) => void;
}

function CategoryFilter({ kind, value, onChange }: CategoryFilterProps) {
  const { data = [], isPending } = useQuery(categoriesQuery(kind));
  // Render the filters even while loading, to prevent a layout shift of the list.
  if (!isPending && data.length === 0 && value === '') return null;
  const categories = value === '' || data.includes(value) ? data : [value, ...data];
  return (
    <Select
      aria-label="Filter by category"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="w-44"
    >
      <option value="">All categories</option>
      {categories.map((category) => (
        <option key={category}>{category}</option>
      ))}
    </Select>
  );
}
