/** POST /admin/generate_link: returns the link and code of a mail, for the service role to send itself. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Queryable } from '../../database/database.ts';
import { audit } from '../audit-log.ts';
import { type AuthCall, type Endpoint, emailField, metadataField, readBody, requireServiceRole } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import { buildLink, MAILINGS, redirectTarget } from '../mails.ts';
import { newToken, type OneTimeToken, type PendingSignUp, storeToken } from '../one-time-tokens.ts';
import { hashPassword, requireStrongPassword } from '../passwords.ts';
import { findUserByEmail, insertUser, readUser, type UserRow, userJson } from '../users.ts';
import { SERVICE_ROLE } from './users.ts';

const TYPES = ['signup', 'invite', 'magiclink', 'recovery', 'email_change_current', 'email_change_new'] as const;
type GeneratedType = (typeof TYPES)[number];

const body = z.object({
  type: z.enum(TYPES, { error: ({ input }) => `Invalid email action link type requested: ${String(input ?? '')}` }),
  email: emailField,
  new_email: emailField.nullish(),
  password: z.string().max(1000).nullish(),
  data: metadataField,
  redirect_to: z.string().nullish(),
});

type Fields = z.output<typeof body>;

export const generateLink: Endpoint = async (call) => {
  await requireServiceRole(call);
  const fields = await readBody(call, body);
  const { type } = fields;
  if (fields.password) requireStrongPassword(call.auth.config, fields.password);
  if (type === 'signup' && !fields.password) {
    throw authError('validation_failed', 'Signup requires a valid password');
  }
  const encryptedPassword = await hashPassword(fields.password ?? randomBytes(24).toString('base64'));
  const { user, token } = await call.auth.database.transaction(async (tx) => {
    const owner = await findOrCreateUser(tx, fields, encryptedPassword);
    // A sign-up link sets the password of its own sign-up, even if other sign-ups are pending for the address.
    const pendingSignUp = type === 'signup' ? { encryptedPassword, userMetadata: fields.data ?? {} } : undefined;
    const token = await createToken(tx, owner, fields, pendingSignUp);
    await audit(tx, 'user_modified', SERVICE_ROLE, call.address, { user_id: owner.id, link: type });
    return { user: await readUser(tx, owner.id), token };
  });
  return Response.json({ ...userJson(user), ...linkProperties(call, type, token, fields.redirect_to) });
};

/** Returns the account that the link is for. Creates it if it is missing and the link type allows new accounts. */
async function findOrCreateUser(tx: Queryable, fields: Fields, encryptedPassword: string): Promise<UserRow> {
  const { type, email, data } = fields;
  const user = await findUserByEmail(tx, email);
  const isSignUpOrInvite = type === 'signup' || type === 'invite';
  if (user?.email_confirmed_at && isSignUpOrInvite) throw authError('email_exists');
  if (user) return user;
  if (!isSignUpOrInvite && type !== 'magiclink') throw authError('user_not_found', 'User with this email not found');
  return insertUser(tx, {
    email,
    encryptedPassword,
    isInvited: type === 'invite',
    userMetadata: data ?? {},
  });
}

async function createToken(
  tx: Queryable,
  user: UserRow,
  { type, email, new_email: newEmail }: Fields,
  pendingSignUp: PendingSignUp | undefined,
): Promise<OneTimeToken> {
  if (type !== 'email_change_current' && type !== 'email_change_new') {
    const token = newToken();
    await storeToken(tx, token, { userId: user.id, type: MAILINGS[type].token, recipient: email, pendingSignUp });
    return token;
  }
  if (!newEmail) throw authError('validation_failed', 'A new email address is required');
  if (await findUserByEmail(tx, newEmail)) throw authError('email_exists');
  // The two links of a change are requested one after the other. The second must not replace the first.
  await tx.query(
    `update auth.users set email_change = $2::text,
       email_change_confirm_status = case when email_change = $2::text then email_change_confirm_status else 0 end where id = $1`,
    [user.id, newEmail],
  );
  const isNew = type === 'email_change_new';
  const token = newToken();
  await storeToken(tx, token, {
    userId: user.id,
    type: isNew ? 'email_change_token_new' : 'email_change_token_current',
    recipient: isNew ? newEmail : email,
  });
  return token;
}

function linkProperties(
  call: AuthCall,
  type: GeneratedType,
  token: OneTimeToken,
  requestedRedirect: string | null | undefined,
): Record<string, string> {
  const linkType = type === 'email_change_current' || type === 'email_change_new' ? 'email_change' : type;
  const redirectTo = redirectTarget(call, requestedRedirect);
  return {
    action_link: buildLink(call, linkType, token, redirectTo),
    email_otp: token.code,
    hashed_token: token.link,
    verification_type: type,
    redirect_to: redirectTo,
  };
}
