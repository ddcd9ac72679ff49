/** Helpers for the tests of booked calls. */
import type { SupabaseClient } from '@supabase/supabase-js';

const WEEK = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, starts_at: '09:00', ends_at: '16:00' }));

const AVAILABILITY = {
  _hours: WEEK,
  _time_zone: 'Europe/Oslo',
  _notice_minutes: 0,
  _days_ahead: 30,
  _length_minutes: 30,
  _place: '',
};

export type AvailabilityChanges = Partial<typeof AVAILABILITY>;

/** Offers calls from nine to four in Oslo every day for 30 days. `changes` overrides these settings. */
export async function saveAvailability(admin: SupabaseClient, changes: AvailabilityChanges = {}): Promise<void> {
  await admin.rpc('save_availability', { ...AVAILABILITY, ...changes }).throwOnError();
}

/**
 * Returns the first free times on or after the first midnight (UTC) that is at least two days ahead. Tests get
 * consecutive times that stay bookable while they run, regardless of the time of day.
 */
export async function findFreeTimes(client: SupabaseClient, count?: number): Promise<string[]> {
  const day = 24 * 60 * 60 * 1000;
  const from = new Date(Math.ceil(Date.now() / day + 2) * day);
  const to = new Date(Date.now() + 29 * day);
  const { data } = await client.rpc('free_slots', { _from: from.toISOString(), _to: to.toISOString() }).throwOnError();
  const times = (data as { starts_at: string }[]).map(({ starts_at }) => starts_at);
  return count === undefined ? times : times.slice(0, count);
}
