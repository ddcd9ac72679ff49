/** POST /resend: mails the confirmation of a sign-up or of a change of address once more. */
import { z } from 'zod';
import { UNDELIVERED } from '../mail/mail-queue.ts';
import { type Endpoint, emailField, readBody } from './auth-call.ts';
import { requestEmailChange } from './email-change.ts';
import { authError } from './error-codes.ts';
import { challengeFields, readChallenge } from './flow-states.ts';
import { limitMail } from './limits.ts';
import { NOBODY, sendLink } from './mails.ts';
import { onlySignUpWish } from './one-time-tokens.ts';
import { findUserByEmail } from './users.ts';

const body = z.object({
  type: z.enum(['signup', 'email_change', 'sms', 'phone_change'], 'Missing one of these types: signup, email_change'),
  email: emailField.nullish(),
  phone: z.string().nullish(),
  ...challengeFields,
});

export const resend: Endpoint = async (call) => {
  const fields = await readBody(call, body);
  const { type, email, phone } = fields;
  if (phone || type === 'sms' || type === 'phone_change') throw authError('phone_provider_disabled');
  if (!email) throw authError('validation_failed', 'Type provided requires an email address');
  const challenge = readChallenge(fields);
  await limitMail(call, email);
  call.auth.afterwards(() =>
    call.auth.database.transaction(async (tx) => {
      const user = await findUserByEmail(tx, email);
      if (type === 'signup') {
        const account = user && !user.email_confirmed_at ? user : NOBODY;
        const wish = await onlySignUpWish(tx, account.id);
        await sendLink(tx, call, account, 'signup', challenge, wish);
      } else {
        const newEmail = user?.email_change || UNDELIVERED;
        await requestEmailChange(tx, call, user?.email_change ? user : NOBODY, newEmail, challenge);
      }
    }),
  );
  return Response.json({});
};
