/**
 * The RSA key that signs requests to identity providers. It is AUTH_SAML_PRIVATE_KEY, or a key that is created on first
 * use. A created key is stored in the database like the other keys (docs/decisions/access-and-keys.md).
 */
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Database } from '../../database/database.ts';
import { selfSignedCertificate } from './self-signed-certificate.ts';

export interface SamlKey {
  /** PKCS #8 in PEM. */
  privateKey: string;
  /** PEM, self-signed. SAML uses it only as a container for the public key. */
  certificate: string;
}

/** Loads the key once, on first use. */
export function createSamlKeyLoader(database: Database, configured: string | undefined): () => Promise<SamlKey> {
  let loading: Promise<SamlKey> | undefined;
  return () => {
    loading ??= loadKey(database, configured).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

async function loadKey(database: Database, configured: string | undefined): Promise<SamlKey> {
  const privateKey = configured ?? (await storedKey(database)) ?? (await storeNewKey(database));
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
  // Read the stored key, because another process may have created one first.
  const currentKey = await storedKey(database);
  if (!currentKey) throw new Error('The SAML key was deleted from this database');
  return currentKey;
}
