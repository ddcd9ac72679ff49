/** Functions with which visitors find free times, book calls, and change bookings with a token. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { browserApiEndpoint } from '../api/api-endpoint.ts';
import type { Json } from '../api/database.types.ts';
import { errorCode, rejectionMessage, requiresConfirmation } from '../api/error-code.ts';
import { IDEMPOTENCY_HEADER, idempotencyKey } from '../api/idempotency-key.ts';
import { publicApi } from '../api/visitor-api.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Days to look ahead for free times. */
const DAYS_AHEAD = 61;

const KEY = ['booking'];

/** Reads the start times of bookable calls, in ISO 8601, sorted. */
export async function readFreeTimes(signal?: AbortSignal): Promise<string[]> {
  const api = await publicApi();
  const now = Date.now();
  const range = { _from: new Date(now).toISOString(), _to: new Date(now + DAYS_AHEAD * DAY_MS).toISOString() };
  const request = api.rpc('free_slots', range).select('starts_at');
  const { data } = await (signal ? request.abortSignal(signal) : request).throwOnError();
  return data.map(({ starts_at }) => starts_at);
}

/** Short stale time, because other visitors can book at any time. */
export const freeTimesQuery = queryOptions({
  queryKey: [...KEY, 'times'],
  staleTime: 30_000,
  queryFn: ({ signal }) => readFreeTimes(signal),
});

/** Booking as returned by private.booking_details() and private.held_booking_details(). */
export interface VisitorBooking {
  starts_at: string;
  ends_at: string;
  /**
   * `held`: reserved until the visitor confirms by email. `taken`: was reserved, but another visitor has booked the
   * time.
   */
  state: 'booked' | 'cancelled' | 'held' | 'taken';
  time_zone: string;
  service: string;
  place: string;
}

/** New booking with the token that changes it. */
export type NewBooking = VisitorBooking & { token: string };

export interface BookingRequest {
  startsAt: string;
  timeZone: string;
  name: string;
  email: string;
  phone?: string | undefined;
  message?: string | undefined;
  service?: string | undefined;
}

/** Time reserved until `expires_at`, for confirmation by email. */
export interface HeldTime {
  starts_at: string;
  expires_at: string;
}

/** Returns whether the time is only reserved until the visitor confirms by email. */
export function isHeld(outcome: NewBooking | HeldTime): outcome is HeldTime {
  return 'expires_at' in outcome;
}

function isBooking(data: Json): data is Json & VisitorBooking {
  const state = hasTexts(data, 'starts_at', 'ends_at', 'time_zone', 'service', 'place', 'state') && data.state;
  return state === 'booked' || state === 'cancelled' || state === 'held' || state === 'taken';
}

function isNewBooking(data: Json): data is Json & NewBooking {
  return isBooking(data) && hasTexts(data, 'token');
}

function isHeldTime(data: Json): data is Json & HeldTime {
  return hasTexts(data, 'starts_at', 'expires_at');
}

/** Validates without zod, because the chat would load the library only for this. */
function hasTexts<Name extends string>(data: Json, ...names: Name[]): data is Json & Record<Name, string> {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return false;
  return names.every((name) => typeof data[name] === 'string');
}

/**
 * Validates a response from the database.
 *
 * @throws Error if its format is unexpected
 */
function parseBooking<Parsed extends Json>(isValid: (data: Json) => data is Parsed, data: Json): Parsed {
  if (!isValid(data)) throw new Error('The booking has an unexpected format.');
  return data;
}

/**
 * Books a call. If the database requires a captcha and the visitor does not solve it, reserves the time and emails a
 * confirmation link instead.
 *
 * @throws PostgrestError, CaptchaClosedError, see rejectionMessage()
 */
export async function bookCall(call: BookingRequest): Promise<NewBooking | HeldTime> {
  const booking = await bookNow(call);
  if (booking) return booking;
  // Only needed near the rate limit.
  const { requestCaptchaConfirmation } = await import('../ui/captcha/captcha.ts');
  const proof = await requestCaptchaConfirmation(
    'Many calls are being booked. Complete this check to book yours immediately.',
  );
  return (proof && (await bookNow(call, proof))) || holdCall(call);
}

