/**
 * POST /otp: mails a magic link with a code, or sends a code to a phone. An account is created for a new address,
 * unless `create_user` is false or sign-ups are off. The response is the same in all cases.
 */
import { z } from 'zod';
import type { Queryable } from '../database/database.ts';
import type { SmsChannel } from '../mail/sms.ts';
import { audit } from './audit-log.ts';
import { type AuthCall, type Endpoint, emailField, metadataField, readBody, validate } from './auth-call.ts';
import { authError } from './error-codes.ts';
import { challengeFields, readChallengeWithSession } from './flow-states.ts';
import { limitMail } from './limits.ts';
import { sendLink, UNKNOWN_RECIPIENT } from './mails.ts';
import { newToken, type PendingSignUp, storeToken } from './one-time-tokens.ts';
import { channelField, limitSms, phoneField, requireChannel, requirePhoneProvider, sendCode } from './phone.ts';
import { countSignUp } from './sign-up-limit.ts';
import { type Address, ensureUser, findUserByAddress, type UserRow } from './users.ts';

const body = z.object({
  email: emailField.nullish(),
  phone: z.string().nullish(),
  create_user: z.boolean().default(true),
  channel: channelField,
  data: metadataField,
  ...challengeFields,
});

type Fields = z.output<typeof body>;

export const otp: Endpoint = async (call) => {
  const fields = await readBody(call, body);
  const { email, phone } = fields;
  if (email && phone) throw authError('validation_failed', 'Only an email address or phone number should be provided');
  if (email && fields.channel) throw authError('validation_failed', 'Channel should only be specified with Phone OTP');
  if (email) await mailCode(call, email, fields);
  else if (phone) await textCode(call, phone, fields);
  else throw authError('validation_failed', 'One of email or phone must be set');
  return Response.json({});
};

async function mailCode(call: AuthCall, email: string, fields: Fields): Promise<void> {
  const challenge = await readChallengeWithSession(call, fields);
  await limitSignUp(call, fields);
  await limitMail(call, email);
  call.auth.runInBackground(() =>
    call.auth.database.transaction(async (tx) => {
      const user = await accountFor(call, tx, { email }, fields);
      const account = user ?? UNKNOWN_RECIPIENT;
      await sendLink(tx, call, account, 'magiclink', challenge, buildPendingSignUp(user, fields));
      await audit(tx, 'user_recovery_requested', { id: account.id, email: account.email ?? '' }, call.address);
    }),
  );
}

async function textCode(call: AuthCall, rawPhone: string, fields: Fields): Promise<void> {
  requirePhoneProvider(call, 'Unsupported phone provider');
  const channel = requireChannel(call, fields.channel);
  const phone = validate(phoneField, rawPhone);
  await limitSignUp(call, fields);
  await limitSms(call, phone);
  call.auth.runInBackground(() => sendSignInCode(call, phone, channel, fields));
}

/**
 * If the number is confirmed, the new code replaces the previous one. Codes of several sign-ups are valid at the same
 * time.
 */
async function sendSignInCode(call: AuthCall, phone: string, channel: SmsChannel, fields: Fields): Promise<void> {
  const token = newToken();
  const user = await call.auth.database.transaction(async (tx) => {
    const account = await accountFor(call, tx, { phone }, fields);
    const { id } = account ?? UNKNOWN_RECIPIENT;
    const type = account?.phone_confirmed_at ? 'recovery_token' : 'confirmation_token';
    await storeToken(tx, token, {
      userId: id,
      type,
      recipient: phone,
      pendingSignUp: buildPendingSignUp(account, fields),
    });
    await audit(tx, 'user_recovery_requested', { id, email: account ? phone : '' }, call.address, { channel });
    return account;
  });
  await sendCode(call, user && phone, token.code, channel);
}

function mayCreate(call: AuthCall, fields: Fields): boolean {
  return fields.create_user && call.auth.config.AUTH_SIGNUPS;
}

async function limitSignUp(call: AuthCall, fields: Fields): Promise<void> {
  if (!mayCreate(call, fields)) return;
  await call.auth.limits.signUpPerAddress.consume(call.address);
  // The returned value is not needed, because the code or link always confirms the address.
  await countSignUp(call);
}

function accountFor(call: AuthCall, tx: Queryable, address: Address, fields: Fields): Promise<UserRow | undefined> {
  return mayCreate(call, fields) ? ensureUser(tx, address) : findUserByAddress(tx, address);
}

/** Sign-up data is used when its code or link is redeemed, and never for a confirmed account. */
function buildPendingSignUp(user: UserRow | undefined, { data }: Fields): PendingSignUp | undefined {
  return data && !user?.confirmed_at ? { encryptedPassword: null, userMetadata: data } : undefined;
}
