/**
 * POST /factors/{id}/verify: checks the response to a challenge. A correct response verifies a new factor, raises the
 * session to aal2 and ends the account's sessions at aal1.
 */
import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Queryable } from '../../database/database.ts';
import { audit } from '../audit-log.ts';
import { type AuthCall, type Endpoint, readBody, requireUser } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import { tokenJson } from '../sessions.ts';
import { readUser } from '../users.ts';
import { requireLiveSession } from '../verified-addresses.ts';
import { countGuess, raiseSession, resetGuesses } from './assurance.ts';
import { hashPhoneCode, toInet } from './challenge.ts';
import { AMR_NAMES, type FactorRow, requireFactor, requireSecondFactor } from './factor-rows.ts';
import { matchingTimeStep, redeemTimeStep } from './totp.ts';
import {
  authenticationField,
  type CeremonyData,
  CHALLENGE_SECONDS,
  fromStored,
  registrationField,
  toStored,
  verifyAuthentication,
  verifyRegistration,
} from './webauthn.ts';

const body = z.object({
  challenge_id: z.uuid('challenge_id must be a valid UUID'),
  code: z.string().trim().max(100).nullish(),
  webauthn: z
    .object({
      type: z.enum(['create', 'request'], 'WebAuthn type must be create or request'),
      credential_response: z.unknown(),
    })
    .nullish(),
});

type Fields = z.output<typeof body>;

interface ChallengeRow {
  id: string;
  web_authn_session_data: CeremonyData | null;
  otp_code: string | null;
}

/**
 * Runs in the transaction that accepts the response, and makes the response single-use.
 * @throws ApiError if it has been used
 */
type Accept = (tx: Queryable) => Promise<void>;

export const verifyFactor: Endpoint = async (call, { id = '' }) => {
  const signedIn = await requireUser(call);
  const { user, sessionId } = signedIn;
  const { database, limits } = call.auth;
  await limits.codePerAddress.consume(call.address);
  const factor = await requireFactor(database, user.id, id);
  const fields = await readBody(call, body);
  // A new factor can only be verified in a session that has already used an existing factor.
  if (factor.status === 'unverified') requireSecondFactor(signedIn, 'AAL2 required to enroll a new factor');
  const challenge = await requireChallenge(call, factor, fields.challenge_id);
  const accept =
    factor.factor_type === 'webauthn'
      ? await checkCredential(call, factor, challenge, fields)
      : await checkCode(call, factor, challenge, fields.code ?? '');

  const outcome = await database.transaction(async (tx) => {
    await requireLiveSession(tx, { userId: user.id, sessionId });
    const { rowCount } = await tx.query(
      'update auth.mfa_challenges set verified_at = now() where id = $1 and verified_at is null',
      [challenge.id],
    );
    if (rowCount === 0) throw challengeUsed();
    await accept(tx);
    await resetGuesses(tx, user.id);
    await tx.query(`update auth.mfa_factors set status = 'verified', updated_at = now() where id = $1`, [factor.id]);
    await tx.query(`delete from auth.mfa_factors where user_id = $1 and factor_type = $2 and status = 'unverified'`, [
      user.id,
      factor.factor_type,
    ]);
    const method = AMR_NAMES[factor.factor_type];
    const session = await raiseSession(tx, { userId: user.id, sessionId }, factor.id, method);
    await audit(tx, 'verification_attempted', { id: user.id, email: user.email ?? '' }, call.address, {
      factor_id: factor.id,
      challenge_id: challenge.id,
      factor_type: factor.factor_type,
    });
    return { session, user: await readUser(tx, user.id) };
  });
  return Response.json(await tokenJson(call, outcome.user, outcome.session));
};

