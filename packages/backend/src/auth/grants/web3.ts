/**
 * POST /token?grant_type=web3: exchanges a message, which a wallet signed recently for this site, for a session.
 * Checks and error messages are as in Supabase Auth (internal/api/web3.go), but each message can be used only once.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Queryable } from '../../database/database.ts';
import { type AuthCall, type Endpoint, readBody } from '../auth-call.ts';
import { authError, OAuthError } from '../error-codes.ts';
import { ensureAccount, retryOnConflict } from '../external-accounts.ts';
import type { ExternalProfile } from '../providers/provider.ts';
import { isAllowedRedirect } from '../redirects.ts';
import { openSession, tokenJson } from '../sessions.ts';
import { ETHEREUM_MESSAGE, isSignedByEthereum, readEthereumSignature } from '../web3/ethereum.ts';
import { parseSignInMessage, type SignInMessage } from '../web3/sign-in-message.ts';
import { isSignedBySolana, readSolanaSignature, SOLANA_MESSAGE } from '../web3/solana.ts';

/** Maximum accepted difference in milliseconds between now and the message's `Issued At`. */
const VALIDITY_MS = 10 * 60 * 1000;

const body = z.object({
  chain: z.string().max(50).default(''),
  message: z.string().default(''),
  signature: z.string().max(200).default(''),
});

export const web3Grant: Endpoint = async (call) => {
  const { config, database, limits } = call.auth;
  if (!config.AUTH_WEB3_ETHEREUM && !config.AUTH_WEB3_SOLANA) throw authError('web3_provider_disabled');
  const { chain, message, signature } = await readBody(call, body);
  if (chain !== 'ethereum' && chain !== 'solana') throw authError('web3_unsupported_chain');
  const isEnabled = chain === 'ethereum' ? config.AUTH_WEB3_ETHEREUM : config.AUTH_WEB3_SOLANA;
  if (!isEnabled) throw authError('web3_provider_disabled', `${chainName(chain)} Web3 provider is disabled`);
  await limits.signInPerAddress.consume(call.address);

  const signedMessage = parseSignedMessage(chain, message, signature);
  requireThisSite(call, chain, signedMessage);
  requireValidTime(chain, signedMessage);
  const profile = buildProfile(chain, signedMessage);
  const { user, session } = await retryOnConflict(() =>
    database.transaction(async (tx) => {
      await redeemMessage(tx, chain, message);
      const user = await ensureAccount(tx, call, profile);
      return { user, session: await openSession(tx, call, user, { method: 'web3', provider: 'web3' }) };
    }),
  );
  return Response.json(await tokenJson(call, user, session));
};

type Chain = 'ethereum' | 'solana';

function chainName(chain: Chain): string {
  return chain === 'ethereum' ? 'Ethereum' : 'Solana';
}

/** @throws ApiError 400 validation_failed; OAuthError if the signature is from another key */
function parseSignedMessage(chain: Chain, message: string, signature: string): SignInMessage {
  const bytes = Buffer.byteLength(message);
  if (bytes < 64) throw authError('validation_failed', 'message is too short');
  if (bytes > 20 * 1024) throw authError('validation_failed', 'message must not exceed 20KB');
  const [readSignature, isSigned, format] =
    chain === 'ethereum'
      ? ([readEthereumSignature, isSignedByEthereum, ETHEREUM_MESSAGE] as const)
      : ([readSolanaSignature, isSignedBySolana, SOLANA_MESSAGE] as const);
  const signatureBytes = readSignature(signature);
  const signInMessage = parseSignInMessage(message, format);
  if (!isSigned(message, signatureBytes, signInMessage.address)) {
    throw new OAuthError('invalid_grant', 'Signature does not match address in message');
  }
  return signInMessage;
}

/** @throws OAuthError for a message signed for another site */
function requireThisSite(call: AuthCall, chain: Chain, { uri, domain }: SignInMessage): void {
  const fail = (text: string) => new OAuthError('invalid_grant', `Signed ${chainName(chain)} message is using ${text}`);
  const isLocal = uri.hostname === 'localhost' || uri.hostname === '127.0.0.1';
  if (uri.protocol !== 'https:' && !isLocal) throw fail('URI which does not use HTTPS');
  if (!isAllowedRedirect(call.auth.config, call.siteUrl, uri)) {
    throw fail('URI which is not allowed on this server, message was signed for another app');
  }
  if (uri.host !== domain) {
    throw fail('a Domain that does not match the one in URI which is not allowed on this server');
  }
}

/** @throws OAuthError for a message that has expired or is not valid yet */
function requireValidTime(chain: Chain, { issuedAt, expirationTime, notBefore }: SignInMessage): void {
  const fail = (message: string) => new OAuthError('invalid_grant', message);
  const name = chainName(chain);
  const now = Date.now();
  if (notBefore && now < notBefore.getTime()) throw fail(`Signed ${name} message becomes valid in the future`);
  if (expirationTime && now > expirationTime.getTime()) throw fail(`Signed ${name} message is expired`);
  if (now > issuedAt.getTime() + VALIDITY_MS) throw fail(`${name} message was issued too long ago`);
  if (now < issuedAt.getTime() - VALIDITY_MS) throw fail(`${name} message was issued too far in the future`);
}

/** Marks the message as used. The key excludes the signature, because signatures have several encodings. */
async function redeemMessage(tx: Queryable, chain: Chain, message: string): Promise<void> {
  const hash = createHash('sha256').update(`${chain} ${message}`).digest('hex');
  const { rowCount } = await tx.query(
    'insert into backend.used_wallet_messages (message_hash) values ($1) on conflict do nothing',
    [hash],
  );
  if (rowCount === 0) throw new OAuthError('invalid_grant', `Signed ${chainName(chain)} message was already used`);
}

function buildProfile(chain: Chain, { address, chainId, domain, statement }: SignInMessage): ExternalProfile {
  const account = chain === 'ethereum' ? address.toLowerCase() : address;
  const subject = `web3:${chain}:${account}`;
  return {
    provider: 'web3',
    subject,
    emails: [],
    claims: {
      sub: subject,
      custom_claims: { address: account, chain, network: chainId, domain, statement: statement ?? '' },
    },
  };
}
