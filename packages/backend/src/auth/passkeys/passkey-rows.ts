/** Passkeys: rows of auth.webauthn_credentials, and the single-use challenges of their ceremonies. */
import type { Queryable } from '../../database/database.ts';
import { isUuid } from '../../http/uuid.ts';
import { authError } from '../error-codes.ts';
import { type CeremonyData, CHALLENGE_SECONDS } from '../factors/webauthn.ts';

export interface PasskeyRow {
  id: string;
  user_id: string;
  credential_id: Uint8Array;
  public_key: Uint8Array;
  sign_count: number;
  friendly_name: string;
  created_at: Date;
  last_used_at: Date | null;
}

type ChallengeType = 'registration' | 'authentication';

const COLUMNS = 'id, user_id, credential_id, public_key, sign_count, friendly_name, created_at, last_used_at';

export async function listPasskeys(database: Queryable, userId: string): Promise<PasskeyRow[]> {
  const { rows } = await database.query<PasskeyRow>(
    `select ${COLUMNS} from auth.webauthn_credentials where user_id = $1 order by created_at, id`,
    [userId],
  );
  return rows;
}

/** @throws ApiError 404 if the account has no such passkey */
export async function requirePasskey(database: Queryable, userId: string, id: string): Promise<PasskeyRow> {
  const passkey = isUuid(id) ? (await listPasskeys(database, userId)).find((row) => row.id === id) : undefined;
  if (!passkey) throw authError('validation_failed', 'Passkey not found', 404);
  return passkey;
}

export async function findByCredentialId(database: Queryable, credentialId: string): Promise<PasskeyRow | undefined> {
  const { rows } = await database.query<PasskeyRow>(
    `select ${COLUMNS} from auth.webauthn_credentials where credential_id = $1`,
    [Buffer.from(credentialId, 'base64url')],
  );
  return rows[0];
}

export function passkeyJson(passkey: Pick<PasskeyRow, 'id' | 'friendly_name' | 'created_at' | 'last_used_at'>) {
  return {
    id: passkey.id,
    ...(passkey.friendly_name ? { friendly_name: passkey.friendly_name } : {}),
    created_at: passkey.created_at.toISOString(),
    ...(passkey.last_used_at ? { last_used_at: passkey.last_used_at.toISOString() } : {}),
  };
}

/** @returns the challenge's id, and its expiry in seconds since 1970 */
export async function storeChallenge(
  database: Queryable,
  type: ChallengeType,
  userId: string | null,
  data: CeremonyData,
): Promise<{ challenge_id: string; expires_at: number }> {
  const id = crypto.randomUUID();
  await database.query(
    `insert into auth.webauthn_challenges (id, user_id, challenge_type, session_data, expires_at)
     values ($1, $2, $3, $4, now() + make_interval(secs => ${CHALLENGE_SECONDS}))`,
    [id, userId, type, data],
  );
  return { challenge_id: id, expires_at: Math.floor(Date.now() / 1000) + CHALLENGE_SECONDS };
}

/**
 * Redeems a challenge, even if its response is wrong.
 * @throws ApiError 400 if the challenge is unknown, used, expired or of another user
 */
export async function redeemChallenge(
  database: Queryable,
  id: string,
  type: ChallengeType,
  userId: string | null,
): Promise<CeremonyData> {
  const { rows } = await database.query<{ session_data: CeremonyData; is_fresh: boolean }>(
    `delete from auth.webauthn_challenges
     where id = $1 and challenge_type = $2 and user_id is not distinct from $3::uuid
     returning session_data, expires_at > now() as is_fresh`,
    [id, type, userId],
  );
  const [challenge] = rows;
  if (!challenge) throw authError('webauthn_challenge_not_found');
  if (!challenge.is_fresh) throw authError('webauthn_challenge_expired');
  return challenge.session_data;
}
