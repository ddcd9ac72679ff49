/**
 * POST /signup, with an email address or phone number. Without confirmation (the default for email), it returns a
 * session immediately. With confirmation, and during a flood of sign-ups, it sends an email or text message that asks
 * for confirmation. An existing address gets the same response as a new one. Until the confirmation, the account has
 * neither password nor data. Both are stored with the message of the sign-up, so that confirming one sign-up never
 * applies the data of another.
 */
import { z } from 'zod';
import type { Queryable } from '../database/database.ts';
import { isUniqueViolation } from '../database/errors.ts';
import type { SmsChannel } from '../mail/sms.ts';
import { signUpAnonymously } from './anonymous.ts';
import { audit } from './audit-log.ts';
import {
  type AuthCall,
  type Endpoint,
  emailField,
  metadataField,
  readBody,
  requireSignUps,
  validate,
} from './auth-call.ts';
import { authError } from './error-codes.ts';
import { type CodeChallenge, challengeFields, readChallenge } from './flow-states.ts';
import { limitMail } from './limits.ts';
import { sendLink } from './mails.ts';
import { newToken, type PendingSignUp, storeToken } from './one-time-tokens.ts';
import { hashPassword, requireStrongPassword } from './passwords.ts';
import { channelField, limitSms, phoneField, requireChannel, requirePhoneProvider, sendCode } from './phone.ts';
import { openSession, tokenJson } from './sessions.ts';
import { countSignUp } from './sign-up-limit.ts';
import { type Address, addressClaims, ensureUser, findUserByAddress, insertUser, readUser, userJson } from './users.ts';

const body = z.object({
  email: emailField.nullish(),
  phone: z.string().nullish(),
  password: z.string().max(1000).nullish(),
  channel: channelField,
  data: metadataField,
  ...challengeFields,
});

type Fields = z.output<typeof body>;

/** Address of the sign-up, and how it is confirmed. */
type SignUp =
  | { provider: 'email'; address: { email: string }; name: string; challenge: CodeChallenge | undefined }
  | { provider: 'phone'; address: { phone: string }; name: string; channel: SmsChannel };

export const signup: Endpoint = async (call) => {
  const fields = await readBody(call, body);
  if (!fields.email && !fields.phone) return signUpAnonymously(call, fields.data ?? {});
  requireSignUps(call);
  const signUp = readSignUp(call, fields);
  const { provider, address, name } = signUp;
  const { database, limits, config } = call.auth;
  if (!fields.password) throw authError('validation_failed', 'Signup requires a valid password');
  requireStrongPassword(config, fields.password);
  await limits.signUpPerAddress.consume(call.address);
  const requiresConfirmation = provider === 'email' ? config.AUTH_CONFIRM_EMAIL : config.AUTH_CONFIRM_PHONE;
  const mustConfirm = (await countSignUp(call)) || requiresConfirmation;
  if (mustConfirm) await (provider === 'email' ? limitMail : limitSms)(call, name);

  // Hash the password even if the address is taken, so that the response time is the same.
  const encryptedPassword = await hashPassword(fields.password);
  const pendingSignUp = { encryptedPassword, userMetadata: fields.data ?? {} };
  if (!mustConfirm) return signUpWithoutConfirmation(call, signUp, pendingSignUp);

  const existing = await findUserByAddress(database, address);
  if (provider === 'email' ? existing?.email_confirmed_at : existing?.phone_confirmed_at) {
    call.auth.runInBackground(() =>
      audit(database, 'user_repeated_signup', { id: existing?.id ?? '', email: name }, call.address),
    );
    return Response.json(decoyUser(address, pendingSignUp.userMetadata));
  }
  const { user, sendMessage } = await database.transaction(async (tx) => {
    const { id } = await ensureUser(tx, address);
    const sendMessage = await startConfirmation(tx, call, signUp, id, pendingSignUp);
    await audit(tx, 'user_confirmation_requested', { id, email: name }, call.address, { provider });
    return { user: await readUser(tx, id), sendMessage };
  });
  if (sendMessage) call.auth.runInBackground(sendMessage);
  const metadata = { ...pendingSignUp.userMetadata, ...addressClaims(user.id, address, false) };
  return Response.json(userJson({ ...user, raw_user_meta_data: metadata }));
};

/** @throws ApiError 400 validation_failed or phone_provider_disabled */
function readSignUp(call: AuthCall, fields: Fields): SignUp {
  const { email, phone } = fields;
  const challenge = readChallenge(fields);
  if (email && phone) {
    throw authError('validation_failed', 'Only an email address or phone number should be provided on signup.');
  }
  if (email) return { provider: 'email', address: { email }, name: email, challenge };
  requirePhoneProvider(call, 'Phone signups are disabled');
  if (challenge) throw authError('validation_failed', 'PKCE not supported for phone signups');
  const channel = requireChannel(call, fields.channel);
  const number = validate(phoneField, phone ?? '');
  return { provider: 'phone', address: { phone: number }, name: number, channel };
}

async function signUpWithoutConfirmation(
  call: AuthCall,
  { provider, address, name }: SignUp,
  pendingSignUp: PendingSignUp,
): Promise<Response> {
  const { database } = call.auth;
  const confirmed = { isEmailConfirmed: provider === 'email', isPhoneConfirmed: provider === 'phone' };
  const id = crypto.randomUUID();
  const userMetadata = { ...pendingSignUp.userMetadata, ...addressClaims(id, address, true) };
  const account = { id, ...address, ...pendingSignUp, ...confirmed, userMetadata };
  // One transaction, so that account and session have the same start time (isSignUpSession).
  const { user, session } = await database.transaction(async (tx) => {
    const user = await insertUser(tx, account).catch(throwAlreadyRegistered);
    await audit(tx, 'user_signedup', { id: user.id, email: name }, call.address, { provider });
    return { user, session: await openSession(tx, call, user, { method: 'password', provider }) };
  });
  return Response.json(await tokenJson(call, user, session));
}

/**
 * Queues the mail with the link, or stores the code. @returns a function that sends the code, to call after the commit
 */
async function startConfirmation(
  tx: Queryable,
  call: AuthCall,
  signUp: SignUp,
  userId: string,
  pendingSignUp: PendingSignUp,
) {
  if (signUp.provider === 'email') {
    await sendLink(tx, call, { id: userId, email: signUp.name }, 'signup', signUp.challenge, pendingSignUp);
    return undefined;
  }
  const token = newToken();
  await storeToken(tx, token, { userId, type: 'confirmation_token', recipient: signUp.name, pendingSignUp });
  return () => sendCode(call, signUp.name, token.code, signUp.channel);
}

function throwAlreadyRegistered(error: unknown): never {
  if (isUniqueViolation(error)) throw authError('user_already_exists');
  throw error;
}

/** Builds the response for a new, unconfirmed account without identities, as Supabase Auth does. */
function decoyUser(address: Address, data: Record<string, unknown>): Record<string, unknown> {
  const now = new Date().toISOString();
  const id = crypto.randomUUID();
  const [provider] = Object.keys(address);
  return {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email: '',
    phone: '',
    ...address,
    confirmation_sent_at: now,
    app_metadata: { provider, providers: [provider] },
    user_metadata: { ...data, ...addressClaims(id, address, false) },
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
}
