/**
 * POST /factors/{id}/challenge: starts a challenge. Its response must be sent to POST /factors/{id}/verify within five
 * minutes.
 */
import { createHash, randomInt } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';
import { audit } from '../audit-log.ts';
import { type AuthCall, type Endpoint, readBody, requireUser } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import { channelField, limitSms, requireChannel, sendCode } from '../phone.ts';
import type { UserRow } from '../users.ts';
import { type FactorRow, requireFactor } from './factor-rows.ts';
import {
  authenticationOptions,
  type CeremonyData,
  CHALLENGE_SECONDS,
  fromStored,
  registrationOptions,
} from './webauthn.ts';

const body = z.looseObject({ channel: channelField });

export const challengeFactor: Endpoint = async (call, { id = '' }) => {
  const { user } = await requireUser(call);
  const { channel } = await readBody(call, body);
  await call.auth.limits.codePerAddress.consume(call.address);
  const { database } = call.auth;
  const factor = await requireFactor(database, user.id, id);
  if (factor.factor_type === 'recovery_code') {
    throw authError('validation_failed', 'factor_type needs to be totp, phone, or webauthn');
  }
  const ceremony = factor.factor_type === 'webauthn' ? await beginCeremony(call, user, factor) : undefined;
  const message = factor.factor_type === 'phone' ? await prepareMessage(call, factor, channel) : undefined;
  const challengeId = crypto.randomUUID();
  await database.transaction(async (tx) => {
    await tx.query(
      `delete from auth.mfa_challenges where factor_id = $1 and created_at < now() - make_interval(secs => ${CHALLENGE_SECONDS})`,
      [factor.id],
    );
    await tx.query(
      `insert into auth.mfa_challenges (id, factor_id, created_at, ip_address, web_authn_session_data, otp_code)
       values ($1, $2, now(), $3, $4, $5)`,
      [
        challengeId,
        factor.id,
        toInet(call.address),
        ceremony?.data,
        message && hashPhoneCode(challengeId, message.code),
      ],
    );
    // Use clock_timestamp() and not now(), because the column is unique across all factors.
    await tx.query('update auth.mfa_factors set last_challenged_at = clock_timestamp() where id = $1', [factor.id]);
    await audit(tx, 'challenge_created', { id: user.id, email: user.email ?? '' }, call.address, {
      factor_id: factor.id,
      factor_status: factor.status,
    });
  });
  if (message) await sendCode(call, factor.phone ?? '', message.code, message.channel);
  return Response.json({
    id: challengeId,
    type: factor.factor_type,
    expires_at: Math.floor(Date.now() / 1000) + CHALLENGE_SECONDS,
    ...(ceremony ? { webauthn: ceremony.response } : {}),
  });
};

/** Returns an address that Postgres can store as inet, or '0.0.0.0' if it is unknown. */
export function toInet(address: string): string {
  return isIP(address) ? address : '0.0.0.0';
}

/**
 * Hashes the code of a message for storage, so that it cannot be read from a copy of the database before it expires.
 */
export function hashPhoneCode(challengeId: string, code: string): string {
  return createHash('sha256').update(`${challengeId} ${code}`).digest('hex');
}

/** @throws ApiError 422 if messages are off, 400 for an unknown channel, 429 for too many messages */
async function prepareMessage(call: AuthCall, factor: FactorRow, channel: string | null | undefined) {
  if (!call.auth.config.AUTH_PHONE) throw authError('mfa_phone_verify_not_enabled');
  const supportedChannel = requireChannel(call, channel);
  await limitSms(call, factor.phone ?? '');
  return { channel: supportedChannel, code: randomInt(1_000_000).toString().padStart(6, '0') };
}

/**
 * Returns options to create a passkey for an unverified factor, or to use the existing passkey of a verified factor.
 */
async function beginCeremony(call: AuthCall, user: UserRow, factor: FactorRow) {
  if (factor.web_authn_credential) {
    const { id } = fromStored(factor.web_authn_credential);
    const publicKey = await authenticationOptions(call, [id], 'preferred');
    return { data: dataFor(publicKey.challenge), response: { type: 'request', credential_options: { publicKey } } };
  }
  const { rows } = await call.auth.database.query<Pick<FactorRow, 'web_authn_credential'>>(
    'select web_authn_credential from auth.mfa_factors where user_id = $1 and web_authn_credential is not null',
    [user.id],
  );
  const exclude = rows.flatMap((row) => (row.web_authn_credential ? [fromStored(row.web_authn_credential).id] : []));
  const publicKey = await registrationOptions(call, user, { isPasskey: false, exclude });
  return { data: dataFor(publicKey.challenge), response: { type: 'create', credential_options: { publicKey } } };

  function dataFor(challenge: string): CeremonyData {
    return { challenge, rpId: new URL(call.siteUrl).hostname, user_id: user.id };
  }
}
