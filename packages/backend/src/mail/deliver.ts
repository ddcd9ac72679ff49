/**
 * Sends the mails in private.mail_queue: immediately when a mail is queued, and again after a failure of the mail
 * server.
 */
import type { Logger } from 'pino';
import type { MailRenderer } from '../application.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { messageOf } from '../database/errors.ts';
import { type Job, POLL_INTERVAL_MS } from '../jobs/jobs.ts';
import type { SiteOrigin } from '../site-origin.ts';
import { RETENTION_DAYS } from './clean-up.ts';
import { type QueuedMail, UNDELIVERABLE } from './mail-queue.ts';
import { createMailer, type Mailer } from './mailer.ts';

/** Maximum wait between two attempts. */
const MAX_WAIT_MINUTES = 30;
/**
 * Number of attempts within four days. RFC 5321 (4.5.4.1) recommends four to five days, so that problems on a weekend
 * can be fixed on Monday.
 */
const MAX_ATTEMPTS = 200;

/** Seconds until a mail is retried if its process crashed while sending it. */
const CLAIM_SECONDS = 300;

interface DueMail extends QueuedMail {
  id: number;
  key: string;
  attempts: number;
}

interface DeliveryDependencies {
  config: Config;
  log: Logger;
  origin: SiteOrigin;
}

/** Creates the job that sends queued mails one after the other. */
export function mailJob(
  database: Database,
  { config, log, origin }: DeliveryDependencies,
  { render, readSenderName }: { render: MailRenderer; readSenderName: () => Promise<string> },
): Job {
  const mailer = createMailer(config, log, readSenderName);
  const sendNext = createSender({ database, origin, log, mailer, render });
  return {
    name: 'send mails',
    channels: ['mail_queued'],
    run: async () => ((await sendNext()) ? 0 : POLL_INTERVAL_MS),
    close: () => mailer.close(),
  };
}

interface SenderDependencies extends Omit<DeliveryDependencies, 'config'> {
  database: Database;
  mailer: Mailer;
  render: MailRenderer;
}

/** @returns a function that sends the next due mail. It returns false if no mail is due */
function createSender({ database, origin, log, mailer, render }: SenderDependencies): () => Promise<boolean> {
  async function send({ key, recipient, template, variables }: DueMail): Promise<void> {
    const rendered = await render({ recipient, template, variables }, variables.SiteURL ?? String(origin));
    if (rendered && recipient !== UNDELIVERABLE) await mailer.send({ key, to: recipient, ...rendered });
  }

  /**
   * Waits 1, 2, 4 ... 30 minutes after a failure (queue-metrics.ts). Keeps a permanently rejected mail, so that admins
   * can see it.
   */
  async function postpone(mail: DueMail, error: unknown): Promise<void> {
    const { id, template, attempts } = mail;
    const isFinal = attempts >= MAX_ATTEMPTS || isPermanent(error);
    log.error({ err: error, template, attempts, isFinal }, 'an email could not be sent');
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
    const { rows } = await database.query<DueMail>(
      `update private.mail_queue set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $1::int)
       where id = (
         select id from private.mail_queue
         where next_attempt_at <= now() and next_attempt_at > now() - make_interval(days => $2::int)
         order by id limit 1 for update skip locked
       ) returning id, recipient, template, variables, attempts,
         left(encode(sha256(convert_to(id || ' ' || extract(epoch from created_at), 'UTF8')), 'hex'), 32) as key`,
      [CLAIM_SECONDS, RETENTION_DAYS],
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

/**
 * Returns whether this mail is permanently rejected. A rejected sign-in or sender affects all mails, so they are
 * retried until the owner fixes the settings.
 */
function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error && 'responseCode' in error && 'command' in error)) return false;
  return Number(error.responseCode) >= 500 && (error.command === 'RCPT TO' || error.command === 'DATA');
}
