/**
 * POST /signup. With autoconfirm (the default) the account has a session at once. With AUTH_CONFIRM_EMAIL=on a mail
 * asks for confirmation first, and an address that has an account already is answered with an account that looks new.
 * Until then the account has neither password nor data: each sign-up's wait with the mail that was sent for it, so that
 * confirming one never takes over what a stranger asked for in another.
 */
import { z } from 'zod';
import { DatabaseError } from '../database/database.ts';
import { noteUnproven } from './address-proof.ts';
import { audit } from './audit-log.ts';
import { type Endpoint, emailField, metadataField, readBody, requireSignUps } from './auth-call.ts';
import { authError } from './error-codes.ts';
import { challengeFields, readChallenge } from './flow-states.ts';
import { limitMail } from './limits.ts';
import { sendLink } from './mails.ts';
import { hashPassword, requireStrongPassword } from './passwords.ts';
import { openSession, tokenJson } from './sessions.ts';
import { emailClaims, ensureUser, findUserByEmail, insertUser, readUser, userJson } from './users.ts';

const body = z.object({
  email: emailField.nullish(),
  phone: z.string().nullish(),
  password: z.string().max(1000).nullish(),
  data: metadataField,
  ...challengeFields,
});

export const signup: Endpoint = async (call) => {
  requireSignUps(call);
  const fields = await readBody(call, body);
  const { email, phone, password, data } = fields;
  const challenge = readChallenge(fields);
  if (!email) throw authError(phone ? 'phone_provider_disabled' : 'anonymous_provider_disabled');
  if (!password) throw authError('validation_failed', 'Signup requires a valid password');
  requireStrongPassword(call.auth.config, password);
  const { database, limits, config } = call.auth;
  await limits.signUpPerAddress.consume(call.address);
  if (config.AUTH_CONFIRM_EMAIL) await limitMail(call, email);

  // Hashed whether or not the address is known, so that both take as long.
  const encryptedPassword = await hashPassword(password);
  const wish = { encryptedPassword, userMetadata: data ?? {} };

  if (!config.AUTH_CONFIRM_EMAIL) {
    const user = await insertUser(database, { email, ...wish, emailConfirmed: true }).catch(asAlreadyRegistered);
    const session = await database.transaction(async (tx) => {
      await noteUnproven(tx, user.id);
      await audit(tx, 'user_signedup', { id: user.id, email }, call.address, { provider: 'email' });
      return openSession(tx, call, user, { method: 'password', provider: 'email' });
    });
    return Response.json(await tokenJson(call, user, session));
  }

  const known = await findUserByEmail(database, email);
  if (known?.email_confirmed_at) {
    call.auth.afterwards(() => audit(database, 'user_repeated_signup', { id: known.id, email }, call.address));
    return Response.json(looksNew(email, wish.userMetadata));
  }
  const user = await database.transaction(async (tx) => {
    const { id } = await ensureUser(tx, email);
    await sendLink(tx, call, { id, email }, 'signup', challenge, wish);
    await audit(tx, 'user_confirmation_requested', { id, email }, call.address, { provider: 'email' });
    return readUser(tx, id);
  });
  const metadata = { ...wish.userMetadata, ...emailClaims(user.id, email, false) };
  return Response.json(userJson({ ...user, raw_user_meta_data: metadata }));
};

function asAlreadyRegistered(error: unknown): never {
  if (error instanceof DatabaseError && error.code === '23505') throw authError('user_already_exists');
  throw error;
}

/** What a new, unconfirmed account looks like, except that it has no identities, as Supabase Auth answers. */
function looksNew(email: string, data: Record<string, unknown>): Record<string, unknown> {
  const now = new Date().toISOString();
  const id = crypto.randomUUID();
  return {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: '',
    confirmation_sent_at: now,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { ...data, ...emailClaims(id, email, false) },
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
}
