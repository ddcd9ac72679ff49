/** Calendar file of booked calls (RFC 5545), for mails, downloads and the owner's feed. */
import ical, { ICalAttendeeStatus, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';

/** Event of a call, as returned by private.calendar_event(). */
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
  /** Set only in the owner's feed. */
  name?: string;
  phone?: string;
  message?: string;
  service?: string;
}

interface CalendarLook {
  siteName: string;
  /** URL where the visitor can move or cancel the call. */
  bookingUrl?: string | undefined;
}

/** Returns the file's text. `method` must equal the method in the mail's content type. */
export function calendarFile(events: CalendarEvent[], look: CalendarLook): string {
  const { bookingUrl } = look;
  // The library does not escape the name, and these characters would end the value.
  const siteName = look.siteName.replaceAll(/[\p{Cc}",;]+/gu, ' ').trim();
  const method = events[0]?.method ?? 'PUBLISH';
  const calendar = ical({
    prodId: { company: 'Signalfjord', product: 'Booked calls', language: 'EN' },
    method: ICalCalendarMethod[method],
    name: `Calls of ${siteName}`,
  });
  for (const event of events) {
    const isCancelled = event.method === 'CANCEL' || event.state === 'cancelled';
    const entry = calendar.createEvent({
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
    // A published event has no attendees (RFC 5546, section 3.2.1).
    if (event.method !== 'PUBLISH') {
      entry.createAttendee({ email: event.attendee, status: ICalAttendeeStatus.ACCEPTED, rsvp: false });
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
