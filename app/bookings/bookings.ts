/** Admin queries for bookings, availability and calendars. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import {
  changeAsSignedIn,
  readAsSignedIn,
  readPageAsSignedIn,
  reloadOnSettled,
  reloadOnSuccess,
} from '../api/as-signed-in.ts';
import type { Row, Selected } from '../api/tables.ts';
import { sessionApi } from '../api/visitor-api.ts';
import { containsFilter } from '../ui/lib/contains-filter.ts';

const KEY = ['bookings'];

/** Always refetched, because visitors can book at any time. */
const FRESH = { staleTime: 0 } as const;

const COLUMNS =
  'id, starts_at, ends_at, name, email, phone, message, service, time_zone, state, cancelled_by, created_at' as const;

export type BookingRow = Selected<'bookings', typeof COLUMNS>;

/** Calls that start in [from, to), including cancelled ones, sorted by start. Both are ISO 8601. */
export function bookingsBetweenQuery(from: string, to: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'between', from, to],
    placeholderData: keepPreviousData,
    queryFn: readAsSignedIn((api) =>
      api.from('bookings').select(COLUMNS).gte('starts_at', from).lt('starts_at', to).order('starts_at'),
    ),
  });
}

/** The next 20 visible calls that have not ended. */
export const upcomingCallsQuery = queryOptions({
  ...FRESH,
  queryKey: [...KEY, 'coming'],
  queryFn: readAsSignedIn((api) =>
    api
      .from('bookings')
      .select('id, starts_at, name, email, phone, service')
      .eq('state', 'booked')
      .gt('ends_at', new Date().toISOString())
      .order('starts_at')
      .limit(20),
  ),
});

/** Reads one page (1-based) of all calls, latest first, and the total count. */
export function bookingListQuery({ page, search }: { page: number; search: string }) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'list', { page, search }],
    placeholderData: keepPreviousData,
    queryFn: readPageAsSignedIn(page, (api) => {
      const request = api.from('bookings').select(COLUMNS, { count: 'exact' }).order('starts_at', { ascending: false });
      return search.trim() ? request.or(containsFilter(['name', 'email', 'service'], search.trim())) : request;
    }),
  });
}

export const cancelVisitorBookingMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, id: string) => api.rpc('cancel_booking_of_visitor', { _booking_id: id })),
  ...reloadOnSettled(KEY),
});

export interface Hours {
  /** 1 is Monday, 7 is Sunday. */
  weekday: number;
  /** For example 09:00. The end may be 24:00. */
  starts_at: string;
  ends_at: string;
}

export interface Availability {
  hours: Hours[];
  time_zone: string;
  notice_minutes: number;
  days_ahead: number;
  length_minutes: number;
  place: string;
}

export const availabilityQuery = queryOptions({
  ...FRESH,
  queryKey: [...KEY, 'availability'],
  queryFn: async ({ signal }): Promise<Availability> => {
    const api = await sessionApi();
    const [hours, rules] = await Promise.all([
      api
        .from('availability')
        .select('weekday, starts_at, ends_at')
        .order('weekday')
        .order('starts_at')
        .abortSignal(signal)
        .throwOnError(),
      api
        .from('booking_rules')
        .select('time_zone, notice_minutes, days_ahead, length_minutes, place')
        .abortSignal(signal)
        .single()
        .throwOnError(),
    ]);
    return {
      ...rules.data,
      hours: hours.data.map(({ weekday, starts_at, ends_at }) => ({
        weekday,
        starts_at: starts_at.slice(0, 5),
        ends_at: ends_at.slice(0, 5),
      })),
    };
  },
});

export const saveAvailabilityMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { hours, ...rules }: Availability) =>
    api.rpc('save_availability', {
      _hours: hours.map((range) => ({ ...range })),
      _time_zone: rules.time_zone,
      _notice_minutes: rules.notice_minutes,
      _days_ahead: rules.days_ahead,
      _length_minutes: rules.length_minutes,
      _place: rules.place,
    }),
  ),
  ...reloadOnSuccess(KEY),
});

export type DayOff = Pick<Row<'booking_exceptions'>, 'id' | 'first_day' | 'last_day' | 'note'>;

export const daysOffQuery = queryOptions({
  ...FRESH,
  queryKey: [...KEY, 'days off'],
  queryFn: readAsSignedIn((api) =>
    api.from('booking_exceptions').select('id, first_day, last_day, note').order('first_day'),
  ),
});

export const addDayOffMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, day: Omit<DayOff, 'id'>) => api.from('booking_exceptions').insert(day)),
  ...reloadOnSuccess(KEY),
});

export const removeDayOffMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, id: string) => api.from('booking_exceptions').delete().eq('id', id)),
  ...reloadOnSettled(KEY),
});

export type BusyCalendar = Pick<Row<'booking_calendars'>, 'id' | 'label' | 'address' | 'read_at' | 'failure'>;

export const busyCalendarsQuery = queryOptions({
  ...FRESH,
  queryKey: [...KEY, 'calendars'],
  queryFn: readAsSignedIn((api) =>
    api.from('booking_calendars').select('id, label, address, read_at, failure').order('created_at'),
  ),
});

export const addBusyCalendarMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, calendar: { label: string; address: string }) =>
    api.from('booking_calendars').insert(calendar),
  ),
  ...reloadOnSuccess(KEY),
});

export const removeBusyCalendarMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, id: string) => api.from('booking_calendars').delete().eq('id', id)),
  ...reloadOnSettled(KEY),
});

/** Reads the time when the feed's link was created. Null if there is no link. */
export const bookingFeedQuery = queryOptions({
  ...FRESH,
  queryKey: [...KEY, 'feed'],
  queryFn: readAsSignedIn<string | null>((api) => api.rpc('booking_feed_created_at')),
});

/** @returns the feed's secret, which cannot be read again */
export const createBookingFeedMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api) => api.rpc('make_booking_feed')),
  ...reloadOnSuccess(KEY),
});

export const revokeBookingFeedMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api) => api.rpc('end_booking_feed')),
  ...reloadOnSuccess(KEY),
});
