/** Sign-in with wallets: the official client with real signatures, and attacks. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from './support/test-backend.ts';
import { newEthereumWallet, newSolanaWallet, type TestWallet } from './support/wallets.ts';

const SITE = 'https://signalfjord.example.com';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend({ AUTH_WEB3_ETHEREUM: 'on', AUTH_WEB3_SOLANA: 'on', SITE_URL: SITE });
});
afterAll(() => site.close());

type Chain = 'ethereum' | 'solana';

async function post(backend: TestBackend, chain: string, message: string, signature: string) {
  const response = await fetch(`${backend.url}/auth/v1/token?grant_type=web3`, {
    method: 'POST',
    body: JSON.stringify({ chain, message, signature }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const newWallet = (chain: Chain): TestWallet => (chain === 'ethereum' ? newEthereumWallet() : newSolanaWallet());
const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();

/** Builds a valid message with the given changes. Null omits a field. */
function messageFor(chain: Chain, address: string, changes: Record<string, string | null> = {}): string {
  const { domain = 'signalfjord.example.com', statement = 'Sign in', ...fields } = changes;
  const lines = Object.entries({
    URI: `${SITE}/auth`,
    Version: '1',
    'Chain ID': chain === 'ethereum' ? '1' : 'solana:mainnet',
    Nonce: crypto.randomUUID(),
    'Issued At': minutes(0),
    ...fields,
  }).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  const account = chain === 'ethereum' ? 'Ethereum' : 'Solana';
  return [
    `${domain} wants you to sign in with your ${account} account:`,
    address,
    '',
    ...(statement === null ? [] : [statement, '']),
    ...lines,
  ].join('\n');
}

describe('The official client', () => {
  test('An Ethereum wallet can sign up and then sign in again, regardless of the case of its address', async () => {
    const wallet = newEthereumWallet();
    const signIn = () =>
      site.visitor.auth.signInWithWeb3({
        chain: 'ethereum',
        // The client's wallet type also requires events, which it never uses.
        wallet: wallet as never,
        statement: 'I accept the terms.',
        options: { url: `${SITE}/auth` },
      });
    const first = await signIn();
    expect(first.error).toBeNull();
    expect(first.data.user).toMatchObject({
      email: '',
      app_metadata: { provider: 'web3', providers: ['web3'] },
      user_metadata: {
        sub: `web3:ethereum:${wallet.address}`,
        custom_claims: {
          address: wallet.address,
          chain: 'ethereum',
          network: '1',
          domain: 'signalfjord.example.com',
          statement: 'I accept the terms.',
        },
      },
    });
    const claims = await site.visitor.auth.getClaims(first.data.session?.access_token);
    expect(claims.data?.claims.amr).toMatchObject([{ method: 'web3' }]);
    const second = await signIn();
    expect(second.data.user?.id).toBe(first.data.user?.id);

    const upperCaseAddress = wallet.address.toUpperCase().replace('0X', '0x');
    const message = messageFor('ethereum', upperCaseAddress);
    const thirdResponse = await post(site, 'ethereum', message, wallet.sign(message));
    expect(thirdResponse).toMatchObject({ status: 200, body: { user: { id: first.data.user?.id } } });
  });

  test('A Solana wallet can sign up and then sign in again, with and without a statement', async () => {
    const wallet = newSolanaWallet();
    const signIn = (statement?: string) =>
      site.visitor.auth.signInWithWeb3({
        chain: 'solana',
        wallet: wallet as never,
        ...(statement && { statement }),
        options: { url: `${SITE}/auth`, signInWithSolana: { chainId: 'solana:mainnet' } as never },
      });
    const first = await signIn('I accept the terms.');
    expect(first.error).toBeNull();
    const second = await signIn();
    expect(second.error).toBeNull();
    expect(second.data.user).toMatchObject({
      id: first.data.user?.id,
      identities: [{ provider: 'web3', id: `web3:solana:${wallet.address}` }],
    });
  });
});

