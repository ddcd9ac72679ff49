/** Signatures of Ethereum wallets: EIP-191 personal messages. The signing key is recovered from the signature. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { authError } from '../error-codes.ts';
import type { MessageFormat } from './sign-in-message.ts';

export const ETHEREUM_MESSAGE: MessageFormat = {
  prefix: 'siwe',
  account: 'Ethereum',
  address: /^0x[a-fA-F0-9]{40}$/,
  addressProblem: 'wallet address is not a valid Ethereum address',
  // https://eips.ethereum.org/EIPS/eip-155
  chainId: /^[1-9]\d{0,15}$/,
};

/** @param text 65 bytes in hexadecimal digits @throws ApiError 400 validation_failed */
export function readEthereumSignature(text: string): Buffer {
  const digits = text.replace(/^0x/, '');
  if (!/^[0-9a-fA-F]{130}$/.test(digits)) {
    throw authError(
      'validation_failed',
      'signature must be 65 bytes long, encoded as a 130 character-long hexadecimal string',
    );
  }
  return Buffer.from(digits, 'hex');
}

/** Returns whether the key of that address signed the message. The case of the address is only a checksum. */
export function isSignedByEthereum(message: string, signature: Buffer, address: string): boolean {
  const bytes = Buffer.from(message);
  const digest = keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes]));
  const last = signature[64] ?? 0;
  const recovery = last >= 27 ? last - 27 : last;
  if (recovery > 1) return false;
  try {
    const recovered = Buffer.concat([Buffer.from([recovery]), signature.subarray(0, 64)]);
    const compressed = secp256k1.recoverPublicKey(recovered, digest, { prehash: false });
    const point = secp256k1.Point.fromBytes(compressed).toBytes(false);
    const signer = Buffer.from(keccak_256(point.subarray(1))).subarray(12);
    return `0x${signer.toString('hex')}` === address.toLowerCase();
  } catch {
    // The signature is invalid, because it is not a point on the curve.
    return false;
  }
}
