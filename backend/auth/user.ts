/** GET and PUT /user: the account of the bearer token, and its changes. */
import { z } from 'zod';
import { audit } from './audit-log.ts';
import { type Endpoint, emailField, metadataField, readBody, requireUser } from './auth-call.ts';
import { requestEmailChange } from './email-change.ts';
import { authError } from './error-codes.ts';
import { challengeFields, readChallenge } from './flow-states.ts';
import { limitCode, limitMail } from './limits.ts';
import { hashOf, redeemToken } from './one-time-tokens.ts';
import { hashPassword, requireStrongPassword, verifyPassword } from './passwords.ts';
import { readUser, userJson } from './users.ts';

const body = z.object({
  email: emailField.nullish(),
  phone: z.string().nullish(),
  password: z.string().max(1000).nullish(),
  /** The code of GET /reauthenticate. */
  nonce: z.string().max(100).nullish(),
  data: metadataField,
  ...challengeFields,
});

export const getUser: Endpoint = async (call) => {
  const { user } = await requireUser(call);
  return Response.json(userJson(user));
};

export const updateUser: Endpoint = async (call) => {
  const { user, sessionId } = await requireUser(call);
  const fields = await readBody(call, body);
  const { email, phone, password, nonce, data } = fields;
  const { database, limits } = call.auth;
  const challenge = readChallenge(fields);
  if (phone) throw authError('phone_provider_disabled');
  const newEmail = email && email !== user.email ? email : undefined;
  if (newEmail) await limitMail(limits, call.address, newEmail);

  let encryptedPassword: string | undefined;
  if (password) {
    requireStrongPassword(password);
    if (nonce) {
      await limitCode(limits, call.address, user.email ?? '');
      const used = await redeemToken(database, hashOf(user.email ?? '', nonce), ['reauthentication_token']);
      if (used?.userId !== user.id) throw authError('reauthentication_not_valid');
    }
    if (await verifyPassword(password, user.encrypted_password)) throw authError('same_password');
    encryptedPassword = await hashPassword(password);
  }

  const updated = await database.transaction(async (tx) => {
    const actor = { id: user.id, email: user.email ?? '' };
    if (encryptedPassword) {
      await tx.query('update auth.users set encrypted_password = $2, updated_at = now() where id = $1', [
        user.id,
        encryptedPassword,
      ]);
      // Whoever else is signed in knew the old password.
      await tx.query('delete from auth.sessions where user_id = $1 and id <> $2', [user.id, sessionId]);
      await audit(tx, 'user_updated_password', actor, call.address);
    }
    if (data) {
      // Keys set to null are removed, the others are added to what is there.
      await tx.query(
        `update auth.users set updated_at = now(),
           raw_user_meta_data = (coalesce(raw_user_meta_data, '{}') || $2::jsonb) - $3::text[] where id = $1`,
        [user.id, data, Object.keys(data).filter((key) => data[key] === null)],
      );
    }
    if (newEmail) await requestEmailChange(tx, call, user, newEmail, challenge);
    await audit(tx, 'user_modified', actor, call.address);
    return readUser(tx, user.id);
  });
  return Response.json(userJson(updated));
};
