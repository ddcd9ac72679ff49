/** GET and PUT /user: the account of the bearer token, and its changes. */
import { z } from 'zod';
import { audit } from './audit-log.ts';
import {
  type AuthCall,
  type Endpoint,
  emailField,
  metadataField,
  readBody,
  requireUser,
  type SignedIn,
} from './auth-call.ts';
import { requestEmailChange } from './email-change.ts';
import { authError } from './error-codes.ts';
import { requireSecondFactor } from './factors/factor-rows.ts';
import { challengeFields, readChallenge } from './flow-states.ts';
import { forgetNetworks } from './known-networks.ts';
import { limitMail } from './limits.ts';
import { redeemOtp } from './one-time-tokens.ts';
import { hashPassword, requireStrongPassword, verifyPassword } from './passwords.ts';
import { readUser, userJson } from './users.ts';

const body = z.object({
  email: emailField.nullish(),
  phone: z.string().nullish(),
  password: z.string().max(1000).nullish(),
  /** Either of them shows that the person at the keyboard may change the password; the nonce is from /reauthenticate. */
  current_password: z.string().max(1000).nullish(),
  nonce: z.string().max(100).nullish(),
  data: metadataField,
  ...challengeFields,
});

export const getUser: Endpoint = async (call) => {
  const { user } = await requireUser(call);
  return Response.json(userJson(user));
};

export const updateUser: Endpoint = async (call) => {
  const signedIn = await requireUser(call);
  const { user, sessionId } = signedIn;
  const fields = await readBody(call, body);
  const { email, phone, data } = fields;
  const { database } = call.auth;
  const challenge = readChallenge(fields);
  if (user.is_sso_user && (fields.password || fields.nonce || phone || (email && email !== user.email))) {
    throw authError('user_sso_managed');
  }
  if (phone) throw authError('phone_provider_disabled');
  if (fields.password || (email && email !== user.email)) {
    requireSecondFactor(signedIn, 'AAL2 session is required to update email or password when MFA is enabled.', 401);
  }
  const newEmail = email && email !== user.email ? email : undefined;
  if (newEmail) await limitMail(call, newEmail);
  const encryptedPassword = fields.password ? await newPassword(call, signedIn, fields.password, fields) : undefined;

  const updated = await database.transaction(async (tx) => {
    const actor = { id: user.id, email: user.email ?? '' };
    if (encryptedPassword) {
      await tx.query('update auth.users set encrypted_password = $2, updated_at = now() where id = $1', [
        user.id,
        encryptedPassword,
      ]);
      // Whoever else is signed in knew the old password, and so may whoever was before.
      await tx.query('delete from auth.sessions where user_id = $1 and id <> $2', [user.id, sessionId]);
      await forgetNetworks(tx, user.id, call.address);
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

/**
 * The hash of a new password, once it is clear that the person at the keyboard may set it: whoever finds a browser that
 * somebody is signed in with must not be able to take the account over. A recent sign-in is enough, such as that of a
 * recovery mail, or the present password, or the code of GET /reauthenticate.
 * @throws WeakPasswordError; ApiError 400 current_password_invalid, reauthentication_not_valid or reauthentication_needed,
 *   422 same_password, 429
 */
async function newPassword(
  call: AuthCall,
  { user, isRecent }: SignedIn,
  password: string,
  { current_password: current, nonce }: Pick<z.output<typeof body>, 'current_password' | 'nonce'>,
): Promise<string> {
  const { database, limits, config } = call.auth;
  const email = user.email ?? '';
  requireStrongPassword(config, password);
  if (current) {
    await limits.signInPerAccount.consume(call, email);
    if (!(await verifyPassword(current, user.encrypted_password))) throw authError('current_password_invalid');
    await limits.signInPerAccount.forget(call, email);
  } else if (nonce) {
    await limits.codePerAddress.consume(call.address);
    const used = await redeemOtp(database, email, nonce, ['reauthentication_token']);
    if (used?.userId !== user.id) throw authError('reauthentication_not_valid');
  } else if (config.AUTH_SECURE_PASSWORD_CHANGE && !isRecent) {
    throw authError('reauthentication_needed');
  }
  if (await verifyPassword(password, user.encrypted_password)) throw authError('same_password');
  return hashPassword(password);
}