describe.each(['ethereum', 'solana'] as const)('On %s', (chain) => {
  const name = chain === 'ethereum' ? 'Ethereum' : 'Solana';
  const signMessage = (changes: Record<string, string | null> = {}) => {
    const wallet = newWallet(chain);
    const message = messageFor(chain, wallet.address, changes);
    return [message, wallet.sign(message)] as const;
  };

  test('A message with all fields is accepted', async () => {
    const [message, signature] = signMessage({
      'Expiration Time': minutes(5),
      'Not Before': minutes(-5),
      'Request ID': 'a-request',
    });
    const wallet = newWallet(chain);
    const withResources = `${messageFor(chain, wallet.address)}\nResources:\n- https://example.com/terms\n- ipfs://a`;
    expect((await post(site, chain, message, signature)).status).toBe(200);
    expect((await post(site, chain, withResources, wallet.sign(withResources))).status).toBe(200);
  });

  test('A message can be used for one sign-in, even in concurrent requests', async () => {
    const [message, signature] = signMessage();
    const responses = await Promise.all([1, 2, 3].map(() => post(site, chain, message, signature)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
    expect(await post(site, chain, message, signature)).toEqual({
      status: 400,
      body: { error: 'invalid_grant', error_description: `Signed ${name} message was already used` },
    });
  });

  test.each([
    [
      'the URI and domain of another site',
      { URI: 'https://evil.example/auth', domain: 'evil.example' },
      'message was signed for another app',
    ],
    ['the domain of another site in its first line', { domain: 'evil.example' }, 'Domain that does not match'],
    ['a URI without TLS', { URI: 'http://signalfjord.example.com/' }, 'does not use HTTPS'],
    ['an old issue time', { 'Issued At': minutes(-11) }, `${name} message was issued too long ago`],
    ['a future issue time', { 'Issued At': minutes(11) }, `${name} message was issued too far in the future`],
    [
      'a past expiration time',
      { 'Issued At': minutes(-5), 'Expiration Time': minutes(-1) },
      `Signed ${name} message is expired`,
    ],
    ['a future start time', { 'Not Before': minutes(2) }, `Signed ${name} message becomes valid in the future`],
  ])('A message with %s is rejected', async (_title, changes, message) => {
    const response = await post(site, chain, ...signMessage(changes));
    expect(response).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(response.body['error_description']).toContain(message);
  });

  test.each([
    ['version 2', { Version: '2' }, 'Version value is not supported, expected 1 got "2"'],
    ['no version', { Version: null }, 'Version value is not supported, expected 1 got ""'],
    ['no URI', { URI: null }, 'URI is not specified'],
    ['an invalid URI', { URI: 'javascript:alert(1)' }, 'URI is not valid'],
    ['no issue time', { 'Issued At': null }, 'Issued At is not specified'],
    ['an invalid issue time', { 'Issued At': 'today' }, 'Issued At is not a valid ISO8601 timestamp'],
    ['an unknown chain', { 'Chain ID': '-1' }, 'Chain ID is not valid'],
    ['an unknown field', { Amount: '1000' }, 'encountered unparsable line at index 10'],
    ['a duplicate field', { Nonce: `1\nURI: ${SITE}/` }, 'encountered unparsable line at index 9'],
    ['a line break in its statement', { statement: 'Sign in\nto us' }, 'encountered unparsable line at index 3'],
    ['a field hidden by a carriage return', { Nonce: '1\rVersion: 1' }, 'encountered unparsable line at index 8'],
    ['an invalid domain', { domain: 'user@signalfjord.example.com' }, 'domain in first line of message'],
  ])('A message with %s is rejected', async (_title, changes, message) => {
    const response = await post(site, chain, ...signMessage(changes));
    expect(response).toMatchObject({ status: 400, body: { error_code: 'validation_failed' } });
    expect(response.body['msg']).toContain(message);
  });

  test('A signature by a different wallet is rejected', async () => {
    const [message] = signMessage();
    const response = await post(site, chain, message, newWallet(chain).sign(message));
    expect(response.body).toEqual({
      error: 'invalid_grant',
      error_description: 'Signature does not match address in message',
    });
  });

  test('A signature for a different message is rejected', async () => {
    const wallet = newWallet(chain);
    const message = messageFor(chain, wallet.address);
    const response = await post(site, chain, message, wallet.sign(`${message} `));
    expect(response.body).toMatchObject({ error: 'invalid_grant' });
  });

  test.each(['', 'x', '0'.repeat(130), `0x${'f'.repeat(130)}`, '='.repeat(88), 'A'.repeat(86)])(
    'The signature %j is rejected',
    async (signature) => {
      expect((await post(site, chain, signMessage()[0], signature)).status).toBe(400);
    },
  );

  test.each(['', 'x'.repeat(100), 'x'.repeat(30_000), '\n'.repeat(80)])('Malformed text is rejected', async (text) => {
    const response = await post(site, chain, text, signMessage()[1]);
    expect(response).toMatchObject({ status: 400, body: { error_code: 'validation_failed' } });
  });
});

test('A disabled or unknown chain is rejected with the messages of Supabase Auth', async () => {
  const solanaOnly = await startTestBackend({ AUTH_WEB3_SOLANA: 'on' });
  expect(await post(solanaOnly, 'ethereum', '', '')).toMatchObject({
    status: 422,
    body: { error_code: 'web3_provider_disabled', msg: 'Ethereum Web3 provider is disabled' },
  });
  expect(await post(solanaOnly, 'dogecoin', '', '')).toMatchObject({
    status: 400,
    body: { error_code: 'web3_unsupported_chain', msg: 'Unsupported chain' },
  });
  await solanaOnly.close();
});

test('An IP network can create thirty wallet accounts per hour, and existing accounts can still sign in', async () => {
  const limited = await startTestBackend({ AUTH_WEB3_SOLANA: 'on', SITE_URL: SITE, RATE_LIMITS: 'on' });
  const signIn = (wallet: TestWallet) => {
    const message = messageFor('solana', wallet.address);
    return post(limited, 'solana', message, wallet.sign(message));
  };
  const wallet = newSolanaWallet();
  expect((await signIn(wallet)).status).toBe(200);
  const responses = await Promise.all(Array.from({ length: 30 }, () => signIn(newSolanaWallet())));
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(1);
  expect((await signIn(wallet)).status).toBe(200);
  await limited.close();
});
