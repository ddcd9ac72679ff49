import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import type { ListSearch } from './list-search.ts';
import type { ContentScreen } from './screen.ts';

/** Typing pauses this long before the list is asked. */
const PAUSE_MS = 200;

interface ListFiltersProps {
  screen: ContentScreen;
  search: ListSearch;
  /** Undefined until it is known. */
  count: number | undefined;
}

/** Search and status of a list, kept in the address so that they survive Back and can be shared. */
export function ListFilters({ screen, search, count }: ListFiltersProps) {
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  // Back and "Show all" change the address; the input follows unless somebody is typing in it.
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = search.q ?? '';
  }, [search.q]);

  const apply = (next: ListSearch) =>
    void navigate({ to: '/admin/$kind', params: { kind: screen.path }, search: next, replace: true });
  const onType = () => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      apply({ status: search.status, q: input.current?.value.trim() || undefined });
    }, PAUSE_MS);
  };

  return (
    <div className="flex flex-wrap items-center gap-3">
      <div className="relative min-w-48 flex-1 sm:max-w-xs">
        <Search aria-hidden="true" className="pointer-events-none absolute top-3.5 left-3.5 size-4 text-muted" />
        <Input
          ref={input}
          type="search"
          aria-label={`Search ${screen.many}`}
          placeholder="Search"
          defaultValue={search.q}
          onChange={onType}
          className="pl-10"
        />
      </div>
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
