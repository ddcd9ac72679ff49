/** Wallets with real keys and the interface of browser wallets, for the official client. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58 } from '@scure/base';

export interface TestWallet {
  address: string;
  /** The signature of a message, in the format of POST /token. */
  sign(message: string): string;
}

export function newEthereumWallet(): TestWallet & {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>;
} {
  const { secretKey, publicKey } = secp256k1.keygen();
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  const address = `0x${Buffer.from(keccak_256(point.subarray(1)).subarray(12)).toString('hex')}`;
  const signMessage = (message: string) => {
    const text = Buffer.from(message);
    const digest = keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`), text]));
    const signature = secp256k1.sign(digest, secretKey, { prehash: false, format: 'recovered' });
    const recoveryId = 27 + (signature[0] ?? 0);
    return `0x${Buffer.concat([signature.subarray(1), Buffer.from([recoveryId])]).toString('hex')}`;
  };
  return {
    address,
    sign: signMessage,
    async request({ method, params }) {
      if (method === 'eth_requestAccounts') return [address];
      if (method === 'eth_chainId') return '0x1';
      if (method === 'personal_sign') return signMessage(Buffer.from(String(params?.[0]).slice(2), 'hex').toString());
      throw new Error(`The test wallet does not support ${method}`);
    },
  };
}

export function newSolanaWallet(): TestWallet & {
  publicKey: { toBase58(): string };
  signMessage(message: Uint8Array): Promise<Uint8Array>;
} {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const address = base58.encode(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'));
  return {
    address,
    sign: (message) => sign(null, Buffer.from(message), privateKey).toString('base64url'),
    publicKey: { toBase58: () => address },
    signMessage: async (message) => new Uint8Array(sign(null, message, privateKey)),
  };
}
