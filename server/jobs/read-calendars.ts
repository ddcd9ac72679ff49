/**
 * Reads the calendars of admins every 15 minutes, so that their busy times are not offered for booking. URLs are
 * untrusted. Private networks are blocked, including through DNS names and redirects, and time, size and CPU use are
 * limited (docs/decisions/bookings.md).
 */

import { Worker } from 'node:worker_threads';
import { type Database, type Job, POLL_INTERVAL_MS, PrivateAddressError, publicFetch } from '@signalfjord/backend';
import type { Logger } from 'pino';
import type { BusyCalendar } from './busy-times.ts';
import type { BusyTimesTask } from './busy-times-worker.ts';

const READ_EVERY_MINUTES = 15;
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_REDIRECTS = 3;
const MAX_WORK_MS = 10_000;
const MAX_HEAP_MB = 256;
/** Days to read ahead, the same as the booking window. */
const DAYS_AHEAD = 366;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Error with a message for the owner of the calendar. */
class CalendarError extends Error {}

type Fetch = typeof publicFetch;

/** Reads each calendar when it is due. Reads a new calendar immediately. */
export function calendarsJob(database: Database, log: Logger): Job {
  return {
    name: 'read calendars',
    channels: ['booking_calendars'],
    run: async () => ((await readNextCalendar(database, log)) ? 0 : POLL_INTERVAL_MS),
  };
}

/**
 * Claims the next due calendar and reads it. Other processes skip it, because the claim sets the time of its next read.
 * @returns false if none is due
 */
async function readNextCalendar(database: Database, log: Logger): Promise<boolean> {
  const { rows } = await database.query<{ id: string; address: string }>(
    `update public.booking_calendars set next_read_at = now() + make_interval(mins => $1::int)
     where id = (
       select id from public.booking_calendars where next_read_at <= now()
       order by next_read_at limit 1 for update skip locked
     ) returning id, address`,
    [READ_EVERY_MINUTES],
  );
  const [calendar] = rows;
  if (calendar) await readCalendar(database, log, calendar);
  return calendar !== undefined;
}

/** Reads one calendar and stores its busy times or the error. */
export async function readCalendar(
  database: Database,
  log: Logger,
  { id, address }: { id: string; address: string },
  fetch: Fetch = publicFetch,
): Promise<void> {
  try {
    const { times, unreadable, unknownZones } = await readBusyTimes(await fetchCalendar(address, fetch));
    await database.query('select private.store_busy_times($1, $2::text::jsonb)', [id, JSON.stringify(times)]);
    const problems = [
      unreadable > 0 && skippedMessage(unreadable),
      unknownZones.length > 0 && unknownZonesMessage(unknownZones),
    ];
    if (problems.some(Boolean)) throw new CalendarError(problems.filter(Boolean).join(' '));
  } catch (error) {
    const failure = error instanceof CalendarError ? error.message : 'The calendar could not be read.';
    // The URL is a secret and must not be logged.
    log.warn({ calendar: id, failure }, 'A calendar could not be read completely');
    await database.query('update public.booking_calendars set failure = $2 where id = $1', [id, failure]);
  }
}

/** Counts entries instead of events, because free-busy times and time zones can be unreadable, too. */
function skippedMessage(count: number): string {
  return count === 1
    ? '1 calendar entry could not be read and was skipped.'
    : `${count} calendar entries could not be read and were skipped.`;
}

function unknownZonesMessage(names: readonly string[]): string {
  const [zones, demonstrative] = names.length === 1 ? ['zone', 'this zone'] : ['zones', 'these zones'];
  return `Unknown time ${zones}: ${formatZones(names)}. Events in ${demonstrative} block every time they could fall on.`;
}

/** Formats at most three zone names, truncated. */
function formatZones(names: readonly string[]): string {
  const quotedNames = names.slice(0, 3).map((name) => `“${name.slice(0, 60)}”`);
  return [...quotedNames, ...(names.length > 3 ? ['and others'] : [])].join(', ');
}

async function fetchCalendar(calendarUrl: string, fetch: Fetch): Promise<string> {
  let url = calendarUrl;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await fetch(url, { headers: { accept: 'text/calendar' } }, MAX_BYTES).catch((error: unknown) => {
      if (error instanceof PrivateAddressError || error instanceof TypeError) {
        throw new CalendarError('The calendar URL is not a public https address.');
      }
      throw new CalendarError(
        error instanceof Error && error.message.includes('more than')
          ? 'The calendar is larger than 5 MB.'
          : 'The calendar server did not respond.',
      );
    });
    if (response.status === 200) return response.text();
    const target = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || target === null || !URL.canParse(target, url)) {
      throw new CalendarError(`The calendar server responded with status ${response.status}.`);
    }
    url = new URL(target, url).href;
  }
  throw new CalendarError('The calendar URL has too many redirects.');
}

async function readBusyTimes(text: string): Promise<BusyCalendar> {
  const now = Date.now();
  const task: BusyTimesTask = { text, from: new Date(now - DAY_MS), to: new Date(now + DAYS_AHEAD * DAY_MS) };
  const worker = new Worker(new URL('./busy-times-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  const result = Promise.withResolvers<BusyCalendar>();
  worker.once('message', result.resolve);
  worker.once('error', () =>
    result.reject(new CalendarError('The calendar URL did not return a valid iCalendar file.')),
  );
  const timer = setTimeout(() => result.reject(new CalendarError('The calendar took too long to read.')), MAX_WORK_MS);
  try {
    return await result.promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
