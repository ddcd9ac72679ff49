/** A self-signed certificate for an RSA key (RFC 5280), written as DER. */
import { createPublicKey, sign } from 'node:crypto';

/** DER tags (ITU-T X.690). */
const TAG = {
  integer: 0x02,
  bitString: 0x03,
  null: 0x05,
  objectId: 0x06,
  utf8: 0x0c,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  version: 0xa0,
};

const SHA256_WITH_RSA = Buffer.from('2a864886f70d01010b', 'hex');
const COMMON_NAME = Buffer.from('550403', 'hex');

/** Placeholder values: name and dates are not checked. */
const SERVICE_PROVIDER = { name: 'SAML 2.0 service provider', from: '20200101000000Z', until: '21700101000000Z' };

/**
 * Returns a self-signed certificate. The certificate of a key never changes, because identity providers are configured
 * with it. Key and certificate are PEM.
 */
export function selfSignedCertificate(privateKey: string, subject = SERVICE_PROVIDER): string {
  const algorithm = der(TAG.sequence, der(TAG.objectId, SHA256_WITH_RSA), der(TAG.null));
  const commonName = der(TAG.sequence, der(TAG.objectId, COMMON_NAME), der(TAG.utf8, Buffer.from(subject.name)));
  const name = der(TAG.sequence, der(TAG.set, commonName));
  const time = (text: string) => der(TAG.generalizedTime, Buffer.from(text));
  const toBeSigned = der(
    TAG.sequence,
    der(TAG.version, der(TAG.integer, Buffer.from([2]))),
    der(TAG.integer, Buffer.from([1])),
    algorithm,
    name,
    der(TAG.sequence, time(subject.from), time(subject.until)),
    name,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
  );
  const signature = der(TAG.bitString, Buffer.from([0]), sign('sha256', toBeSigned, privateKey));
  const base64 = der(TAG.sequence, toBeSigned, algorithm, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  if (content.length < 128) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const length = Buffer.from(content.length.toString(16).padStart(4, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 + length.length]), length, content]);
}
