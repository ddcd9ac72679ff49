/** Booked calls as a calendar file (RFC 5545), for mails, for downloads and for the feed of the owner. */
import ical, { ICalAttendeeStatus, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';

/** Event of a call, as the database describes it: private.calendar_event(). */
export interface CalendarEvent {
  method: 'REQUEST' | 'CANCEL' | 'PUBLISH';
  uid: string;
  sequence: number;
  /** ISO 8601 with an offset. */
  starts_at: string;
  ends_at: string;
  place: string;
  /** The visitor's address. */
  attendee: string;
  organizer: string | null;
  state?: 'booked' | 'cancelled';
  /** In the owner's feed only. */
  name?: string;
  phone?: string;
  message?: string;
  service?: string;
}

interface CalendarLook {
  siteName: string;
  /** Address at which the visitor moves or cancels the call. */
  bookingUrl?: string | undefined;
}

/** The text of the file. `method` is what the mail's content type must say, too. */
export function calendarFile(events: CalendarEvent[], look: CalendarLook): string {
  const { bookingUrl } = look;
  // The library puts it as it is into places where these would end the value.
  const siteName = look.siteName.replaceAll(/[\p{Cc}",;]+/gu, ' ').trim();
  const method = events[0]?.method ?? 'PUBLISH';
  const calendar = ical({
    prodId: { company: 'Signalfjord', product: 'Booked calls', language: 'EN' },
    method: ICalCalendarMethod[method],
    name: `Calls of ${siteName}`,
  });
  for (const event of events) {
    const isCancelled = event.method === 'CANCEL' || event.state === 'cancelled';
    const one = calendar.createEvent({
      id: event.uid,
      sequence: event.sequence,
      start: new Date(event.starts_at),
      end: new Date(event.ends_at),
      summary: event.name === undefined ? `Call with ${siteName}` : `Call: ${event.name}`,
      location: event.place || null,
      description: descriptionOf(event, bookingUrl) || null,
      status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      ...(bookingUrl ? { url: bookingUrl } : {}),
      ...(isAddress(event.organizer) ? { organizer: { name: siteName, email: event.organizer } } : {}),
    });
    // A published event has nobody who is asked to come (RFC 5546, section 3.2.1).
    if (event.method !== 'PUBLISH') {
      one.createAttendee({ email: event.attendee, status: ICalAttendeeStatus.ACCEPTED, rsvp: false });
    }
  }
  return calendar.toString();
}

function descriptionOf({ attendee, name, phone, service, message }: CalendarEvent, bookingUrl?: string): string {
  if (name === undefined) return bookingUrl ? `Move or cancel this call: ${bookingUrl}` : '';
  return [attendee, phone, service, message].filter(Boolean).join('\n');
}

function isAddress(text: string | null): text is string {
  return text !== null && /^[^@\s]+@[^@\s]+$/.test(text);
}
