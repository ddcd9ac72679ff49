/** Signatures of Solana wallets: Ed25519, with the public key as the address. */
import { createPublicKey, verify } from 'node:crypto';
import { base58 } from '@scure/base';
import { authError } from '../error-codes.ts';
import type { MessageFormat } from './sign-in-message.ts';

export const SOLANA_MESSAGE: MessageFormat = {
  prefix: 'siws',
  account: 'Solana',
  address: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  addressProblem: 'wallet address is not in base58 format',
  chainId: /^solana:(main|dev|test|local)net$/,
};

/** @param text 64 bytes in Base64 of either alphabet @throws ApiError 400 validation_failed */
export function readSolanaSignature(text: string): Buffer {
  if (text.length !== 86 && text.length !== 88) {
    throw authError('validation_failed', 'signature must be 64 bytes encoded as base64 with or without padding');
  }
  if (!/^[A-Za-z0-9+/_-]{86}(==)?$/.test(text)) {
    throw authError('validation_failed', 'signature does not contain valid base64 characters');
  }
  return Buffer.from(text, 'base64url');
}

export function isSignedBySolana(message: string, signature: Buffer, address: string): boolean {
  const key = base58.decode(address);
  if (key.length !== 32) return false;
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url') };
    return verify(null, Buffer.from(message), createPublicKey({ key: jwk, format: 'jwk' }), signature);
  } catch {
    // The address is not a point on the curve.
    return false;
  }
}
