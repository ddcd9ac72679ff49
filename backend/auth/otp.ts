/**
 * POST /otp: mails a magic link with a code. An address without an account gets one, unless `create_user` is false or
 * nobody may sign up; the answer is the same either way.
 */
import { z } from 'zod';
import { audit } from './audit-log.ts';
import { type Endpoint, emailField, metadataField, readBody } from './auth-call.ts';
import { authError } from './error-codes.ts';
import { challengeFields, readChallenge } from './flow-states.ts';
import { limitMail } from './limits.ts';
import { NOBODY, sendLink } from './mails.ts';
import { ensureUser, findUserByEmail } from './users.ts';

const body = z.object({
  email: emailField.nullish(),
  phone: z.string().nullish(),
  create_user: z.boolean().default(true),
  data: metadataField,
  ...challengeFields,
});

export const otp: Endpoint = async (call) => {
  const fields = await readBody(call, body);
  const { email, phone, data } = fields;
  if (!email) {
    throw phone
      ? authError('phone_provider_disabled')
      : authError('validation_failed', 'One of email or phone must be set');
  }
  const challenge = readChallenge(fields);
  const { limits, database, config } = call.auth;
  const mayCreate = fields.create_user && config.AUTH_SIGNUPS;
  if (mayCreate) await limits.signUpPerAddress.consume(call.address);
  await limitMail(call, email);
  call.auth.afterwards(() =>
    database.transaction(async (tx) => {
      const user = mayCreate ? await ensureUser(tx, email) : await findUserByEmail(tx, email);
      // Data of a sign-up counts once its mail is confirmed, and never for an account that is.
      const wish = data && !user?.email_confirmed_at ? { encryptedPassword: null, userMetadata: data } : undefined;
      const account = user ?? NOBODY;
      await sendLink(tx, call, account, 'magiclink', challenge, wish);
      await audit(tx, 'user_recovery_requested', { id: account.id, email: account.email ?? '' }, call.address);
    }),
  );
  return Response.json({});
};
