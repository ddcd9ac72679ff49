/** Sends mails through SMTP_URL. If it is not set, writes them to DATA_DIR/outbox and logs the file names. */
import { createTransport } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { writeToOutbox } from './outbox.ts';

export interface Mail {
  /** Unique per mail, but the same for each attempt. Mailboxes then hide a duplicate if the mail was sent twice. */
  key: string;
  /** A bare address. */
  to: string;
  /** Bare address for replies. Defaults to the sender. */
  replyTo?: string | undefined;
  /** URL that unsubscribes on POST (RFC 8058), and shows a confirmation page on GET. */
  unsubscribeUrl?: string | undefined;
  subject: string;
  html: string;
  text: string;
  /** An inline image, referenced by `cid:` in the HTML. */
  picture?: { id: string; png: Buffer } | undefined;
  /** An iCalendar invitation. */
  calendar?: { method: string; content: string } | undefined;
}

export interface Mailer {
  /**
   * @throws Error if the mail server rejects the mail. Its `responseCode` is the SMTP status. 500 and above are
   * permanent failures
   */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** @param senderName returns the name in From, unless MAIL_FROM is set. Called for each mail */
export function createMailer(config: Config, log: Logger, senderName: () => Promise<string>): Mailer {
  const host = config.SITE_URL ? new URL(config.SITE_URL).hostname : 'localhost';
  const compose = async (mail: Mail) => ({
    messageId: `<${mail.key}@${host}>`,
    from: config.MAIL_FROM ?? { name: await senderName(), address: `no-reply@${host}` },
    // An object, because nodemailer would split a string at commas into several recipients.
    to: { name: '', address: requireOneLine(mail.to) },
    subject: requireOneLine(mail.subject),
    html: mail.html,
    text: mail.text,
    ...(mail.replyTo ? { replyTo: { name: '', address: requireOneLine(mail.replyTo) } } : {}),
    ...(mail.unsubscribeUrl
      ? {
          headers: {
            'List-Unsubscribe': `<${requireOneLine(mail.unsubscribeUrl)}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          },
        }
      : {}),
    ...(mail.picture
      ? {
          attachments: [
            {
              filename: 'logo.png',
              cid: mail.picture.id,
              content: mail.picture.png,
              contentDisposition: 'inline' as const,
            },
          ],
        }
      : {}),
    ...(mail.calendar ? { icalEvent: { filename: 'call.ics', ...mail.calendar } } : {}),
  });
  if (!config.SMTP_URL) {
    return {
      async send(mail) {
        const message = await new MailComposer(await compose(mail)).compile().build();
        const file = await writeToOutbox(config.DATA_DIR, mail.to, 'eml', message);
        log.info(`Mail to ${mail.to}: ${file}`);
      },
      close: () => undefined,
    };
  }
  const transport = createTransport(config.SMTP_URL, { disableFileAccess: true, disableUrlAccess: true });
  return {
    async send(mail) {
      await transport.sendMail(await compose(mail));
    },
    close: () => transport.close(),
  };
}

/** Rejects a line break, which would inject a header. */
function requireOneLine(text: string): string {
  if (/[\r\n\0]/.test(text)) throw new Error('An address or subject must not contain line breaks');
  return text;
}
