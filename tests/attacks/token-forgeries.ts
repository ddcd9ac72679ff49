/** Access tokens that this installation did not issue, or issued for another purpose. */
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** Data that an attacker has. It includes a valid token and all public keys. */
export interface Stolen {
  /** A valid access token of an admin. */
  token: string;
  kid: string;
  /** Public keys, as served at /.well-known/jwks.json. */
  publicJwk: Record<string, unknown>;
  /** Signs with the key of the installation, as it does for other purposes than access tokens. */
  signed(header: object, payload: unknown): string;
  /** Secret of legacy tokens. */
  secret: string;
}

export interface Forgery {
  name: string;
  token: (stolen: Stolen) => string;
}

const encodePart = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const splitToken = ({ token }: Stolen) => {
  const [head = '', body = '', signature = ''] = token.split('.');
  return { head, body, signature };
};
const decodeClaims = (stolen: Stolen) =>
  JSON.parse(Buffer.from(splitToken(stolen).body, 'base64url').toString()) as Record<string, unknown>;
const createForgedClaims = (stolen: Stolen) => ({ ...decodeClaims(stolen), role: 'service_role' });

const createHeader = (stolen: Stolen) => ({ alg: 'ES256', kid: stolen.kid, typ: 'JWT' });
const attackerKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const attackerRsaKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });

const ecdsa = (key: KeyObject, input: string, encoding: 'ieee-p1363' | 'der' = 'ieee-p1363') =>
  sign('sha256', Buffer.from(input), { key, dsaEncoding: encoding }).toString('base64url');

/** Creates a token with that header and payload, signed with the attacker's own key. */
function signByAttacker(header: object, payload: unknown): string {
  const input = `${encodePart(header)}.${encodePart(payload)}`;
  return `${input}.${ecdsa(attackerKeys.privateKey, input)}`;
}

function signWithHmac(hash: string, secret: string | Buffer, header: object, payload: unknown): string {
  const input = `${encodePart(header)}.${encodePart(payload)}`;
  return `${input}.${createHmac(hash, secret).update(input).digest('base64url')}`;
}

const forge = (name: string, token: Forgery['token']): Forgery => ({ name, token });

const NONE: Forgery[] = [
  ...['none', 'None', 'NONE', 'nOnE', 'none ', '', null, 0, [], ['ES256'], {}, undefined].flatMap((alg) => {
    const name = JSON.stringify(alg) ?? 'nothing';
    const header = (stolen: Stolen) => encodePart({ alg, kid: stolen.kid, typ: 'JWT' });
    return [
      forge(
        `alg ${name} without a signature`,
        (stolen) => `${header(stolen)}.${encodePart(createForgedClaims(stolen))}.`,
      ),
      forge(`alg ${name} with the old signature`, (stolen) =>
        [header(stolen), encodePart(createForgedClaims(stolen)), splitToken(stolen).signature].join('.'),
      ),
    ];
  }),
  forge(
    'alg none in two parts',
    (stolen) => `${encodePart({ alg: 'none' })}.${encodePart(createForgedClaims(stolen))}`,
  ),
  forge('alg none with its own claims', (stolen) => `${encodePart({ alg: 'none' })}.${splitToken(stolen).body}.`),
];

/** Returns the formats of a public key that may be mistaken for a secret. */
function publicSecrets({ publicJwk, kid }: Stolen): Record<string, string | Buffer> {
  const key = createPublicKey({ key: publicJwk, format: 'jwk' });
  const pem = String(key.export({ type: 'spki', format: 'pem' }));
  const [x, y] = [publicJwk['x'], publicJwk['y']].map((value) => Buffer.from(String(value), 'base64url'));
  return {
    'the public key in PEM': pem,
    'the public key in PEM without its final newline': pem.trimEnd(),
    'the public key in PEM without its armor': pem.replaceAll(/-----[^-]+-----|\s/g, ''),
    'the public key in DER': key.export({ type: 'spki', format: 'der' }),
    'the public key as JSON': JSON.stringify(publicJwk),
    'the public key as JSON of Node': JSON.stringify(key.export({ format: 'jwk' })),
    'the public point': Buffer.concat([Buffer.from([4]), x ?? Buffer.alloc(0), y ?? Buffer.alloc(0)]),
    'half of the public point': x ?? '',
    'the key id': kid,
    nothing: '',
    'a word': 'secret',
    'the example secret': 'super-secret-jwt-token-with-at-least-32-characters-long',
  };
}