/** @returns null if the database requires a captcha */
async function bookNow(call: BookingRequest, proof?: string): Promise<NewBooking | null> {
  const parameters = toParameters(call);
  const request = (await publicApi()).rpc('book', parameters);
  request.setHeader(IDEMPOTENCY_HEADER, idempotencyKey(parameters));
  if (proof) request.setHeader((await import('../ui/captcha/captcha.ts')).CONFIRMATION_HEADER, proof);
  try {
    return parseBooking(isNewBooking, (await request.throwOnError()).data);
  } catch (error) {
    if (requiresConfirmation(error)) return null;
    throw error;
  }
}

export const bookMutation = mutationOptions({ mutationFn: bookCall });

/**
 * Reserves a time and emails a confirmation link. If it is called again, it emails a new link.
 *
 * @throws the same errors as bookCall
 */
export async function holdCall(call: BookingRequest): Promise<HeldTime> {
  const api = await publicApi();
  const { data } = await api.rpc('hold_booking', toParameters(call)).throwOnError();
  return parseBooking(isHeldTime, data);
}

function toParameters(call: BookingRequest) {
  return {
    _starts_at: call.startsAt,
    _name: call.name,
    _email: call.email,
    _phone: call.phone ?? '',
    _message: call.message ?? '',
    _service: call.service ?? '',
    _time_zone: call.timeZone,
  };
}

/**
 * Books the reserved call, optionally at another time.
 *
 * @throws the same errors as bookCall
 */
export const confirmBookingMutation = mutationOptions({
  mutationFn: async ({ token, startsAt }: { token: string; startsAt?: string }): Promise<VisitorBooking> => {
    const api = await publicApi();
    const parameters = { _token: token, ...(startsAt ? { _starts_at: startsAt } : {}) };
    const { data } = await api.rpc('confirm_booking', parameters).throwOnError();
    return parseBooking(isBooking, data);
  },
  onSuccess: (booking, { token }, _result, { client }) => {
    client.setQueryData(visitorBookingQuery(token).queryKey, booking);
    return client.invalidateQueries({ queryKey: freeTimesQuery.queryKey });
  },
});

/**
 * Reads the booking that belongs to a token.
 *
 * @throws PostgrestError (PT404: not found)
 */
export function visitorBookingQuery(token: string) {
  return queryOptions({
    queryKey: [...KEY, 'own', token],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<VisitorBooking> => {
      const api = await publicApi();
      const { data } = await api.rpc('read_booking', { _token: token }).abortSignal(signal).throwOnError();
      return parseBooking(isBooking, data);
    },
  });
}

export const moveBookingMutation = mutationOptions({
  mutationFn: async ({ token, startsAt }: { token: string; startsAt: string }): Promise<VisitorBooking> => {
    const api = await publicApi();
    const { data } = await api.rpc('move_booking', { _token: token, _starts_at: startsAt }).throwOnError();
    return parseBooking(isBooking, data);
  },
  onSuccess: (booking, { token }, _result, { client }) => {
    client.setQueryData(visitorBookingQuery(token).queryKey, booking);
    return client.invalidateQueries({ queryKey: freeTimesQuery.queryKey });
  },
});

export const cancelBookingMutation = mutationOptions({
  mutationFn: async (token: string): Promise<VisitorBooking> => {
    const api = await publicApi();
    const { data } = await api.rpc('cancel_booking', { _token: token }).throwOnError();
    return parseBooking(isBooking, data);
  },
  onSuccess: (booking, token, _result, { client }) => {
    client.setQueryData(visitorBookingQuery(token).queryKey, booking);
    return client.invalidateQueries({ queryKey: freeTimesQuery.queryKey });
  },
});

/** Returns the URL of a booking's calendar file. Browser only. */
export function calendarFileUrl(token: string): string {
  return `${browserApiEndpoint().url}/functions/v1/booking-calendar?secret=${encodeURIComponent(token)}`;
}

/** Returns whether the selected time is already booked, in the past or no longer offered. */
export function isTimeUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'PT409' || (code === '22023' && /\btime\b/.test(rejectionMessage(error) ?? ''));
}
