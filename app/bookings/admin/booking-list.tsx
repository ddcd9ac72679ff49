import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CalendarDays } from 'lucide-react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { visitorZone } from '../../ui/lib/zoned-times.ts';
import { CardList } from '../../ui/list/card-list.tsx';
import { ItemCount } from '../../ui/list/item-count.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { availabilityQuery, bookingListQuery } from '../bookings.ts';
import { AvailabilityLink } from './availability-warnings.tsx';
import { BookingListRow } from './booking-card.tsx';

/** Lists all calls, latest first. */
export function BookingList({ search, page }: { search: string; page: number }) {
  const navigate = useNavigate();
  const { data: availability } = useQuery(availabilityQuery);
  const zone = availability?.time_zone ?? visitorZone();
  const list = useQuery(bookingListQuery({ page, search }));
  const { items = [], count } = list.data ?? {};
  const isFiltered = search !== '' || page > 1;
  const isOff = !isFiltered && availability?.hours.length === 0;
  return (
    <div className="@container grid grid-cols-1 gap-6">
      {(isFiltered || items.length > 0) && (
        <div className="flex flex-wrap items-center gap-3">
          <SearchBox
            label="Search bookings"
            value={search}
            onSearch={(q) =>
              void navigate({ to: '/admin/bookings', search: { tab: 'list', ...(q ? { q } : {}) }, replace: true })
            }
          />
          <ItemCount count={count} singular="booking" plural="bookings" />
        </div>
      )}
      <CardList
        query={list}
        page={page}
        loading="Loading bookings..."
        empty={
          <EmptyState
            {...(!isFiltered && { icon: CalendarDays })}
            title={isFiltered ? 'No bookings found' : 'No bookings yet'}
            description={isFiltered ? 'No bookings match this search.' : 'Calls that visitors book appear here.'}
            action={isOff && <AvailabilityLink />}
          />
        }
      >
        {(booking) => <BookingListRow booking={booking} zone={zone} />}
      </CardList>
    </div>
  );
}
