/** POST /resend: mails the confirmation of a sign-up or of a change of address once more. */
import { z } from 'zod';
import { type Endpoint, emailField, readBody } from './auth-call.ts';
import { requestEmailChange } from './email-change.ts';
import { authError } from './error-codes.ts';
import { challengeFields, readChallenge } from './flow-states.ts';
import { limitMail } from './limits.ts';
import { sendLink } from './mails.ts';
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
  await limitMail(call.auth.limits, call.address, email);
  call.auth.afterwards(() =>
    call.auth.database.transaction(async (tx) => {
      const user = await findUserByEmail(tx, email);
      if (type === 'signup' && user && !user.email_confirmed_at) await sendLink(tx, call, user, 'signup', challenge);
      if (type === 'email_change' && user?.email_change) {
        await requestEmailChange(tx, call, user, user.email_change, challenge);
      }
    }),
  );
  return Response.json({});
};
