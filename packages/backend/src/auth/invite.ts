/** POST /invite: the service role creates an account and mails an invitation link. */
import { z } from 'zod';
import { SERVICE_ROLE } from './admin/users.ts';
import { audit } from './audit-log.ts';
import { type Endpoint, emailField, metadataField, readBody, requireServiceRole } from './auth-call.ts';
import { authError } from './error-codes.ts';
import { sendLink } from './mails.ts';
import { findUserByEmail, insertUser, readUser, userJson } from './users.ts';

const body = z.object({ email: emailField, data: metadataField });

export const invite: Endpoint = async (call) => {
  await requireServiceRole(call);
  const { email, data } = await readBody(call, body);
  const user = await call.auth.database.transaction(async (tx) => {
    const existing = await findUserByEmail(tx, email);
    if (existing?.email_confirmed_at) throw authError('email_exists');
    const account =
      existing ??
      (await insertUser(tx, {
        email,
        encryptedPassword: null,
        isInvited: true,
        userMetadata: data ?? {},
      }));
    await sendLink(tx, call, account, 'invite', undefined);
    await audit(tx, 'user_invited', SERVICE_ROLE, call.address, { user_id: account.id, user_email: email });
    return readUser(tx, account.id);
  });
  return Response.json(userJson(user));
};
