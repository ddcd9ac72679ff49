/**
 * The mail queue, private.mail_queue. Mails are written in the transaction that triggers them, so responses do not wait
 * for the mail server and a crash loses nothing. If a process crashes after sending a mail, the mail can be sent
 * twice with the same Message-ID.
 */
import type { Queryable } from '../database/database.ts';

/** Template names of the auth service without .html, as in a hosted project. */
export type AuthTemplate = 'confirmation' | 'recovery' | 'magic_link' | 'email_change' | 'invite' | 'reauthentication';

/** A queued mail. The database queues mails of the application with their own templates and variables. */
export interface QueuedMail {
  recipient: string;
  template: string;
  variables: { SiteURL?: string } & Record<string, unknown>;
}

/**
 * A mail to this address is rendered and then dropped. It replaces the mail to an unknown account, so that the response
 * time is the same. No real address ends in .invalid (RFC 2606).
 */
export const UNDELIVERABLE = 'nobody@signalfjord.invalid';

export async function enqueueMail(
  database: Queryable,
  recipient: string,
  template: string,
  variables: QueuedMail['variables'],
): Promise<void> {
  await database.query('insert into private.mail_queue (recipient, template, variables) values ($1, $2, $3)', [
    recipient,
    template,
    variables,
  ]);
}
