/** POST /passkeys/registration/options and …/verify: a signed-in user adds a passkey. */
import { z } from 'zod';
import { isUniqueViolation } from '../../database/errors.ts';
import { audit } from '../audit-log.ts';
import { type Endpoint, readBody, requireNotAnonymous, requireNotSso, requireUser } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import { requireSecondFactor } from '../factors/factor-rows.ts';
import { registrationField, registrationOptions, verifyRegistration } from '../factors/webauthn.ts';
import { AAL2_REQUIRED } from '../passkeys.ts';
import { requireLiveSession } from '../verified-addresses.ts';
import { listPasskeys, passkeyJson, redeemChallenge, storeChallenge } from './passkey-rows.ts';

const MAX_PASSKEYS = 10;

export const startPasskeyRegistration: Endpoint = async (call) => {
  const signedIn = await requireUser(call);
  const { user } = signedIn;
  requireNotAnonymous(signedIn);
  requireNotSso(signedIn);
  requireSecondFactor(signedIn, AAL2_REQUIRED);
  await call.auth.limits.codePerAddress.consume(call.address);
  const { database } = call.auth;
  const passkeys = await listPasskeys(database, user.id);
  if (passkeys.length >= MAX_PASSKEYS) throw authError('too_many_passkeys');
  const exclude = passkeys.map((passkey) => Buffer.from(passkey.credential_id).toString('base64url'));
  const options = await registrationOptions(call, user, { isPasskey: true, exclude });
  const data = { challenge: options.challenge, rpId: new URL(call.siteUrl).hostname, user_id: user.id };
  return Response.json({ options, ...(await storeChallenge(database, 'registration', user.id, data)) });
};

const body = z.object({
  challenge_id: z.uuid('challenge_id must be a valid UUID'),
  credential: registrationField,
});

export const verifyPasskeyRegistration: Endpoint = async (call) => {
  const signedIn = await requireUser(call);
  const { user } = signedIn;
  requireSecondFactor(signedIn, AAL2_REQUIRED);
  const { challenge_id, credential: response } = await readBody(call, body);
  const { database } = call.auth;
  const ceremony = await redeemChallenge(database, challenge_id, 'registration', user.id);
  const credential = await verifyRegistration(call, ceremony, response, 'required');
  if (!credential) throw authError('webauthn_verification_failed');
  const passkey = { id: crypto.randomUUID(), friendly_name: 'Passkey', created_at: new Date(), last_used_at: null };
  await database
    .transaction(async (tx) => {
      await requireLiveSession(tx, { userId: user.id, sessionId: signedIn.sessionId });
      if ((await listPasskeys(tx, user.id)).length >= MAX_PASSKEYS) throw authError('too_many_passkeys');
      await tx.query(
        `insert into auth.webauthn_credentials (id, user_id, credential_id, public_key, attestation_type, aaguid,
           sign_count, transports, backup_eligible, backed_up, friendly_name, created_at, updated_at)
         values ($1, $2, $3, $4, 'none', $5, $6, $7::text::jsonb, $8, $9, $10, $11, now())`,
        [
          passkey.id,
          user.id,
          Buffer.from(credential.id, 'base64url'),
          credential.publicKey,
          credential.aaguid,
          credential.counter,
          JSON.stringify(credential.transports),
          credential.backupEligible,
          credential.backedUp,
          passkey.friendly_name,
          passkey.created_at,
        ],
      );
      const actor = { id: user.id, email: user.email ?? '' };
      await audit(tx, 'passkey_created', actor, call.address, { passkey_id: passkey.id });
    })
    .catch((error: unknown) => {
      if (isUniqueViolation(error)) throw authError('webauthn_credential_exists');
      throw error;
    });
  return Response.json(passkeyJson(passkey));
};
