/** Sends what waits in private.mail_queue: at once when a mail is queued, and again later when the mail server failed. */
import type { Logger } from 'pino';
import { calendarFile } from '../../supabase/functions/booking-calendar/calendar-file.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { messageOf } from '../database/errors.ts';
import { startQueueWorker } from '../work-queue.ts';
import { cleanUpMailsRegularly } from './clean-up.ts';
import { createLookReader, type MailLook, type ReadUpload } from './mail-look.ts';
import { UNDELIVERED } from './mail-queue.ts';
import { createMailer, type Mailer } from './mailer.ts';
import { siteName } from './site-name.ts';
import type { MailVariables } from './templates.ts';
import { LOGO_ID, renderMail, TEMPLATE_NAMES, type TemplateName } from './templates.ts';

const MAX_ATTEMPTS = 8;

/** A copy of the process that dies while it sends leaves the mail to another one after this time, in seconds. */
const CLAIM_SECONDS = 300;

interface QueuedMail {
  id: number;
  recipient: string;
  template: string;
  variables: MailVariables;
  attempts: number;
}

export interface MailDelivery {
  /** Stops after the mail that is being sent. */
  stop(): Promise<void>;
}

/** `readUpload` answers for public files of the storage, of which the logo is one. */
export async function startMailDelivery(
  database: Database,
  config: Config,
  log: Logger,
  readUpload: ReadUpload,
): Promise<MailDelivery> {
  const mailer = createMailer(config, log, () => siteName(database));
  const stopCleaning = await cleanUpMailsRegularly(database, config, log);
  const worker = await startQueueWorker(database, log, {
    channel: 'mail_queued',
    doNext: createSender({ database, config, log, mailer, readLook: createLookReader(database, readUpload) }),
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

interface SenderParts {
  database: Database;
  config: Config;
  log: Logger;
  mailer: Mailer;
  readLook: () => Promise<MailLook>;
}

/** @returns what sends the next mail that is due; false when there is none */
function createSender({ database, config, log, mailer, readLook }: SenderParts): () => Promise<boolean> {
  async function send({ recipient, template, variables }: QueuedMail): Promise<void> {
    if (!isTemplateName(template)) throw new Error(`There is no mail template ${template}`);
    const siteUrl = variables.SiteURL ?? config.SITE_URL ?? `http://localhost:${config.PORT}`;
    const look = await readLook();
    const rendered = await renderMail(template, { ...variables, SiteURL: siteUrl }, look);
    const picture = look.logo ? { id: LOGO_ID, png: look.logo.png } : undefined;
    const { ReplyTo: replyTo, UnsubscribeToken, Calendar, Token } = variables;
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
      await mailer.send({ to: recipient, replyTo, unsubscribeUrl, calendar, picture, ...rendered });
  }

  /** Waits longer after each failure: 1, 2, 4 ... minutes. A mail that the server refuses for good is dropped. */
  async function postpone(mail: QueuedMail, error: unknown): Promise<void> {
    const { id, template, attempts } = mail;
    const isFinal = attempts >= MAX_ATTEMPTS || isPermanent(error);
    log.error({ err: error, template, attempts, isFinal }, 'a mail could not be sent');
    if (isFinal) await database.query('delete from private.mail_queue where id = $1', [id]);
    else {
      await database.query(
        'update private.mail_queue set last_error = $2, next_attempt_at = now() + make_interval(mins => $3::int) where id = $1',
        [id, messageOf(error), 2 ** (attempts - 1)],
      );
    }
  }

  return async () => {
    const { rows } = await database.query<QueuedMail>(
      `update private.mail_queue set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $1::int)
       where id = (
         select id from private.mail_queue where next_attempt_at <= now() order by id limit 1 for update skip locked
       ) returning id, recipient, template, variables, attempts`,
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

function isTemplateName(name: string): name is TemplateName {
  return TEMPLATE_NAMES.some((template) => template === name);
}

function isPermanent(error: unknown): boolean {
  return error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= 500;
}
