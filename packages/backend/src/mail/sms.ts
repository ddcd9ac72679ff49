/**
 * Sends text messages through an HTTP API like Twilio's (SMS_ACCOUNT_SID and related settings). If it is not set,
 * writes them to DATA_DIR/outbox and logs the file names.
 * @see https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource
 */
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { writeToOutbox } from './outbox.ts';

export type SmsChannel = 'sms' | 'whatsapp';

interface SmsMessage {
  /** A number as E.164 without the plus sign. */
  to: string;
  text: string;
  channel: SmsChannel;
}

export interface SmsSender {
  /** Name in GET /settings; '' for the outbox. */
  provider: string;
  /** Supported channels. As in Supabase Auth, WhatsApp requires a provider that supports it. */
  channels: readonly SmsChannel[];
  /** @returns the message id of the provider, '' for the outbox @throws Error if the message was not accepted */
  send(message: SmsMessage): Promise<string>;
}

const TIMEOUT_MS = 10_000;

const messageSchema = z.object({ sid: z.string(), status: z.string().nullish(), error_message: z.string().nullish() });
const errorSchema = z.object({ message: z.string() });

export function createSmsSender(config: Config, log: Logger): SmsSender {
  const { SMS_ACCOUNT_SID: account, SMS_AUTH_TOKEN: secret, SMS_FROM: from } = config;
  if (!account || !secret || !from) {
    return {
      provider: '',
      channels: ['sms'],
      async send({ to, text }) {
        log.info(`Message to +${to}: ${await writeToOutbox(config.DATA_DIR, to, 'sms', text)}`);
        return '';
      },
    };
  }
  const url = `${config.SMS_URL}/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${account}:${secret}`).toString('base64')}`;
  return {
    provider: 'twilio',
    channels: ['sms', 'whatsapp'],
    async send({ to, text, channel }) {
      const prefix = channel === 'whatsapp' ? 'whatsapp:' : '';
      // A messaging service chooses the sender, even for WhatsApp.
      const sender = from.startsWith('MG') ? ['MessagingServiceSid', from] : ['From', `${prefix}${from}`];
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams([['To', `${prefix}+${to}`], sender, ['Body', text]]),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        redirect: 'error',
      });
      return readMessageId(response.ok, await response.json());
    },
  };
}

function readMessageId(isOk: boolean, body: unknown): string {
  if (!isOk) throw new Error(errorSchema.safeParse(body).data?.message ?? 'The message was rejected without a reason');
  const { sid, status, error_message: reason } = messageSchema.parse(body);
  if (status === 'failed' || status === 'undelivered') throw new Error(reason ?? 'The message could not be delivered');
  return sid;
}
