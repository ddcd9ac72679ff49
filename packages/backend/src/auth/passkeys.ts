/** /passkeys: lists, renames and deletes the account's own passkeys. */
import { z } from 'zod';
import { audit } from './audit-log.ts';
import { type Endpoint, readBody, requireUser } from './auth-call.ts';
import { requireSecondFactor } from './factors/factor-rows.ts';
import { listPasskeys, passkeyJson, requirePasskey } from './passkeys/passkey-rows.ts';

export const AAL2_REQUIRED = 'AAL2 session is required to manage passkeys when MFA is enabled';

export const listOwnPasskeys: Endpoint = async (call) => {
  const { user } = await requireUser(call);
  return Response.json((await listPasskeys(call.auth.database, user.id)).map(passkeyJson));
};

const body = z.object({
  friendly_name: z
    .string('friendly_name is required')
    .min(1, 'friendly_name is required')
    .max(120, 'friendly_name must be 120 characters or less'),
});

export const renamePasskey: Endpoint = async (call, { id = '' }) => {
  const { user } = await requireUser(call);
  const { friendly_name } = await readBody(call, body);
  const { database } = call.auth;
  const passkey = await requirePasskey(database, user.id, id);
  await database.transaction(async (tx) => {
    await tx.query('update auth.webauthn_credentials set friendly_name = $2, updated_at = now() where id = $1', [
      passkey.id,
      friendly_name,
    ]);
    const actor = { id: user.id, email: user.email ?? '' };
    await audit(tx, 'passkey_updated', actor, call.address, { passkey_id: passkey.id });
  });
  return Response.json(passkeyJson({ ...passkey, friendly_name }));
};

export const deletePasskey: Endpoint = async (call, { id = '' }) => {
  const signedIn = await requireUser(call);
  const { user } = signedIn;
  requireSecondFactor(signedIn, AAL2_REQUIRED);
  const { database } = call.auth;
  const passkey = await requirePasskey(database, user.id, id);
  await database.transaction(async (tx) => {
    await tx.query('delete from auth.webauthn_credentials where id = $1', [passkey.id]);
    const actor = { id: user.id, email: user.email ?? '' };
    await audit(tx, 'passkey_deleted', actor, call.address, { passkey_id: passkey.id });
  });
  return new Response(null, { status: 204 });
};
