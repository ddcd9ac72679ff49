import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ScrollText, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/list/filter-bar.tsx';
import { ItemCount } from '../../ui/list/item-count.tsx';
import { LoadingCards } from '../../ui/list/loading-cards.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { HEADER_BUTTON_CLASS, HEADER_LABEL_CLASS, ScreenHeader } from '../../ui/screen-header.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Select } from '../../ui/select.tsx';
import { type PeopleFilter, peopleQuery } from '../people.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { PeopleRows } from './people-rows.tsx';
import { type PeopleSearch, readPeopleSearch } from './people-search.ts';

const FILTERS: readonly [value: PeopleFilter, label: string][] = [
  ['admin', 'Admins'],
  ['team', 'Team'],
  ['client', 'Clients'],
  ['pending', 'Pending approval'],
  ['invited', 'Invited'],
  ['declined', 'Declined'],
  ['none', 'Without a role'],
];

/** Lists all accounts, newest first. */
export function PeopleList({ search }: { search: PeopleSearch }) {
  const { q = '', standing, page = 1 } = search;
  const filter = FILTERS.find(([value]) => value === standing)?.[0];
  const list = useQuery(peopleQuery({ page, search: q, filter }));
  const [isInviting, setIsInviting] = useState(false);
  const { items = [], count } = list.data ?? {};
  const navigate = useNavigate();
  const closeInvitation = () => {
    setIsInviting(false);
    if (search.invite) void navigate({ to: '/admin/people', search: { ...search, invite: undefined }, replace: true });
  };
  return (
    <div className="@container grid grid-cols-1 gap-6">
      <ScreenHeader
        title="People"
        isInline
        description="Everyone with an account, and their role."
        action={
          <div className="flex gap-2 sm:gap-3">
            <ButtonLink to="/admin/people/record" variant="secondary" className={HEADER_BUTTON_CLASS}>
              <ScrollText aria-hidden="true" />
              <span className={HEADER_LABEL_CLASS}>Activity log</span>
            </ButtonLink>
            <Button onClick={() => setIsInviting(true)}>
              <UserPlus aria-hidden="true" />
              Invite
            </Button>
          </div>
        }
      />
      <Filters search={search} count={count} />
      {list.isPending && <LoadingCards text="Loading people..." height="h-16" />}
      {list.error && <LoadError error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && items.length === 0 && (
        <EmptyState
          title="No accounts found"
          description="No account matches this search and role."
          action={
            <ButtonLink to="/admin/people" variant="secondary">
              Clear filters
            </ButtonLink>
          }
        />
      )}
      {items.length > 0 && <PeopleRows people={items} />}
      <Pagination page={page} count={count} />
      {(isInviting || search.invite) && <InviteDialog onClose={closeInvitation} />}
    </div>
  );
}

/** Search and role filter. Both are stored in the URL, so that they survive navigation and can be shared. */
function Filters({ search, count }: { search: PeopleSearch; count: number | undefined }) {
  const navigate = useNavigate();
  const applyFilters = (next: Record<string, unknown>) =>
    void navigate({ to: '/admin/people', search: readPeopleSearch(next), replace: true });
  return (
    <FilterBar
      search={
        <SearchBox
          label="Search by email or name"
          value={search.q}
          onSearch={(q) => applyFilters({ standing: search.standing, q })}
        />
      }
      count={<ItemCount count={count} singular="person" plural="people" />}
      isFiltered={search.standing !== undefined}
    >
      <Select
        aria-label="Filter by role"
        value={search.standing ?? ''}
        onChange={(event) => applyFilters({ q: search.q, standing: event.target.value })}
        className="w-52"
      >
        <option value="">All roles</option>
        {FILTERS.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </FilterBar>
  );
}