const SECRETS = [
  'the public key in PEM',
  'the public key in PEM without its final newline',
  'the public key in PEM without its armor',
  'the public key in DER',
  'the public key as JSON',
  'the public key as JSON of Node',
  'the public point',
  'half of the public point',
  'the key id',
  'nothing',
  'a word',
  'the example secret',
];

const CONFUSIONS: Forgery[] = [
  ...SECRETS.flatMap((name) =>
    [true, false].map((withKid) =>
      forge(`HS256 with ${name}, ${withKid ? 'with' : 'without'} the key id`, (stolen) => {
        // Node rejects an empty key for a JWT, but not for an HMAC.
        const secret = publicSecrets(stolen)[name] ?? '';
        return signWithHmac(
          'sha256',
          secret,
          { alg: 'HS256', ...(withKid ? { kid: stolen.kid } : {}) },
          createForgedClaims(stolen),
        );
      }),
    ),
  ),
  ...(['384', '512'] as const).map((bits) =>
    forge(`HS${bits} with the right secret`, (stolen) =>
      signWithHmac(`sha${bits}`, stolen.secret, { alg: `HS${bits}` }, decodeClaims(stolen)),
    ),
  ),
  forge('ES256 in the header, HS256 with the correct secret in the signature', (stolen) =>
    signWithHmac('sha256', stolen.secret, createHeader(stolen), decodeClaims(stolen)),
  ),
  ...['RS256', 'PS256', 'ES384', 'ES512', 'ES256K', 'EdDSA', 'HS256', 'es256', 'ES256 ', 'RSA1_5', 'dir'].map((alg) =>
    forge(`ES256 in the signature, ${alg} in the header`, (stolen) =>
      stolen.signed({ ...createHeader(stolen), alg }, decodeClaims(stolen)),
    ),
  ),
  forge('RS256 by an attacker with our key id', (stolen) => {
    const input = `${encodePart({ ...createHeader(stolen), alg: 'RS256' })}.${encodePart(decodeClaims(stolen))}`;
    return `${input}.${sign('sha256', Buffer.from(input), attackerRsaKeys.privateKey).toString('base64url')}`;
  }),
];

const KIDS: unknown[] = [
  undefined,
  null,
  '',
  0,
  true,
  [],
  {},
  'unknown',
  '00000000-0000-4000-8000-000000000000',
  '../../../../dev/null',
  '/dev/null',
  'file:///dev/null',
  'http://127.0.0.1:9/key',
  "' or true --",
  "x' union select 'AAAA",
  '__proto__',
  'constructor',
  'toString',
  '*',
  '%00',
  'a'.repeat(5000),
];

