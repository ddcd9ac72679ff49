/**
 * The RSA key that signs our requests to identity providers: AUTH_SAML_PRIVATE_KEY, else one that is made on first use
 * and kept in the database like the others (docs/decisions/access-and-keys.md).
 */
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Database } from '../../database/database.ts';
import { selfSignedCertificate } from './self-signed-certificate.ts';

export interface SamlKey {
  /** PKCS #8 in PEM. */
  privateKey: string;
  /** In PEM, signed by itself. SAML uses it as a vessel for the public key and reads nothing else in it. */
  certificate: string;
}

/** Loads the key when it is first asked for, once. */
export function createSamlKeyLoader(database: Database, given: string | undefined): () => Promise<SamlKey> {
  let loading: Promise<SamlKey> | undefined;
  return () => {
    loading ??= loadKey(database, given).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

async function loadKey(database: Database, given: string | undefined): Promise<SamlKey> {
  const privateKey = given ?? (await storedKey(database)) ?? (await storeNewKey(database));
  return { privateKey, certificate: selfSignedCertificate(privateKey) };
}

async function storedKey(database: Database): Promise<string | undefined> {
  const { rows } = await database.query<{ value: string }>(
    `select value from backend.secrets where name = 'saml_private_key'`,
  );
  return rows[0]?.value;
}

async function storeNewKey(database: Database): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  await database.query(
    `insert into backend.secrets (name, value) values ('saml_private_key', $1) on conflict do nothing`,
    [privateKey.export({ type: 'pkcs8', format: 'pem' })],
  );
  // Another copy of the process may have been first.
  const stored = await storedKey(database);
  if (!stored) throw new Error('The SAML key was deleted from this database');
  return stored;
}
