/** Booked calls as admins see them: the calls, when they are offered, and the calendars on both sides. */
import { keepPreviousData, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { containsPattern } from '../../lib/contains-filter.ts';
import { pageRange } from '../api/paging.ts';
import { sessionApi } from '../api/visitor-api.ts';

const KEY = ['bookings'];

/** Asked anew on every screen: visitors book meanwhile. */
const FRESH = { staleTime: 0 } as const;

const COLUMNS =
  'id, starts_at, ends_at, name, email, phone, message, service, time_zone, state, cancelled_by, created_at' as const;

export interface BookingRow {
  id: string;
  starts_at: string;
  ends_at: string;
  name: string;
  email: string;
  phone: string;
  message: string;
  service: string;
  time_zone: string;
  state: string;
  cancelled_by: string | null;
  created_at: string;
}

/** Calls that begin in [from, to), cancelled ones too, in order. Both are ISO 8601. */
export function bookingsBetweenQuery(from: string, to: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'between', from, to],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<BookingRow[]> => {
      const api = await sessionApi();
      const { data } = await api
        .from('bookings')
        .select(COLUMNS)
        .gte('starts_at', from)
        .lt('starts_at', to)
        .order('starts_at')
        .abortSignal(signal)
        .throwOnError();
      return data as BookingRow[];
    },
  });
}

/** Reads a page (from 1) of all calls, the latest first, and how many there are. */
export function bookingListQuery({ page, search }: { page: number; search: string }) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'list', { page, search }],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<{ items: BookingRow[]; count: number }> => {
      const api = await sessionApi();
      let request = api.from('bookings').select(COLUMNS, { count: 'exact' });
      if (search.trim()) {
        // Quoted, so that commas and brackets are part of the text.
        const pattern = JSON.stringify(containsPattern(search.trim()));
        request = request.or(`name.ilike.${pattern},email.ilike.${pattern},service.ilike.${pattern}`);
      }
      const { data, count } = await request
        .order('starts_at', { ascending: false })
        .range(...pageRange(page))
        .abortSignal(signal)
        .throwOnError();
      return { items: data as BookingRow[], count: count ?? 0 };
    },
  });
}

export const cancelBookingOfVisitorMutation = mutationOptions({
  mutationFn: async (id: string) => {
    const api = await sessionApi();
    await api.rpc('cancel_booking_of_visitor', { _booking_id: id }).throwOnError();
  },
  onSettled: (_data, _error, _id, _result, { client }) => refresh(client),
});

export interface Hours {
  /** 1 is Monday, 7 is Sunday. */
  weekday: number;
  /** 09:00; an end may be 24:00. */
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
  mutationFn: async ({ hours, ...rules }: Availability) => {
    const api = await sessionApi();
    await api
      .rpc('save_availability', {
        _hours: hours.map((one) => ({ ...one })),
        _time_zone: rules.time_zone,
        _notice_minutes: rules.notice_minutes,
        _days_ahead: rules.days_ahead,
        _length_minutes: rules.length_minutes,
        _place: rules.place,
      })
      .throwOnError();
  },
  onSuccess: (_data, _given, _result, { client }) => refresh(client),
});

export interface DayOff {
  id: string;
  first_day: string;
  last_day: string;
  note: string;
}

export const daysOffQuery = queryOptions({
  ...FRESH,
  queryKey: [...KEY, 'days off'],
  queryFn: async ({ signal }): Promise<DayOff[]> => {
    const api = await sessionApi();
    const { data } = await api
      .from('booking_exceptions')
      .select('id, first_day, last_day, note')
      .order('first_day')
      .abortSignal(signal)
      .throwOnError();
    return data;
  },
});

export const addDayOffMutation = mutationOptions({
  mutationFn: async (day: Omit<DayOff, 'id'>) => {
    const api = await sessionApi();
    await api.from('booking_exceptions').insert(day).throwOnError();
  },
  onSuccess: (_data, _day, _result, { client }) => refresh(client),
});

export const removeDayOffMutation = mutationOptions({
  mutationFn: async (id: string) => {
    const api = await sessionApi();
    await api.from('booking_exceptions').delete().eq('id', id).throwOnError();
  },
  onSettled: (_data, _error, _id, _result, { client }) => refresh(client),
});

export interface BusyCalendar {
  id: string;
  label: string;
  address: string;
  read_at: string | null;
  /** Reason why the last reading failed. */
  failure: string | null;
}

export const busyCalendarsQuery = queryOptions({
  ...FRESH,
  queryKey: [...KEY, 'calendars'],
  queryFn: async ({ signal }): Promise<BusyCalendar[]> => {
    const api = await sessionApi();
    const { data } = await api
      .from('booking_calendars')
      .select('id, label, address, read_at, failure')
      .order('created_at')
      .abortSignal(signal)
      .throwOnError();
    return data;
  },
});

export const addBusyCalendarMutation = mutationOptions({
  mutationFn: async (calendar: { label: string; address: string }) => {
    const api = await sessionApi();
    await api.from('booking_calendars').insert(calendar).throwOnError();
  },
  onSuccess: (_data, _calendar, _result, { client }) => refresh(client),
});

export const removeBusyCalendarMutation = mutationOptions({
  mutationFn: async (id: string) => {
    const api = await sessionApi();
    await api.from('booking_calendars').delete().eq('id', id).throwOnError();
  },
  onSettled: (_data, _error, _id, _result, { client }) => refresh(client),
});

/** Reads when the feed's address was made; null while there is none. */
export const bookingFeedQuery = queryOptions({
  ...FRESH,
  queryKey: [...KEY, 'feed'],
  queryFn: async ({ signal }): Promise<string | null> => {
    const api = await sessionApi();
    const { data } = await api.rpc('booking_feed_made_at').abortSignal(signal).throwOnError();
    return data;
  },
});

/** @returns the secret of the feed, which is told this once */
export const makeBookingFeedMutation = mutationOptions({
  mutationFn: async (): Promise<string> => {
    const api = await sessionApi();
    const { data } = await api.rpc('make_booking_feed').throwOnError();
    return data;
  },
  onSuccess: (_secret, _nothing, _result, { client }) => refresh(client),
});

export const endBookingFeedMutation = mutationOptions({
  mutationFn: async () => {
    const api = await sessionApi();
    await api.rpc('end_booking_feed').throwOnError();
  },
  onSuccess: (_data, _nothing, _result, { client }) => refresh(client),
});

function refresh(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: KEY });
}
