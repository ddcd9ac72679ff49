/**
 * Mails wait in private.mail_queue, written in the transaction that decides about them: an answer does not wait for the
 * mail server, and a crash loses nothing. A mail may come twice after a crash between sending and noting it.
 */
import type { CalendarEvent } from '../../supabase/functions/booking-calendar/calendar-file.ts';
import type { Queryable } from '../database/database.ts';
import type { TemplateName } from './templates.ts';

/** Variables of templates, as in Supabase Auth's own templates: {{ .ConfirmationURL }}. */
export interface MailVariables {
  /** Origin of the site; the delivery fills it in when a queued mail has none. */
  SiteURL?: string;
  Email: string;
  ConfirmationURL?: string;
  Token?: string;
  TokenHash?: string;
  RedirectTo?: string;
  NewEmail?: string;
  /** Of a mail about a lead: whom an answer goes to, and what they left. SQL queues these. */
  ReplyTo?: string;
  Name?: string;
  Phone?: string;
  CallTime?: string;
  Message?: string;
  LeadId?: string;
  /** Of a mail about a release that was not published. SQL queues these, too. */
  ReleaseId?: string;
  PlannedTime?: string;
  /** Of a mail to a subscriber: what their link to leave holds. */
  UnsubscribeToken?: string;
  /** Of mails about booked calls: what is attached. What they name besides stands in private.tell_about_booking(). */
  Calendar?: CalendarEvent;
}

/**
 * A mail to this address is rendered and then dropped. It is what an address without an account gets, so that the work
 * is the same for all. No real address ends in .invalid (RFC 2606).
 */
export const UNDELIVERED = 'nobody@signalfjord.invalid';

export async function enqueueMail(
  database: Queryable,
  recipient: string,
  template: TemplateName,
  variables: MailVariables,
): Promise<void> {
  await database.query('insert into private.mail_queue (recipient, template, variables) values ($1, $2, $3)', [
    recipient,
    template,
    variables,
  ]);
}
