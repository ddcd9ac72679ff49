/**
 * Mails wait in private.mail_queue, written in the transaction that decides about them: an answer does not wait for the
 * mail server, and a crash loses nothing. A mail may come twice after a crash between sending and noting it, with the
 * same Message-ID.
 */
import type { Queryable } from '../database/database.ts';

/** Names of the templates of the authentication service, without .html, as a hosted project has them. */
export type AuthTemplate = 'confirmation' | 'recovery' | 'magic_link' | 'email_change' | 'invite' | 'reauthentication';

/** A mail as it waits. The database queues mails of the application with its own templates and variables. */
export interface QueuedMail {
  template: string;
  variables: { SiteURL?: string } & Record<string, unknown>;
}

/**
 * A mail to this address is rendered and then dropped. It is what an address without an account gets, so that the work
 * is the same for all. No real address ends in .invalid (RFC 2606).
 */
export const UNDELIVERED = 'nobody@signalfjord.invalid';

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
