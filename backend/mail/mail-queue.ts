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
  /** Address that an answer to a mail about a lead goes to; what the lead left follows. SQL queues these. */
  ReplyTo?: string;
  Name?: string;
  Phone?: string;
  CallTime?: string;
  Message?: string;
  LeadId?: string;
  /** Release that was not published. SQL queues these mails, too. */
  ReleaseId?: string;
  PlannedTime?: string;
  /** Token in a subscriber's link to leave. */
  UnsubscribeToken?: string;
  /** Attachment of mails about booked calls. Their other variables stand in private.tell_about_booking(). */
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
