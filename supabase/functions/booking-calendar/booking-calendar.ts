/**
 * Booked calls as a calendar file: a feed for the owner's calendar program, and a download of a single call for its
 * visitor. Both URLs contain a secret, because calendar programs send no headers. Read-only.
 */
import { type CalendarEvent, calendarFile } from './calendar-file.ts';

export interface BookingCalendarDependencies {
  /** Origin of the Supabase API, without a trailing slash. */
  apiUrl: string;
  secretKey: string;
  /** Sends requests to apiUrl: over the network, or to the backend in the same process. */
  fetch: (request: Request) => Response | Promise<Response>;
  /** Default name of the site. */
  defaultSiteName: string;
}

const SECRET = /^[0-9a-f]{64}$/;

/** The table API is unavailable or overloaded. */
class TablesBusyError extends Error {}

/** GET ?secret=… returns 200 with the file, 404 for a wrong secret, or 503 if the table API is unavailable. */
export async function handleBookingCalendar(
  request: Request,
  dependencies: BookingCalendarDependencies,
): Promise<Response> {
  try {
    return await readCalendar(request, dependencies);
  } catch (error) {
    if (!(error instanceof TablesBusyError)) throw error;
    return refusal(503, 'The calendar cannot be read right now. Please try again in a moment.');
  }
}

async function readCalendar(request: Request, dependencies: BookingCalendarDependencies): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refusal(405, 'Method not allowed.');
  const secret = new URL(request.url).searchParams.get('secret') ?? '';
  const events = SECRET.test(secret)
    ? await read<CalendarEvent[] | null>(dependencies, 'rpc/calendar_events', { _secret: secret })
    : null;
  if (!events) return refusal(404, 'Calendar not found.');
  const settings = await read<{ setting_value: string }[]>(
    dependencies,
    'site_settings?select=setting_value&setting_key=eq.site_name',
  );
  const siteName = settings[0]?.setting_value.trim() || dependencies.defaultSiteName;
  return new Response(calendarFile(events, { siteName }), {
    headers: {
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'attachment; filename="call.ics"',
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    },
  });
}

async function read<Result>(
  { apiUrl, secretKey, fetch }: BookingCalendarDependencies,
  path: string,
  body?: object,
): Promise<Result> {
  const response = await fetch(
    new Request(`${apiUrl}/rest/v1/${path}`, {
      headers: { apikey: secretKey, authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    }),
  );
  if (!response.ok) {
    await response.body?.cancel();
    if (response.status === 503) throw new TablesBusyError();
    throw new Error(`The table API returned ${response.status} for ${path.split('?')[0]}`);
  }
  return response.json();
}

function refusal(status: number, sentence: string): Response {
  return new Response(sentence, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'private, no-store' },
  });
}
