/** /admin/users/{id}/passkeys: the service role lists and deletes the passkeys of an account. */
import { audit } from '../audit-log.ts';
import { type Endpoint, requireServiceRole } from '../auth-call.ts';
import { listPasskeys, passkeyJson, requirePasskey } from '../passkeys/passkey-rows.ts';
import { requireUserById, SERVICE_ROLE } from './users.ts';

export const listPasskeysOfUser: Endpoint = async (call, { id = '' }) => {
  await requireServiceRole(call);
  const user = await requireUserById(call.auth.database, id);
  return Response.json((await listPasskeys(call.auth.database, user.id)).map(passkeyJson));
};

export const deletePasskeyOfUser: Endpoint = async (call, { id = '', passkeyId = '' }) => {
  await requireServiceRole(call);
  const { database } = call.auth;
  const user = await requireUserById(database, id);
  const passkey = await requirePasskey(database, user.id, passkeyId);
  await database.transaction(async (tx) => {
    await tx.query('delete from auth.webauthn_credentials where id = $1', [passkey.id]);
    await audit(tx, 'passkey_deleted', SERVICE_ROLE, call.address, { user_id: user.id, passkey_id: passkey.id });
  });
  return new Response(null, { status: 204 });
};
