/** GET and PUT /user: the account of the bearer token, and its changes. */
import { z } from 'zod';
import type { Queryable } from '../database/database.ts';
import type { SmsChannel } from '../mail/sms.ts';
import { audit } from './audit-log.ts';
import {
  type AuthCall,
  type Endpoint,
  emailField,
  metadataField,
  readBody,
  requireUser,
  type SignedIn,
  validate,
} from './auth-call.ts';
import { requestEmailChange, setConfirmedEmail } from './email-change.ts';
import { authError } from './error-codes.ts';
import { requireSecondFactor } from './factors/factor-rows.ts';
import { type CodeChallenge, challengeFields, readChallenge } from './flow-states.ts';
import { deleteKnownNetworks } from './known-networks.ts';
import { limitMail } from './limits.ts';
import { userForScopes } from './oauth/server.ts';
import { redeemOtp } from './one-time-tokens.ts';
import { hashPassword, requireStrongPassword, verifyPassword } from './passwords.ts';
import { channelField, limitSms, phoneField, requireChannel, requirePhoneProvider, sendCode } from './phone.ts';
import { completePhoneChange, requestPhoneChange } from './phone-change.ts';
import { requireMetadataFits } from './user-metadata.ts';
import { readUser, throwAddressTaken, type UserRow, userJson } from './users.ts';
import { hasNoVerifiedAddress, isSignUpSession, recordVerifiedAddress } from './verified-addresses.ts';

const body = z.object({
  email: emailField.nullish(),
  phone: z.string().nullish(),
  channel: channelField,
  password: z.string().max(1000).nullish(),
  /** Required for a new password: the current one, or the code of /reauthenticate as nonce. */
  current_password: z.string().max(1000).nullish(),
  nonce: z.string().max(100).nullish(),
  data: metadataField,
  ...challengeFields,
});

type Fields = z.output<typeof body>;

export const getUser: Endpoint = async (call) => {
  const { user, client } = await requireUser(call, { allowsClients: true });
  return Response.json(userJson(client ? userForScopes(user, client.scopes) : user));
};

export const updateUser: Endpoint = async (call) => {
  const signedIn = await requireUser(call);
  const { user, sessionId } = signedIn;
  const fields = await readBody(call, body);
  const { email, data } = fields;
  const { database, config } = call.auth;
  const challenge = readChallenge(fields);
  const newEmail = email && email !== user.email ? email : undefined;
  const newPhone = await readNewPhone(call, user, fields);
  if (user.is_sso_user && (fields.password || fields.nonce || newEmail || newPhone))
    throw authError('user_sso_managed');
  if (fields.password || newEmail || newPhone) {
    requireSecondFactor(signedIn, 'AAL2 session is required to update email or password when MFA is enabled.', 401);
  }
  requireAddress(user, fields.password, newEmail || newPhone);
  if (newEmail) await limitMail(call, newEmail);
  if (newPhone && !newPhone.skipsCode) await limitSms(call, newPhone.phone);
  if (fields.password) requireStrongPassword(config, fields.password);
  const changes = { password: Boolean(fields.password), email: Boolean(newEmail), phone: Boolean(newPhone) };
  if (isTakeover(user, changes)) await requireReauthentication(call, signedIn, fields);
  const encryptedPassword = fields.password ? await newPassword(user, fields.password) : undefined;

  const updatedUser = await database
    .transaction(async (tx) => {
      const actor = { id: user.id, email: user.email ?? '' };
      if (encryptedPassword) {
        await tx.query('update auth.users set encrypted_password = $2, updated_at = now() where id = $1', [
          user.id,
          encryptedPassword,
        ]);
        // Other sessions used the old password and may belong to an attacker.
        await tx.query('delete from auth.sessions where user_id = $1 and id <> $2', [user.id, sessionId]);
        await deleteKnownNetworks(tx, user.id, call.address);
        await audit(tx, 'user_updated_password', actor, call.address);
      }
      if (data) {
        // Keys set to null are removed. Other keys are merged.
        await tx.query(
          `update auth.users set updated_at = now(),
           raw_user_meta_data = (coalesce(raw_user_meta_data, '{}') || $2::jsonb) - $3::text[] where id = $1`,
          [user.id, data, Object.keys(data).filter((key) => data[key] === null)],
        );
        requireMetadataFits(user, await readUser(tx, user.id));
      }
      if (newEmail) await changeEmail(tx, call, user, newEmail, challenge);
      const sendMessage = newPhone && (await changePhone(tx, call, user, newPhone));
      await audit(tx, 'user_modified', actor, call.address);
      return { row: await readUser(tx, user.id), sendMessage };
    })
    .catch(throwAddressTaken);
  if (updatedUser.sendMessage) call.auth.runInBackground(updatedUser.sendMessage);
  return Response.json(userJson(updatedUser.row));
};

