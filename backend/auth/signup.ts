/**
 * POST /signup. With autoconfirm (the default) the account has a session at once. With AUTH_CONFIRM_EMAIL=on a mail
 * asks for confirmation first, and an address that has an account already is answered with an account that looks new.
 */
import { z } from 'zod';
import { DatabaseError } from '../database/database.ts';
import { audit } from './audit-log.ts';
import { type Endpoint, emailField, metadataField, readBody } from './auth-call.ts';
import { authError } from './error-codes.ts';
import { challengeFields, readChallenge } from './flow-states.ts';
import { limitMail } from './limits.ts';
import { sendLink } from './mails.ts';
import { hashPassword, requireStrongPassword } from './passwords.ts';
import { newSession, tokenJson } from './sessions.ts';
import { findUserByEmail, insertUser, readUser, type UserRow, userJson } from './users.ts';

const body = z.object({
  email: emailField.nullish(),
  phone: z.string().nullish(),
  password: z.string().max(1000).nullish(),
  data: metadataField,
  ...challengeFields,
});

export const signup: Endpoint = async (call) => {
  const fields = await readBody(call, body);
  const { email, phone, password, data } = fields;
  const challenge = readChallenge(fields);
  if (!email) throw authError(phone ? 'phone_provider_disabled' : 'anonymous_provider_disabled');
  if (!password) throw authError('validation_failed', 'Signup requires a valid password');
  requireStrongPassword(password);
  const { database, limits, config } = call.auth;
  await limits.signUpPerAddress.consume(call.address);
  if (config.AUTH_CONFIRM_EMAIL) await limitMail(limits, call.address, email);

  // Hashed whether or not the address is known, so that both take as long.
  const encryptedPassword = await hashPassword(password);
  const newUser = { email, encryptedPassword, userMetadata: data ?? {} };

  if (!config.AUTH_CONFIRM_EMAIL) {
    const user = await insertUser(database, { ...newUser, confirmed: true }).catch(asAlreadyRegistered);
    const { session, store } = newSession(call, user, 'password');
    await database.transaction(async (tx) => {
      await tx.query(store.text, store.values);
      await audit(tx, 'user_signedup', { id: user.id, email }, call.address, { provider: 'email' });
    });
    return Response.json(await tokenJson(call, user, session));
  }

  const known = await findUserByEmail(database, email);
  if (known?.email_confirmed_at) {
    call.auth.afterwards(() => audit(database, 'user_repeated_signup', { id: known.id, email }, call.address));
    return Response.json(looksNew(email, data ?? {}));
  }
  const user = await database.transaction(async (tx) => {
    // An unconfirmed account may be a stranger's: it takes the latest password, which only the mail's reader can use.
    const user = known
      ? await replacePassword(tx, known, encryptedPassword, data ?? {})
      : await insertUser(tx, { ...newUser, confirmed: false });
    await sendLink(tx, call, user, 'signup', challenge);
    await audit(tx, 'user_confirmation_requested', { id: user.id, email }, call.address, { provider: 'email' });
    return readUser(tx, user.id);
  });
  return Response.json(userJson(user));
};

async function replacePassword(
  tx: Parameters<typeof readUser>[0],
  known: UserRow,
  encryptedPassword: string,
  data: Record<string, unknown>,
): Promise<UserRow> {
  await tx.query('update auth.users set encrypted_password = $2, raw_user_meta_data = $3 where id = $1', [
    known.id,
    encryptedPassword,
    data,
  ]);
  return readUser(tx, known.id);
}

function asAlreadyRegistered(error: unknown): never {
  if (error instanceof DatabaseError && error.code === '23505') throw authError('user_already_exists');
  throw error;
}

/** What a new, unconfirmed account looks like, except that it has no identities, as Supabase Auth answers. */
function looksNew(email: string, data: Record<string, unknown>): Record<string, unknown> {
  const now = new Date().toISOString();
  return {
    id: crypto.randomUUID(),
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: '',
    confirmation_sent_at: now,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: data,
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
}
