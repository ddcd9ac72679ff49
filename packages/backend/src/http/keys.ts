/**
 * The keys of this installation: the secret API key of the service role, and the signing keys of access tokens. The
 * newest key of the configured algorithm signs, and all keys verify. They are stored in the database, so that all
 * processes share them and exports contain them.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Database } from '../database/database.ts';

/** The publishable key of the built-in backend. It identifies the application and grants nothing. */
export const PUBLISHABLE_KEY = 'sb_publishable_signalfjord';

/** Signing algorithms. jose rejects a token whose algorithm differs from the key's. */
export const SIGNING_ALGORITHMS = ['ES256', 'RS256'] as const;

export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

/** Shortest time in milliseconds between reloads caused by unknown key ids, because anyone can make such tokens up. */
const MIN_RELOAD_INTERVAL_MS = 5_000;

/** Age in milliseconds at which keys are reloaded, in case a notification was missed. */
const MAX_AGE_MS = 60_000;

/** The current keys of the database. New and revoked keys take effect without a restart. */
export class SigningKeys {
  /** The secret API key. Requests with it act as service_role. Loaded once at startup. */
  readonly secretKey: string;
  readonly #database: Database;
  readonly #algorithm: SigningAlgorithm;
  #keys: LoadedKeys;
  #loading: Promise<void> = Promise.resolve();
  #loadedAt = performance.now();
  #missedAt = Number.NEGATIVE_INFINITY;

  constructor(database: Database, algorithm: SigningAlgorithm, keys: LoadedKeys) {
    this.#database = database;
    this.#algorithm = algorithm;
    this.#keys = keys;
    this.secretKey = keys.secretKey;
  }

  /** The key that signs new tokens. */
  get current(): { kid: string; alg: SigningAlgorithm; privateKey: CryptoKey } {
    return this.#keys.current;
  }

  /** Public keys by id, the current one included. */
  get verifying(): ReadonlyMap<string, CryptoKey> {
    return this.#keys.verifying;
  }

  /** The body of GET /auth/v1/.well-known/jwks.json. */
  get jwks(): { keys: JWK[] } {
    return { keys: this.#keys.publicKeys.map((jwk) => ({ ...jwk, key_ops: ['verify'] })) };
  }

  /**
   * Returns the public key with this id. If the id is unknown, reloads the keys, because the key may be new.
   */
  async find(kid: string): Promise<CryptoKey | undefined> {
    const now = performance.now();
    // Do not wait, because the loaded keys are most likely still valid.
    if (now - this.#loadedAt > MAX_AGE_MS) void this.reload().catch(() => undefined);
    if (!this.verifying.has(kid) && now - this.#missedAt > MIN_RELOAD_INTERVAL_MS) {
      this.#missedAt = now;
      await this.reload();
    }
    return this.verifying.get(kid);
  }

  /** Resolves when everything committed before the call is loaded. */
  reload(): Promise<void> {
    this.#loadedAt = performance.now();
    const load = async () => {
      this.#keys = await readKeys(this.#database, this.#algorithm, this.verifying);
    };
    // Loads run one after the other, so that an older result never replaces a newer one.
    this.#loading = this.#loading.then(load, load);
    return this.#loading;
  }

  /** Reloads when the keys of this database change, in any process. @returns a function that stops it */
  async watch(onError: (error: unknown) => void): Promise<() => Promise<void>> {
    const stop = await this.#database.listen('signing_keys_changed', () => void this.reload().catch(onError));
    // Keys may have changed between loading and listening.
    await this.reload();
    return stop;
  }
}

interface LoadedKeys {
  current: SigningKeys['current'];
  verifying: SigningKeys['verifying'];
  publicKeys: JWK[];
  secretKey: string;
}

/** Loads the keys, and creates missing ones such as the first key of the algorithm. */
export async function loadKeys(database: Database, algorithm: SigningAlgorithm): Promise<SigningKeys> {
  return new SigningKeys(database, algorithm, await readKeys(database, algorithm, new Map()));
}

/** @param knownKeys public keys loaded earlier. They are reused, because the key of an id never changes */
async function readKeys(
  database: Database,
  algorithm: SigningAlgorithm,
  knownKeys: ReadonlyMap<string, CryptoKey>,
): Promise<LoadedKeys> {
  const keys = await storedKeys(database, algorithm);
  const secret = await database.query<{ value: string }>(`select value from backend.secrets where name = 'secret_key'`);
  const newest = keys.find(({ private_jwk: jwk }) => jwk.alg === algorithm);
  const secretKey = secret.rows[0]?.value;
  if (!newest || !secretKey) throw new Error('The signing keys of this database are incomplete.');
  const publicKeys = keys.map(({ private_jwk: jwk }) => publicPart(jwk));
  const verifying = await Promise.all(
    publicKeys.map(async (jwk) => {
      const kid = jwk.kid ?? '';
      return [kid, knownKeys.get(kid) ?? (await importKey(jwk))] as const;
    }),
  );
  return {
    current: { kid: newest.kid, alg: algorithm, privateKey: await importKey(newest.private_jwk) },
    verifying: new Map(verifying),
    publicKeys,
    secretKey,
  };
}

async function storedKeys(database: Database, algorithm: SigningAlgorithm): Promise<StoredKey[]> {
  const { rows } = await database.query<StoredKey>(SELECT_KEYS);
  if (rows.some(({ private_jwk: jwk }) => jwk.alg === algorithm)) return rows;
  return database.transaction(async (tx) => {
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
}

/** Adds a key that signs all new tokens. Tokens signed with earlier keys stay valid. @returns the id of the key */
export async function rotateSigningKey(database: Database, algorithm: SigningAlgorithm): Promise<string> {
  const [kid, jwk] = await newSigningKey(algorithm);
  await database.query('insert into backend.signing_keys (kid, private_jwk) values ($1, $2)', [kid, jwk]);
  return kid;
}

/**
 * Deletes a key that no longer signs, so that its tokens become invalid immediately, in all processes.
 * @returns false for the current signing key, and for an unknown id
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

/** Key ids, newest first. */
export async function listSigningKeys(
  database: Database,
  algorithm: SigningAlgorithm,
): Promise<{ kid: string; created_at: Date; alg: string; isSigning: boolean }[]> {
  const { rows } = await database.query<{ kid: string; created_at: Date; alg: string }>(
    `select kid, created_at, private_jwk ->> 'alg' as alg from backend.signing_keys order by created_at desc`,
  );
  const signing = rows.find(({ alg }) => alg === algorithm);
  return rows.map((key) => ({ ...key, isSigning: key === signing }));
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

/** Copies only the public members. The public members are listed, because a private RSA key has many secret members. */
function publicPart({ kty, crv, x, y, n, e, kid, alg, use }: JWK): JWK {
  const members = { kty, crv, x, y, n, e, kid, alg, use };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk);
  if (key instanceof Uint8Array) throw new Error('A signing key of this database is a symmetric key.');
  return key;
}