/**
 * @throws ApiError 422 validation_failed for a password on an anonymous account, which has no address to sign in with
 */
function requireAddress(user: UserRow, password: unknown, newAddress: unknown): void {
  if (!user.is_anonymous || !password || newAddress) return;
  const message = 'Updating password of an anonymous user without an email or phone is not allowed';
  throw authError('validation_failed', message, 422);
}

/**
 * The first address of an anonymous account is treated as a sign-up: it needs no confirmation if sign-ups need none.
 */
async function changeEmail(
  tx: Queryable,
  call: AuthCall,
  user: UserRow,
  email: string,
  challenge: CodeChallenge | undefined,
): Promise<void> {
  if (!user.is_anonymous || call.auth.config.AUTH_CONFIRM_EMAIL) {
    await requestEmailChange(tx, call, user, email, challenge);
    return;
  }
  await setConfirmedEmail(tx, user.id, email);
}

interface NewPhone {
  phone: string;
  channel: SmsChannel;
  /** True if no code is required, because sign-ups need none and the account has no verified address yet. */
  skipsCode: boolean;
}

/** @throws ApiError 400 phone_provider_disabled or validation_failed */
async function readNewPhone(
  call: AuthCall,
  user: UserRow,
  { phone: rawPhone, channel }: Fields,
): Promise<NewPhone | undefined> {
  if (!rawPhone) return undefined;
  requirePhoneProvider(call);
  const phone = validate(phoneField, rawPhone);
  if (phone === user.phone) return undefined;
  const isUnverified = user.is_anonymous || (await hasNoVerifiedAddress(call.auth.database, user));
  const skipsCode = !call.auth.config.AUTH_CONFIRM_PHONE && isUnverified;
  return { phone, channel: requireChannel(call, channel), skipsCode };
}

/** Changes the number, or stores the code. @returns a function that sends the code, to call after the commit */
async function changePhone(tx: Queryable, call: AuthCall, user: UserRow, newPhone: NewPhone) {
  const { phone, channel, skipsCode } = newPhone;
  const code = await requestPhoneChange(tx, user.id, phone);
  if (!skipsCode) return () => sendCode(call, code && phone, code ?? '', channel);
  await completePhoneChange(tx, user.id);
  return undefined;
}

/**
 * Returns whether an attacker could take the account over with this change: a new password, or a new address to sign in
 * with. A new email address is no risk if the old one must also confirm the change. An anonymous account has no
 * credentials to take over.
 */
function isTakeover(user: UserRow, changes: { password: boolean; email: boolean; phone: boolean }): boolean {
  if (user.is_anonymous) return false;
  return changes.password || changes.phone || (changes.email && !user.email);
}

/**
 * Protects an account from an attacker who finds the user's browser signed in. Requires a recent sign-in (such as by a
 * recovery mail), the current password, or the code of GET /reauthenticate.
 * @throws ApiError 400 current_password_invalid, reauthentication_not_valid or reauthentication_needed, 429
 */
async function requireReauthentication(
  call: AuthCall,
  { user, sessionId, isRecent }: SignedIn,
  fields: Fields,
): Promise<void> {
  const { current_password: currentPassword, nonce, password } = fields;
  const { database, limits, config } = call.auth;
  const name = user.email || user.phone || '';
  if (currentPassword) {
    await limits.signInPerAccount.consume(call, name);
    if (!(await verifyPassword(currentPassword, user.encrypted_password))) throw authError('current_password_invalid');
    await limits.signInPerAccount.reset(call, name);
  } else if (nonce) {
    await limits.codePerAddress.consume(call.address);
    const token = await redeemOtp(database, name, nonce, ['reauthentication_token']);
    if (token?.userId !== user.id) throw authError('reauthentication_not_valid');
    if (await isSignUpSession(database, user.id, sessionId))
      await recordVerifiedAddress(database, user.id, token.recipient);
  } else if (config.AUTH_SECURE_PASSWORD_CHANGE && !isRecent) {
    throw authError(
      'reauthentication_needed',
      password ? undefined : 'A new phone number or first email address requires reauthentication',
    );
  }
}

/** Hashes a new password. @throws ApiError 422 same_password */
async function newPassword(user: UserRow, password: string): Promise<string> {
  if (await verifyPassword(password, user.encrypted_password)) throw authError('same_password');
  return hashPassword(password);
}
