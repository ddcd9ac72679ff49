/**
 * POST /passkeys/authentication/options and …/verify: signing in with a passkey. No user name is needed, because the
 * key identifies the account. User verification (PIN, fingerprint or face) is required, because the passkey replaces
 * the password.
 */
import { z } from 'zod';
import { type Endpoint, readBody } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import { authenticationField, authenticationOptions, verifyAuthentication } from '../factors/webauthn.ts';
import { openSession, tokenJson } from '../sessions.ts';
import { readUser } from '../users.ts';
import { findByCredentialId, redeemChallenge, storeChallenge } from './passkey-rows.ts';

export const startPasskeyAuthentication: Endpoint = async (call) => {
  await call.auth.limits.codePerAddress.consume(call.address);
  const options = await authenticationOptions(call, [], 'required');
  const data = { challenge: options.challenge, rpId: new URL(call.siteUrl).hostname };
  return Response.json({ options, ...(await storeChallenge(call.auth.database, 'authentication', null, data)) });
};

const body = z.object({
  challenge_id: z.uuid('challenge_id must be a valid UUID'),
  credential: authenticationField,
});

export const verifyPasskeyAuthentication: Endpoint = async (call) => {
  const { database, limits } = call.auth;
  await limits.signInPerAddress.consume(call.address);
  const { challenge_id, credential: response } = await readBody(call, body);
  const ceremony = await redeemChallenge(database, challenge_id, 'authentication', null);
  const verificationError = authError('webauthn_verification_failed');
  const passkey = await findByCredentialId(database, response.id);
  if (!passkey) throw verificationError;
  const { userHandle } = response.response;
  if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== passkey.user_id) throw verificationError;
  const credential = {
    id: response.id,
    publicKey: new Uint8Array(passkey.public_key),
    counter: Number(passkey.sign_count),
  };
  const signCount = await verifyAuthentication(call, ceremony, response, credential, 'required');
  if (signCount === null) throw verificationError;
  const outcome = await database.transaction(async (tx) => {
    const user = await readUser(tx, passkey.user_id);
    if (user.deleted_at) throw authError('user_not_found', undefined, 403);
    if (user.email && !user.email_confirmed_at) throw authError('email_not_confirmed', undefined, 403);
    // Fails if a concurrent response, possibly from a cloned key, has updated the counter.
    const { rowCount } = await tx.query(
      `update auth.webauthn_credentials set sign_count = $3, last_used_at = now(), updated_at = now()
       where id = $1 and sign_count = $2`,
      [passkey.id, passkey.sign_count, signCount],
    );
    if (rowCount === 0) throw verificationError;
    return { user, session: await openSession(tx, call, user, { method: 'passkey', provider: 'passkey' }) };
  });
  return Response.json(await tokenJson(call, outcome.user, outcome.session));
};