const KEYS: Forgery[] = [
  ...KIDS.map((kid) =>
    forge(`signed by an attacker with the key id ${(JSON.stringify(kid) ?? 'none').slice(0, 40)}`, (stolen) =>
      signByAttacker({ alg: 'ES256', kid }, decodeClaims(stolen)),
    ),
  ),
  forge('signed by another installation with our key id', (stolen) =>
    signByAttacker(createHeader(stolen), decodeClaims(stolen)),
  ),
  forge('signed by us with a key id in a list', (stolen) =>
    stolen.signed({ ...createHeader(stolen), kid: [stolen.kid] }, decodeClaims(stolen)),
  ),
  forge('signed by us without a key id', (stolen) => stolen.signed({ alg: 'ES256' }, decodeClaims(stolen))),
  forge('signed by us with our key id in upper case', (stolen) =>
    stolen.signed({ ...createHeader(stolen), kid: stolen.kid.toUpperCase() }, decodeClaims(stolen)),
  ),
  ...(
    [
      ['jwk', () => attackerKeys.publicKey.export({ format: 'jwk' })],
      ['jku', () => 'http://127.0.0.1:9/jwks.json'],
      ['x5u', () => 'http://127.0.0.1:9/key.pem'],
      ['x5c', () => [attackerKeys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')]],
      ['key', () => String(attackerKeys.publicKey.export({ type: 'spki', format: 'pem' }))],
    ] as const
  ).flatMap(([member, value]) =>
    [true, false].map((withKid) =>
      forge(`a key of the attacker in ${member}, ${withKid ? 'with' : 'without'} our key id`, (stolen) =>
        signByAttacker(
          { alg: 'ES256', ...(withKid ? { kid: stolen.kid } : {}), [member]: value() },
          createForgedClaims(stolen),
        ),
      ),
    ),
  ),
  ...[['exp'], ['b64'], ['unknown'], [], 'exp', [''], null].map((crit) =>
    forge(`signed by us with crit ${JSON.stringify(crit)}`, (stolen) =>
      stolen.signed({ ...createHeader(stolen), crit, unknown: 1 }, decodeClaims(stolen)),
    ),
  ),
  forge('signed by us with an unencoded payload', (stolen) =>
    stolen.signed({ ...createHeader(stolen), crit: ['b64'], b64: false }, decodeClaims(stolen)),
  ),
];

const now = () => Math.floor(Date.now() / 1000);

/** Claims that the installation never signs, or no longer signs. */
const CLAIMS: [name: string, claims: () => Record<string, unknown>][] = [
  ['an expiry long ago', () => ({ exp: now() - 86_400 })],
  ['an expiry a second ago', () => ({ exp: now() - 1 })],
  ['an expiry in 1970', () => ({ exp: 0 })],
  ['an expiry before 1970', () => ({ exp: -1 })],
  ['an expiry as a string', () => ({ exp: '9999999999' })],
  ['a null expiry', () => ({ exp: null })],
  ['an expiry in a list', () => ({ exp: [9_999_999_999] })],
  ['a start tomorrow', () => ({ nbf: now() + 86_400 })],
  ['a start as a string', () => ({ nbf: '0' })],
  ...[
    'postgres',
    'supabase_admin',
    'supabase_auth_admin',
    'authenticator',
    'pg_read_all_data',
    '',
    ' ',
    'AUTHENTICATED',
    'authenticated ',
    'service_role\0',
    'anon, service_role',
    '"service_role"',
  ].map((role): [string, () => Record<string, unknown>] => [`the role ${JSON.stringify(role)}`, () => ({ role })]),
  ...[0, true, [], ['service_role'], { role: 'service_role' }].map((role): [string, () => Record<string, unknown>] => [
    `the role ${JSON.stringify(role)} as a raw value`,
    () => ({ role }),
  ]),
  ['no role', () => ({ role: undefined })],
];

const PAYLOADS: Forgery[] = [
  ...CLAIMS.map(([name, claims]) =>
    forge(`signed by us with ${name}`, (stolen) =>
      stolen.signed(createHeader(stolen), { ...decodeClaims(stolen), ...claims() }),
    ),
  ),
  ...['', 'null', '[]', '1', '"text"', '{', '{"role":"authenticated"', 'role'].map((text) =>
    forge(`signed by us with the payload ${JSON.stringify(text)}`, (stolen) =>
      stolen.signed(createHeader(stolen), text),
    ),
  ),
  forge('other claims with the old signature', (stolen) =>
    [splitToken(stolen).head, encodePart(createForgedClaims(stolen)), splitToken(stolen).signature].join('.'),
  ),
  forge('a second role with the old signature', (stolen) => {
    const text = JSON.stringify(decodeClaims(stolen)).replace('{', '{"role":"service_role",');
    return [splitToken(stolen).head, encodePart(text), splitToken(stolen).signature].join('.');
  }),
  forge('a second alg with the old signature', (stolen) => {
    const text = JSON.stringify(createHeader(stolen)).replace('{', '{"alg":"none",');
    return [encodePart(text), splitToken(stolen).body, splitToken(stolen).signature].join('.');
  }),
  forge('another header with the old signature', (stolen) =>
    [encodePart({ ...createHeader(stolen), typ: 'JOSE' }), splitToken(stolen).body, splitToken(stolen).signature].join(
      '.',
    ),
  ),
];

/** Order n of the group. No valid signature has r or s equal to n. */
const ORDER = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex');
const ZERO = Buffer.alloc(32);
const ONE = Buffer.alloc(32).fill(1, 31);

const withSignature = (name: string, change: (signature: Buffer) => Buffer | string): Forgery =>
  forge(name, (stolen) => {
    const { head, body, signature } = splitToken(stolen);
    const result = change(Buffer.from(signature, 'base64url'));
    return [head, body, typeof result === 'string' ? result : result.toString('base64url')].join('.');
  });

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Encodes the same bytes differently. The last of the 86 characters has four unused bits. */
const otherEncoding = (signature: string) =>
  signature.slice(0, -1) + (ALPHABET[ALPHABET.indexOf(signature.at(-1) ?? 'A') ^ 1] ?? 'A');

const SIGNATURES: Forgery[] = [
  withSignature('no signature', () => ''),
  withSignature('(0, 0)', () => Buffer.concat([ZERO, ZERO])),
  withSignature('(0, s)', (bytes) => Buffer.concat([ZERO, bytes.subarray(32)])),
  withSignature('(r, 0)', (bytes) => Buffer.concat([bytes.subarray(0, 32), ZERO])),
  withSignature('(1, 1)', () => Buffer.concat([ONE, ONE])),
  withSignature('(n, n)', () => Buffer.concat([ORDER, ORDER])),
  withSignature('(0, n)', () => Buffer.concat([ZERO, ORDER])),
  withSignature('(s, r)', (bytes) => Buffer.concat([bytes.subarray(32), bytes.subarray(0, 32)])),
  withSignature('zeros in DER', () => Buffer.from('3006020100020100', 'hex')),
  withSignature('63 bytes', (bytes) => bytes.subarray(0, 63)),
  withSignature('65 bytes', (bytes) => Buffer.concat([bytes, Buffer.from([0])])),
  withSignature('128 bytes', (bytes) => Buffer.concat([bytes, bytes])),
  withSignature('one bit changed', (bytes) =>
    Buffer.concat([bytes.subarray(0, 63), Buffer.from([(bytes[63] ?? 0) ^ 1])]),
  ),
  withSignature('padding', (bytes) => `${bytes.toString('base64url')}==`),
  withSignature('Base64 instead of Base64url', (bytes) => `+/${bytes.toString('base64')}`),
  withSignature('another encoding of the same bytes', (bytes) => otherEncoding(bytes.toString('base64url'))),
  withSignature('hexadecimal', (bytes) => bytes.toString('hex')),
  withSignature('an invalid character', (bytes) => `${bytes.toString('base64url')}!`),
  forge('our signature of another token', (stolen) => {
    const [, , signature = ''] = stolen.signed(createHeader(stolen), { role: 'anon' }).split('.');
    return [splitToken(stolen).head, splitToken(stolen).body, signature].join('.');
  }),
  forge('padding in the claims', ({ token }) => token.replace(/\.([^.]+)\./, '.$1=.')),
  forge('a dot after it', ({ token }) => `${token}.`),
  forge('a dot before it', ({ token }) => `.${token}`),
  forge('two dots in it', ({ token }) => token.replace('.', '..')),
  forge('a fourth part', ({ token }) => `${token}.AAAA`),
  forge('five parts, like an encrypted token', ({ token }) => `${token}.AAAA.AAAA`),
  forge('only its first part', (stolen) => splitToken(stolen).head),
  forge('only its first two parts', (stolen) => `${splitToken(stolen).head}.${splitToken(stolen).body}`),
  forge('dots', () => '..'),
  forge('in JSON', (stolen) =>
    JSON.stringify({
      protected: splitToken(stolen).head,
      payload: splitToken(stolen).body,
      signature: splitToken(stolen).signature,
    }),
  ),
  forge('two copies separated by a comma', ({ token }) => `${token},${token}`),
  forge('in upper case', ({ token }) => token.toUpperCase()),
  forge('escaped', ({ token }) => token.replaceAll('.', '%2E')),
  forge('a word', () => 'undefined'),
  forge('ten thousand dots', () => '.'.repeat(10_000)),
];

export const FORGERIES: [kind: string, forgeries: Forgery[]][] = [
  ['Without an algorithm', NONE],
  ['With another algorithm', CONFUSIONS],
  ['With another key', KEYS],
  ['With invalid claims', PAYLOADS],
  ['With an invalid signature', SIGNATURES],
];
