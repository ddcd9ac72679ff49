/**
 * POST /otp: mails a magic link with a code. An address without an account gets one, unless `create_user` is false; the
 * answer is the same either way.
 */
import { z } from 'zod';
import { audit } from './audit-log.ts';
import { type Endpoint, emailField, metadataField, readBody } from './auth-call.ts';
import { authError } from './error-codes.ts';
import { challengeFields, readChallenge } from './flow-states.ts';
import { limitMail } from './limits.ts';
import { sendLink } from './mails.ts';
import { findUserByEmail, insertUser } from './users.ts';

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
  const { limits, database } = call.auth;
  if (fields.create_user) await limits.signUpPerAddress.consume(call.address);
  await limitMail(limits, call.address, email);
  call.auth.afterwards(() =>
    database.transaction(async (tx) => {
      const known = await findUserByEmail(tx, email);
      if (!known && !fields.create_user) return;
      const user =
        known ?? (await insertUser(tx, { email, encryptedPassword: null, confirmed: false, userMetadata: data ?? {} }));
      await sendLink(tx, call, user, 'magiclink', challenge);
      await audit(tx, 'user_recovery_requested', { id: user.id, email }, call.address);
    }),
  );
  return Response.json({});
};
