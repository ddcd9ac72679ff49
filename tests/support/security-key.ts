import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

interface CeremonyOptions {
  rpId: string;
  /** base64url, or the bytes that the official client decodes from it. */
  challenge: string | ArrayBuffer | Uint8Array;
  origin: string;
  /** True if the user entered a PIN or used biometrics. False if they only touched the key. */
  userVerified?: boolean;
  userHandle?: string;
}

/** A software authenticator (ES256, attestation "none") whose responses a test can change. */
export class SecurityKey {
  readonly id = randomBytes(16).toString('base64url');
  counter = 0;
  readonly #key: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  /** Returns the response to navigator.credentials.create() as JSON. */
  register({ rpId, userVerified = true, ...options }: CeremonyOptions) {
    const { x = '', y = '' } = this.#key.publicKey.export({ format: 'jwk' });
    const cose = new Map<number, number | Uint8Array<ArrayBuffer>>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]);
    const id = Buffer.from(this.id, 'base64url');
    const authData = Buffer.concat([
      this.#head(rpId, 0x41 | (userVerified ? 4 : 0)),
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id,
      isoCBOR.encode(cose),
    ]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ]);
    return this.#credential({
      clientDataJSON: clientData('webauthn.create', options).toString('base64url'),
      attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
      transports: ['usb' as const],
    });
  }

  /** Returns the response to navigator.credentials.get() as JSON. */
  authenticate({ rpId, userVerified = true, userHandle, ...options }: CeremonyOptions) {
    this.counter += 1;
    const authData = this.#head(rpId, 1 | (userVerified ? 4 : 0));
    const client = clientData('webauthn.get', options);
    const signedBytes = Buffer.concat([authData, createHash('sha256').update(client).digest()]);
    return this.#credential({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signedBytes, this.#key.privateKey).toString('base64url'),
      ...(userHandle ? { userHandle: Buffer.from(userHandle).toString('base64url') } : {}),
    });
  }

  #head(rpId: string, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), counter]);
  }

  #credential<Response>(response: Response) {
    return { id: this.id, rawId: this.id, type: 'public-key' as const, response, clientExtensionResults: {} };
  }
}

function clientData(type: string, { challenge, origin }: Pick<CeremonyOptions, 'challenge' | 'origin'>): Buffer {
  const encoded =
    typeof challenge === 'string' ? challenge : Buffer.from(new Uint8Array(challenge)).toString('base64url');
  return Buffer.from(JSON.stringify({ type, challenge: encoded, origin, crossOrigin: false }));
}