/** @throws ApiError 422 if the challenge is unknown, used, expired, or was requested from another address */
async function requireChallenge(call: AuthCall, factor: FactorRow, id: string): Promise<ChallengeRow> {
  const { rows } = await call.auth.database.query<
    ChallengeRow & { is_used: boolean; is_same_address: boolean; is_fresh: boolean }
  >(
    `select id, web_authn_session_data, otp_code, verified_at is not null as is_used, ip_address = $3::inet as is_same_address,
       created_at > now() - make_interval(secs => ${CHALLENGE_SECONDS}) as is_fresh
     from auth.mfa_challenges where id = $1 and factor_id = $2`,
    [id, factor.id, toInet(call.address)],
  );
  const [challenge] = rows;
  if (!challenge) {
    throw authError('mfa_factor_not_found', 'MFA factor with the provided challenge ID not found', 422);
  }
  if (challenge.is_used || !challenge.is_same_address) throw challengeUsed();
  if (!challenge.is_fresh) {
    throw authError(
      'mfa_challenge_expired',
      `MFA challenge ${challenge.id} has expired, verify against another challenge or create a new challenge.`,
    );
  }
  return challenge;
}

/** Supabase Auth reports a used challenge as one from another address. */
function challengeUsed() {
  return authError('mfa_ip_address_mismatch');
}

async function checkCode(call: AuthCall, factor: FactorRow, challenge: ChallengeRow, code: string): Promise<Accept> {
  if (!code) throw authError('validation_failed', 'Code needs to be non-empty');
  await countGuess(call.auth.database, factor.user_id);
  if (factor.factor_type === 'phone') {
    const [actual, expected] = [Buffer.from(hashPhoneCode(challenge.id, code)), Buffer.from(challenge.otp_code ?? '')];
    if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) {
      throw authError('mfa_verification_failed', 'Invalid MFA Phone code entered');
    }
    // The challenge itself is single-use.
    return async () => undefined;
  }
  const wrongCode = authError('mfa_verification_failed', 'Invalid TOTP code entered');
  const step = matchingTimeStep(factor.secret ?? '', code);
  if (step === null) throw wrongCode;
  return async (tx) => {
    if (!(await redeemTimeStep(tx, factor.id, step))) throw wrongCode;
  };
}

async function checkCredential(
  call: AuthCall,
  factor: FactorRow,
  challenge: ChallengeRow,
  { webauthn }: Fields,
): Promise<Accept> {
  if (!webauthn) throw authError('validation_failed', 'WebAuthn config required');
  const verificationError = authError('mfa_verification_failed', 'The security key could not be verified');
  const ceremony = challenge.web_authn_session_data;
  const storedCredential = factor.web_authn_credential;
  // The response must match the state of the factor: creating a key, or using the existing one.
  if (!ceremony || (webauthn.type === 'create') !== (storedCredential === null)) throw verificationError;
  if (!storedCredential) {
    const response = registrationField.safeParse(webauthn.credential_response);
    if (!response.success) throw authError('validation_failed', 'Invalid credential_response');
    const credential = await verifyRegistration(call, ceremony, response.data, 'preferred');
    if (!credential) throw verificationError;
    return (tx) => save(tx, toStored(credential), 'web_authn_credential is null', credential.aaguid);
  }
  const response = authenticationField.safeParse(webauthn.credential_response);
  if (!response.success) throw authError('validation_failed', 'Invalid credential_response');
  const credential = fromStored(storedCredential);
  if (response.data.id !== credential.id) throw verificationError;
  const signCount = await verifyAuthentication(call, ceremony, response.data, credential, 'preferred');
  if (signCount === null) throw verificationError;
  const updatedCredential = { ...storedCredential, authenticator: { ...storedCredential.authenticator, signCount } };
  // Fails if a concurrent response, possibly from a cloned key, has updated the counter.
  const isUnchangedCounter = `(web_authn_credential #>> '{authenticator,signCount}')::bigint = ${storedCredential.authenticator.signCount}`;
  return (tx) => save(tx, updatedCredential, isUnchangedCounter);

  async function save(tx: Queryable, value: object, condition: string, aaguid?: string): Promise<void> {
    const { rowCount } = await tx.query(
      `update auth.mfa_factors set web_authn_credential = $2, web_authn_aaguid = coalesce($3, web_authn_aaguid)
       where id = $1 and ${condition}`,
      [factor.id, value, aaguid],
    );
    if (rowCount === 0) throw verificationError;
  }
}
