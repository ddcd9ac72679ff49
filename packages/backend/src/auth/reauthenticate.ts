/**
 * GET /reauthenticate: sends a code that PUT /user accepts as `nonce`, by mail, or by text message to an account
 * without an email address.
 * @see https://github.com/supabase/auth/blob/master/internal/api/reauthenticate.go
 */
import { enqueueMail } from '../mail/mail-queue.ts';
import { audit } from './audit-log.ts';
import { type AuthCall, type Endpoint, requireUser } from './auth-call.ts';
import { authError } from './error-codes.ts';
import { limitMail } from './limits.ts';
import { newToken, storeToken } from './one-time-tokens.ts';
import { limitSms, sendCode } from './phone.ts';
import type { UserRow } from './users.ts';

export const reauthenticate: Endpoint = async (call) => {
  const { user } = await requireUser(call);
  if (user.email) return mailCode(call, user, user.email);
  if (user.phone) return textCode(call, user, user.phone);
  throw authError('validation_failed', 'Reauthentication requires the user to have an email or a phone number', 422);
};

async function mailCode(call: AuthCall, user: UserRow, email: string): Promise<Response> {
  if (!user.email_confirmed_at) throw authError('email_not_confirmed');
  await limitMail(call, email);
  const token = newToken();
  await call.auth.database.transaction(async (tx) => {
    await storeToken(tx, token, { userId: user.id, type: 'reauthentication_token', recipient: email });
    await enqueueMail(tx, email, 'reauthentication', { SiteURL: call.siteUrl, Email: email, Token: token.code });
    await audit(tx, 'user_reauthenticate_requested', { id: user.id, email }, call.address);
  });
  return Response.json({});
}

async function textCode(call: AuthCall, user: UserRow, phone: string): Promise<Response> {
  if (!user.phone_confirmed_at) throw authError('phone_not_confirmed');
  await limitSms(call, phone);
  const token = newToken();
  await call.auth.database.transaction(async (tx) => {
    await storeToken(tx, token, { userId: user.id, type: 'reauthentication_token', recipient: phone });
    await audit(tx, 'user_reauthenticate_requested', { id: user.id, email: phone }, call.address);
  });
  const id = await sendCode(call, phone, token.code, 'sms');
  return Response.json(id ? { message_id: id } : {});
}
