/**
 * The keys of this installation, kept in the database so that every copy of the process shares them and they move with
 * it: signing keys for access tokens (the newest of the set algorithm signs, all verify) and the secret API key of the service role.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Database } from '../database/database.ts';

/** The publishable key of the embedded backend. It identifies the application and grants nothing. */
export const PUBLISHABLE_KEY = 'sb_publishable_signalfjord';

/** What keys may sign with. A key of one never verifies a token that names the other: jose compares them. */
export const SIGNING_ALGORITHMS = ['ES256', 'RS256'] as const;

export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

export interface SigningKeys {
  /** The key that signs new tokens. */
  current: { kid: string; alg: SigningAlgorithm; privateKey: CryptoKey };
  /** Public keys by id, the current one included. */
  verifying: ReadonlyMap<string, CryptoKey>;
  /** The body of GET /auth/v1/.well-known/jwks.json. */
  jwks: { keys: JWK[] };
  /** The secret API key: requests that carry it act as service_role. */
  secretKey: string;
}

/** Loads the keys; creates what is missing, such as the first key that signs with that algorithm. */
export async function loadKeys(database: Database, algorithm: SigningAlgorithm): Promise<SigningKeys> {
  const stored = await database.transaction(async (tx) => {
    await tx.query('lock table backend.signing_keys in exclusive mode');
    const existing = await tx.query<StoredKey>(SELECT_KEYS);
    if (existing.rows.some(({ private_jwk: jwk }) => jwk.alg === algorithm)) return existing.rows;
    const [kid, jwk] = await newSigningKey(algorithm);
    await tx.query('insert into backend.signing_keys (kid, private_jwk) values ($1, $2)', [kid, jwk]);
    await tx.query(`insert into backend.secrets (name, value) values ('secret_key', $1) on conflict do nothing`, [
      `sb_secret_${randomBytes(24).toString('base64url')}`,
    ]);
    return (await tx.query<StoredKey>(SELECT_KEYS)).rows;
  });
  const secret = await database.query<{ value: string }>(`select value from backend.secrets where name = 'secret_key'`);
  const newest = stored.find(({ private_jwk: jwk }) => jwk.alg === algorithm);
  const secretKey = secret.rows[0]?.value;
  if (!newest || !secretKey) throw new Error('The signing keys of this database are incomplete.');
  const publicKeys = stored.map(({ private_jwk: jwk }) => publicPart(jwk));
  return {
    current: { kid: newest.kid, alg: algorithm, privateKey: await asKey(newest.private_jwk) },
    verifying: new Map(await Promise.all(publicKeys.map(async (jwk) => [jwk.kid ?? '', await asKey(jwk)] as const))),
    jwks: { keys: publicKeys.map((jwk) => ({ ...jwk, key_ops: ['verify'] })) },
    secretKey,
  };
}

/** Adds a key that signs from the next start on; tokens of the earlier ones stay valid. @returns its id */
export async function rotateSigningKey(database: Database, algorithm: SigningAlgorithm): Promise<string> {
  const [kid, jwk] = await newSigningKey(algorithm);
  await database.query('insert into backend.signing_keys (kid, private_jwk) values ($1, $2)', [kid, jwk]);
  return kid;
}

/**
 * Deletes a key that does not sign, so that its tokens are worthless from the next start on.
 * @returns false for the key that signs, and for none
 */
export async function revokeSigningKey(database: Database, kid: string, algorithm: SigningAlgorithm): Promise<boolean> {
  const { rowCount } = await database.query(
    `delete from backend.signing_keys where kid = $1 and kid <> (
       select kid from backend.signing_keys where private_jwk ->> 'alg' = $2 order by created_at desc limit 1
     )`,
    [kid, algorithm],
  );
  return rowCount > 0;
}

/** Ids of the keys, the newest first. */
export async function listSigningKeys(
  database: Database,
  algorithm: SigningAlgorithm,
): Promise<{ kid: string; created_at: Date; alg: string; signs: boolean }[]> {
  const { rows } = await database.query<{ kid: string; created_at: Date; alg: string }>(
    `select kid, created_at, private_jwk ->> 'alg' as alg from backend.signing_keys order by created_at desc`,
  );
  const signing = rows.find(({ alg }) => alg === algorithm);
  return rows.map((key) => ({ ...key, signs: key === signing }));
}

interface StoredKey {
  kid: string;
  private_jwk: JWK;
}

const SELECT_KEYS = 'select kid, private_jwk from backend.signing_keys order by created_at desc';

async function newSigningKey(algorithm: SigningAlgorithm): Promise<[kid: string, jwk: JWK]> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const kid = randomUUID();
  return [kid, { ...(await exportJWK(privateKey)), kid, alg: algorithm, use: 'sig' }];
}

/** Named one by one, because a private RSA key has its secret in many members. */
function publicPart({ kty, crv, x, y, n, e, kid, alg, use }: JWK): JWK {
  const members = { kty, crv, x, y, n, e, kid, alg, use };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

async function asKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk);
  if (key instanceof Uint8Array) throw new Error('A signing key of this database is a symmetric key.');
  return key;
}
