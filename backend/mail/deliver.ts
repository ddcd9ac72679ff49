/** Sends what waits in private.mail_queue: at once when a mail is queued, and again later when the mail server failed. */
import type { Logger } from 'pino';
import { calendarFile } from '../../supabase/functions/booking-calendar/calendar-file.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { messageOf } from '../database/errors.ts';
import type { SiteOrigin } from '../site-origin.ts';
import { startQueueWorker } from '../work-queue.ts';
import { cleanUpMailsRegularly } from './clean-up.ts';
import { createLookReader, type MailLook, type ReadUpload } from './mail-look.ts';
import { UNDELIVERED } from './mail-queue.ts';
import { createMailer, type Mailer } from './mailer.ts';
import { contactEmail, siteName } from './site-name.ts';
import type { MailVariables } from './templates.ts';
import { LOGO_ID, mailedPath, renderMail, TEMPLATE_NAMES, type TemplateName } from './templates.ts';

/**
 * Longest wait between two attempts in minutes, and what it takes to try for four days, as RFC 5321 (4.5.4.1) wants: a
 * certificate that ends, or a password that changes, on a Friday evening is noticed on Monday.
 */
const MAX_WAIT_MINUTES = 30;
const MAX_ATTEMPTS = 200;

/** A copy of the process that dies while it sends leaves the mail to another one after this time, in seconds. */
const CLAIM_SECONDS = 300;

interface QueuedMail {
  id: number;
  key: string;
  recipient: string;
  template: string;
  variables: MailVariables;
  attempts: number;
}

export interface MailDelivery {
  /** Stops after the mail that is being sent. */
  stop(): Promise<void>;
}

interface DeliveryParts {
  config: Config;
  log: Logger;
  origin: SiteOrigin;
}

/** `readUpload` answers for public files of the storage, of which the logo is one. */
export async function startMailDelivery(
  database: Database,
  { config, log, origin }: DeliveryParts,
  readUpload: ReadUpload,
): Promise<MailDelivery> {
  const mailer = createMailer(config, log, () => siteName(database));
  const stopCleaning = await cleanUpMailsRegularly(database, config, log);
  const worker = await startQueueWorker(database, log, {
    channel: 'mail_queued',
    doNext: createSender({
      database,
      origin,
      log,
      mailer,
      readLook: createLookReader(database, readUpload),
    }),
    name: 'the mail queue',
  });
  return {
    async stop() {
      stopCleaning();
      await worker.stop();
      mailer.close();
    },
  };
}

interface SenderParts extends Omit<DeliveryParts, 'config'> {
  database: Database;
  mailer: Mailer;
  readLook: () => Promise<MailLook>;
}

/** @returns what sends the next mail that is due; false when there is none */
function createSender({ database, origin, log, mailer, readLook }: SenderParts): () => Promise<boolean> {
  async function send({ key, recipient, template, variables }: QueuedMail): Promise<void> {
    if (!isTemplateName(template)) throw new Error(`There is no mail template ${template}`);
    const siteUrl = variables.SiteURL ?? String(origin);
    const look = await readLook();
    const Link = invitationLink(siteUrl, variables);
    const rendered = await renderMail(template, { ...variables, SiteURL: siteUrl, Link }, look);
    const picture = look.logo ? { id: LOGO_ID, png: look.logo.png } : undefined;
    const { ReplyTo: replyTo = await contactEmail(database), UnsubscribeToken, Calendar, Token } = variables;
    const unsubscribeUrl =
      UnsubscribeToken &&
      `${siteUrl}/functions/v1/newsletter-unsubscribe?token=${encodeURIComponent(UnsubscribeToken)}`;
    const calendar = Calendar && {
      method: Calendar.method,
      content: calendarFile([Calendar], {
        siteName: look.siteName,
        bookingUrl: Token && `${siteUrl}/booking/${Token}`,
      }),
    };
    if (recipient !== UNDELIVERED)
      await mailer.send({ key, to: recipient, replyTo, unsubscribeUrl, calendar, picture, ...rendered });
  }

  /**
   * Waits 1, 2, 4 ... 30 minutes after a failure (queue-figures.ts). A mail that the server refuses for good is given up,
   * and stays for admins to see.
   */
  async function postpone(mail: QueuedMail, error: unknown): Promise<void> {
    const { id, template, attempts } = mail;
    const isFinal = attempts >= MAX_ATTEMPTS || isPermanent(error);
    log.error({ err: error, template, attempts, isFinal }, 'a mail could not be sent');
    if (isFinal) {
      await database.query(
        `update private.mail_queue set last_error = $2, failed_at = now(), next_attempt_at = 'infinity' where id = $1`,
        [id, messageOf(error)],
      );
    } else {
      await database.query(
        'update private.mail_queue set last_error = $2, next_attempt_at = now() + make_interval(mins => $3::int) where id = $1',
        [id, messageOf(error), Math.min(2 ** (attempts - 1), MAX_WAIT_MINUTES)],
      );
    }
  }

  return async () => {
    const { rows } = await database.query<QueuedMail>(
      `update private.mail_queue set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $1::int)
       where id = (
         select id from private.mail_queue where next_attempt_at <= now() order by id limit 1 for update skip locked
       ) returning id, recipient, template, variables, attempts,
         left(encode(sha256(convert_to(id || ' ' || extract(epoch from created_at), 'UTF8')), 'hex'), 32) as key`,
      [CLAIM_SECONDS],
    );
    const [mail] = rows;
    if (!mail) return false;
    try {
      await send(mail);
    } catch (error) {
      await postpone(mail, error);
      return true;
    }
    await database.query('delete from private.mail_queue where id = $1', [mail.id]);
    return true;
  };
}

/** Returns the link of an invitation that SQL queued: it signs in, or opens the page for a person with an account. */
function invitationLink(siteUrl: string, { RedirectTo, TokenHash }: MailVariables): string | undefined {
  if (!RedirectTo?.startsWith('/')) return undefined;
  if (!TokenHash) return `${siteUrl}${mailedPath(RedirectTo)}`;
  const query = new URLSearchParams({ token_hash: TokenHash, type: 'invite', redirect_to: `${siteUrl}${RedirectTo}` });
  return `${siteUrl}/auth/confirm?${query}`;
}

function isTemplateName(name: string): name is TemplateName {
  return TEMPLATE_NAMES.some((template) => template === name);
}

/** Tells whether this mail is refused for good; a refusal of our sign-in or sender is about all mails, and gets mended. */
function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error && 'responseCode' in error && 'command' in error)) return false;
  return Number(error.responseCode) >= 500 && (error.command === 'RCPT TO' || error.command === 'DATA');
}
