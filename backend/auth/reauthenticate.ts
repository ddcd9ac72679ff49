/** GET /reauthenticate: mails a code that PUT /user takes as `nonce` when the password changes. */
import { enqueueMail } from '../mail/mail-queue.ts';
import { audit } from './audit-log.ts';
import { type Endpoint, requireUser } from './auth-call.ts';
import { authError } from './error-codes.ts';
import { limitMail } from './limits.ts';
import { newToken, storeToken } from './one-time-tokens.ts';

export const reauthenticate: Endpoint = async (call) => {
  const { user } = await requireUser(call);
  const { email } = user;
  if (!email) throw authError('validation_failed', 'Reauthentication requires the user to have an email');
  if (!user.email_confirmed_at) throw authError('email_not_confirmed');
  await limitMail(call, email);
  const token = newToken();
  await call.auth.database.transaction(async (tx) => {
    await storeToken(tx, token, { userId: user.id, type: 'reauthentication_token', email });
    await enqueueMail(tx, email, 'reauthentication', { SiteURL: call.siteUrl, Email: email, Token: token.code });
    await audit(tx, 'user_reauthenticate_requested', { id: user.id, email }, call.address);
  });
  return Response.json({});
};
