/**
 * POST /resend: resends the confirmation of a sign-up or of a change of address or number. The response is the same for
 * unknown addresses.
 * @see https://github.com/supabase/auth/blob/master/internal/api/resend.go
 */
import { z } from 'zod';
import { UNDELIVERABLE } from '../mail/mail-queue.ts';
import { type AuthCall, type Endpoint, emailField, readBody, validate } from './auth-call.ts';
import { requestEmailChange } from './email-change.ts';
import { authError } from './error-codes.ts';
import { challengeFields, readChallenge } from './flow-states.ts';
import { limitMail } from './limits.ts';
import { sendLink, UNKNOWN_RECIPIENT } from './mails.ts';
import { newToken, onlyPendingSignUp, storeToken } from './one-time-tokens.ts';
import { limitSms, phoneField, requirePhoneProvider, sendCode } from './phone.ts';
import { requestPhoneChange } from './phone-change.ts';
import { findUserByEmail, findUserByPhone } from './users.ts';

const body = z.object({
  type: z.enum(
    ['signup', 'email_change', 'sms', 'phone_change'],
    'Missing one of these types: signup, email_change, sms, phone_change',
  ),
  email: emailField.nullish(),
  phone: z.string().nullish(),
  ...challengeFields,
});

type Fields = z.output<typeof body>;

export const resend: Endpoint = async (call) => {
  const fields = await readBody(call, body);
  const { type, email, phone } = fields;
  if (email && phone) throw authError('validation_failed', 'Only an email address or phone number should be provided.');
  const isPhone = type === 'sms' || type === 'phone_change';
  if (isPhone && phone) await resendToPhone(call, type, phone);
  else if (!isPhone && email) await resendToEmail(call, email, fields);
  else {
    throw authError('validation_failed', `Type provided requires ${isPhone ? 'a phone number' : 'an email address'}`);
  }
  return Response.json({});
};

async function resendToEmail(call: AuthCall, email: string, fields: Fields): Promise<void> {
  const challenge = readChallenge(fields);
  await limitMail(call, email);
  call.auth.runInBackground(() =>
    call.auth.database.transaction(async (tx) => {
      const user = await findUserByEmail(tx, email);
      if (fields.type === 'signup') {
        const account = user && !user.email_confirmed_at ? user : UNKNOWN_RECIPIENT;
        const pendingSignUp = await onlyPendingSignUp(tx, account.id);
        await sendLink(tx, call, account, 'signup', challenge, pendingSignUp);
      } else {
        const newEmail = user?.email_change || UNDELIVERABLE;
        await requestEmailChange(tx, call, user?.email_change ? user : UNKNOWN_RECIPIENT, newEmail, challenge);
      }
    }),
  );
}

/** A `phone_change` request contains the current number, but the code is sent to the new number. */
async function resendToPhone(call: AuthCall, type: 'sms' | 'phone_change', rawPhone: string): Promise<void> {
  requirePhoneProvider(call);
  const phone = validate(phoneField, rawPhone);
  await limitSms(call, phone);
  call.auth.runInBackground(async () => {
    const message = await call.auth.database.transaction(async (tx) => {
      const user = await findUserByPhone(tx, phone);
      if (type === 'phone_change') {
        const newPhone = user?.phone_change || phone;
        const code = await requestPhoneChange(tx, user?.phone_change ? user.id : UNKNOWN_RECIPIENT.id, newPhone);
        return { to: user?.phone_change ? code && newPhone : undefined, code: code ?? '' };
      }
      const account = user && !user.phone_confirmed_at ? user : UNKNOWN_RECIPIENT;
      const pendingSignUp = await onlyPendingSignUp(tx, account.id);
      const token = newToken();
      await storeToken(tx, token, { userId: account.id, type: 'confirmation_token', recipient: phone, pendingSignUp });
      return { to: account === UNKNOWN_RECIPIENT ? undefined : phone, code: token.code };
    });
    await sendCode(call, message.to, message.code, 'sms');
  });
}
