/**
 * POST /signup, with an e-mail address or a phone number. An address that needs no confirmation (the default for
 * e-mail) gets a session at once. Otherwise, and while many sign up, a mail or a text message asks for confirmation
 * first, and an address that has an account already is answered with an account that looks new. Until then the account
 * has neither password nor data: each sign-up's wait with the message that was sent for it, so that confirming one
 * never takes over what a stranger asked for in another.
 */
import { z } from 'zod';
import type { Queryable } from '../database/database.ts';
import { isTaken } from '../database/errors.ts';
import type { SmsChannel } from '../mail/sms.ts';
import { signUpAnonymously } from './anonymous.ts';
import { audit } from './audit-log.ts';
import {
  type AuthCall,
  check,
  type Endpoint,
  emailField,
  metadataField,
  readBody,
  requireSignUps,
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

/** Address that signs up, and how its owner is asked to confirm it. */
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
  const asksEverybody = provider === 'email' ? config.AUTH_CONFIRM_EMAIL : config.AUTH_CONFIRM_PHONE;
  const isConfirming = (await countSignUp(call)) || asksEverybody;
  if (isConfirming) await (provider === 'email' ? limitMail : limitSms)(call, name);

  // Hashed whether or not the address is known, so that both take as long.
  const encryptedPassword = await hashPassword(fields.password);
  const wish = { encryptedPassword, userMetadata: fields.data ?? {} };
  if (!isConfirming) return signUpAtOnce(call, signUp, wish);

  const known = await findUserByAddress(database, address);
  if (provider === 'email' ? known?.email_confirmed_at : known?.phone_confirmed_at) {
    call.auth.runInBackground(() =>
      audit(database, 'user_repeated_signup', { id: known?.id ?? '', email: name }, call.address),
    );
    return Response.json(looksNew(address, wish.userMetadata));
  }
  const { user, sendMessage } = await database.transaction(async (tx) => {
    const { id } = await ensureUser(tx, address);
    const sendMessage = await askForConfirmation(tx, call, signUp, id, wish);
    await audit(tx, 'user_confirmation_requested', { id, email: name }, call.address, { provider });
    return { user: await readUser(tx, id), sendMessage };
  });
  if (sendMessage) call.auth.runInBackground(sendMessage);
  const metadata = { ...wish.userMetadata, ...addressClaims(user.id, address, false) };
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
  const number = check(phoneField, phone ?? '');
  return { provider: 'phone', address: { phone: number }, name: number, channel };
}

async function signUpAtOnce(
  call: AuthCall,
  { provider, address, name }: SignUp,
  wish: PendingSignUp,
): Promise<Response> {
  const { database } = call.auth;
  const confirmed = { emailConfirmed: provider === 'email', phoneConfirmed: provider === 'phone' };
  const id = crypto.randomUUID();
  const userMetadata = { ...wish.userMetadata, ...addressClaims(id, address, true) };
  const account = { id, ...address, ...wish, ...confirmed, userMetadata };
  // One transaction, so that account and session begin at the same time (isSignUpSession).
  const { user, session } = await database.transaction(async (tx) => {
    const user = await insertUser(tx, account).catch(asAlreadyRegistered);
    await audit(tx, 'user_signedup', { id: user.id, email: name }, call.address, { provider });
    return { user, session: await openSession(tx, call, user, { method: 'password', provider }) };
  });
  return Response.json(await tokenJson(call, user, session));
}

/** Queues the mail with the link, or stores the code. @returns what sends the code, once it is committed */
async function askForConfirmation(tx: Queryable, call: AuthCall, signUp: SignUp, userId: string, wish: PendingSignUp) {
  if (signUp.provider === 'email') {
    await sendLink(tx, call, { id: userId, email: signUp.name }, 'signup', signUp.challenge, wish);
    return undefined;
  }
  const token = newToken();
  await storeToken(tx, token, { userId, type: 'confirmation_token', recipient: signUp.name, wish });
  return () => sendCode(call, signUp.name, token.code, signUp.channel);
}

function asAlreadyRegistered(error: unknown): never {
  if (isTaken(error)) throw authError('user_already_exists');
  throw error;
}

/** Builds the answer of a new, unconfirmed account, except that it has no identities, as Supabase Auth answers. */
function looksNew(address: Address, data: Record<string, unknown>): Record<string, unknown> {
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
