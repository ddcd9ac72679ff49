/** Codes by text message. Each message costs the site owner money, so the limits are stricter than for email. */
import { z } from 'zod';
import type { SmsChannel } from '../mail/sms.ts';
import type { AuthCall } from './auth-call.ts';
import { authError } from './error-codes.ts';

/** Numbers are compared and stored without the plus sign and spaces. */
export function plainPhone(phone: string): string {
  return phone.replace(/^\+/, '').replaceAll(' ', '');
}

/**
 * Parses a phone number in a request body. Accepts E.164 with or without the plus sign, and returns it without.
 * @see https://github.com/supabase/auth/blob/master/internal/api/phone.go
 */
export const phoneField = z
  .string()
  .max(100)
  .transform(plainPhone)
  .pipe(z.string().regex(/^[1-9]\d{1,14}$/, 'Invalid phone number format (E.164 required)'));

export const channelField = z.string().max(20).nullish();

/** @throws ApiError 400 validation_failed for an unsupported channel */
export function requireChannel({ auth }: AuthCall, channel: string | null | undefined): SmsChannel {
  const requestedChannel = channel || 'sms';
  const supported = auth.sms.channels.find((name) => name === requestedChannel);
  if (supported) return supported;
  throw authError(
    'validation_failed',
    "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider.",
  );
}

/** @throws ApiError 400 phone_provider_disabled */
export function requirePhoneProvider({ auth }: AuthCall, message?: string): void {
  if (!auth.config.AUTH_PHONE) throw authError('phone_provider_disabled', message);
}

/** Counts a message for the caller's IP address, the number and the site. @throws ApiError 429 over_sms_send_rate_limit */
export async function limitSms(call: AuthCall, phone: string): Promise<void> {
  const { smsPerAddress, smsPerNumber, smsTotal } = call.auth.limits;
  await smsPerAddress.consume(call.address);
  await smsPerNumber.consume(call, phone);
  await smsTotal.consume('');
}

/**
 * Sends a code that the caller has stored and counted (`limitSms`). Do not call it inside a transaction, because the
 * provider may be slow.
 * @param phone E.164 without the plus sign; undefined if there is no such account, so that no message is sent
 * @returns the provider's id of the message, or ''
 * @throws ApiError 422 sms_send_failed; the reason is logged
 */
export async function sendCode(
  call: AuthCall,
  phone: string | undefined,
  code: string,
  channel: SmsChannel,
): Promise<string> {
  const { sms, log } = call.auth;
  const text = `Your ${await call.auth.readSenderName()} code is ${code}. Do not share it.`;
  if (!phone) return '';
  try {
    return await sms.send({ to: phone, text, channel });
  } catch (error) {
    log.error({ err: error, channel }, 'a text message could not be sent');
    throw authError('sms_send_failed');
  }
}
