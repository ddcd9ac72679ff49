import { generateKeyPairSync } from 'node:crypto';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from './config.ts';
import { OperatorError } from './database/operator-error.ts';

test('Without variables, the documented defaults are used', () => {
  const config = parseConfig({});
  expect(config).toMatchObject({
    PORT: 3000,
    HOST: '127.0.0.1',
    DATA_DIR: resolve('data'),
    PREVIEW_GATE: true,
    PREVIEW_PASSCODE: 'preview',
    STARTER_CONTENT: true,
    RATE_LIMITS: true,
    REST_SCHEMAS: ['public'],
    REST_AGGREGATES: false,
    REST_TX_OVERRIDE: false,
    S3_REGION: 'us-east-1',
  });
  expect(config.SITE_URL).toBeUndefined();
  expect(config.DATABASE_URL).toBeUndefined();
});

test('An empty value counts as unset, and surrounding white space is ignored', () => {
  expect(parseConfig({ PORT: '', HOST: '  ' })).toMatchObject({ PORT: 3000, HOST: '127.0.0.1' });
  expect(parseConfig({ PORT: ' 8080 ', SITE_URL: 'https://example.com/ ' })).toMatchObject({
    PORT: 8080,
    SITE_URL: 'https://example.com',
  });
});

test('Options are not read from the environment', () => {
  const environment = { AUTH_ANONYMOUS: 'on', AUTH_GOOGLE_CLIENT_ID: 'former', REST_SCHEMAS: 'not checked' };
  expect(parseConfig(environment)).toEqual(parseConfig({}));
  expect(parseConfig({}, { AUTH_ANONYMOUS: 'on' }).AUTH_ANONYMOUS).toBe(true);
});

test('Metrics listen on loopback unless an address is set', () => {
  const metricsAt = (METRICS_PORT: string) => parseConfig({ METRICS_PORT }).METRICS_PORT;
  expect(metricsAt('9464')).toEqual({ host: '127.0.0.1', port: 9464 });
  expect(metricsAt('0.0.0.0:9464')).toEqual({ host: '0.0.0.0', port: 9464 });
  expect(metricsAt('[::1]:9464')).toEqual({ host: '::1', port: 9464 });
  expect(parseConfig({}).METRICS_PORT).toBeUndefined();
  expect(() => metricsAt('anywhere')).toThrow('METRICS_PORT is "anywhere", but must be a port number');
});

test('A provider requires a supported name or an issuer', () => {
  const parseProviders = (...entries: object[]) =>
    parseConfig({ AUTH_PROVIDERS: JSON.stringify(entries) }).AUTH_PROVIDERS;
  const google = { name: 'google', client_id: 'web, of one name', client_secret: 'secret' };
  const acme = { name: 'google', issuer: 'https://id.example.com', client_id: 'x' };
  expect(parseProviders(google, acme, { name: 'azure', client_id: ['a', 'b'] })).toEqual([
    { ...google, client_id: ['web, of one name'] },
    { ...acme, scopes: ['email', 'profile'] },
    { name: 'azure', client_id: ['a', 'b'], tenant: 'common' },
  ]);
  for (const invalidEntries of [
    [google, google],
    [{ name: 'acme', client_id: 'x' }],
    [{ name: 'github', client_id: 'x' }],
    [{ ...google, tenant: 'common' }],
    [{ ...acme, issuer: 'http://id.example.com' }],
  ]) {
    expect(() => parseProviders(...invalidEntries)).toThrow('AUTH_PROVIDERS is a hidden value');
  }
  expect(() => parseConfig({ AUTH_PROVIDERS: 'google' })).toThrow('but must be a JSON list');
});

test('A DNS server is an IP address with an optional port', () => {
  const { DNS_SERVERS } = parseConfig({}, { DNS_SERVERS: '9.9.9.9, 127.0.0.1:5353, 2620:fe::fe, [2620:fe::fe]:53' });
  expect(DNS_SERVERS).toEqual(['9.9.9.9', '127.0.0.1:5353', '2620:fe::fe', '[2620:fe::fe]:53']);
  expect(parseConfig({}).DNS_SERVERS).toEqual([]);
});

test.for([
  ['PORT', '70000', 'PORT is "70000", but must be a port number from 0 to 65535.'],
  ['PORT', 'http', 'PORT is "http", but must be a port number from 0 to 65535.'],
  [
    'BACKUP_URL',
    's3://key:secret@bucket',
    'BACKUP_URL is a hidden value, but must be a folder such as /backups/site, or a bucket such as https://key:secret@s3.example.com/bucket/site.',
  ],
  ['HOST', 'not a host', 'HOST is "not a host", but must be an IP address or a host name.'],
  [
    'SITE_URL',
    'example.com',
    'SITE_URL is "example.com", but must be an http or https address such as https://example.com.',
  ],
  ['CDN_SECONDS', '86401', 'CDN_SECONDS is "86401", but must be a number of seconds from 0 to 86400.'],
  ['PREVIEW_GATE', 'yes', 'PREVIEW_GATE is "yes", but must be on or off.'],
  ['STARTER_CONTENT', '1', 'STARTER_CONTENT is "1", but must be on or off.'],
  ['RATE_LIMITS', 'none', 'RATE_LIMITS is "none", but must be on or off.'],
  [
    'DNS_SERVERS',
    '9.9.9.9, dns.example.com',
    'DNS_SERVERS is "9.9.9.9, dns.example.com", but must be IP addresses of resolvers such as 9.9.9.9, separated by commas.',
  ],
  [
    'REST_SCHEMAS',
    'public,pg_catalog',
    'REST_SCHEMAS is "public,pg_catalog", but must be public, followed by other schemas, separated by commas. System schemas of Postgres are not allowed.',
  ],
  [
    'REST_SCHEMAS',
    'shop,public',
    'REST_SCHEMAS is "shop,public", but must be public, followed by other schemas, separated by commas. System schemas of Postgres are not allowed.',
  ],
  ['REST_AGGREGATES', 'yes', 'REST_AGGREGATES is "yes", but must be on or off.'],
  ['ADMIN_EMAIL', 'root', 'ADMIN_EMAIL is "root", but must be an email address.'],
  ['DATABASE_POOL_SIZE', '1', 'DATABASE_POOL_SIZE is "1", but must be a number of connections from 2 to 1000.'],
  ['S3_ENDPOINT', 's3', 'S3_ENDPOINT is "s3", but must be an http or https address.'],
  [
    'SUPABASE_URL',
    'ftp://abc.supabase.co',
    'SUPABASE_URL is "ftp://abc.supabase.co", but must be the http or https address of a Supabase project.',
  ],
  ['AUTH_SIGNUPS', 'no', 'AUTH_SIGNUPS is "no", but must be on or off.'],
  ['AUTH_PASSWORD_MIN_LENGTH', '5', 'AUTH_PASSWORD_MIN_LENGTH is "5", but must be a number from 6 to 72.'],
  [
    'AUTH_PASSWORD_CHARACTERS',
    'symbols',
    'AUTH_PASSWORD_CHARACTERS is "symbols", but must be one of none, letters_digits, lower_upper_letters_digits, lower_upper_letters_digits_symbols.',
  ],
  [
    'AUTH_REFRESH_REUSE_SECONDS',
    '301',
    'AUTH_REFRESH_REUSE_SECONDS is "301", but must be a number of seconds from 0 to 300.',
  ],
  ['AUTH_SIGNING_ALGORITHM', 'HS256', 'AUTH_SIGNING_ALGORITHM is "HS256", but must be ES256 or RS256.'],
  ['CAPTCHA_PROVIDER', 'recaptcha', 'CAPTCHA_PROVIDER is "recaptcha", but must be hcaptcha or turnstile.'],
  ['SMS_URL', 'sms', 'SMS_URL is "sms", but must be an http or https address.'],
  [
    'SMS_FROM',
    '+0',
    'SMS_FROM is "+0", but must be a number such as +4790000000, a sender name of up to 11 letters, digits and spaces, or the id of a messaging service.',
  ],
  ['SMS_PER_HOUR', '0', 'SMS_PER_HOUR is "0", but must be a number from 1 to 1000000.'],
  ['MAIL_FROM', 'x', 'MAIL_FROM is "x", but must be a sender such as Example <hello@example.com>.'],
  ['AI_BASE_URL', 'gpt', 'AI_BASE_URL is "gpt", but must be an http or https address.'],
])('%s=%s is rejected with a message that names the valid values', ([name = '', value = '', message = '']) => {
  expect(() => parseConfig({ [name]: value }, { [name]: value })).toThrow(new OperatorError(message));
});

test.for([
  ['PREVIEW_PASSCODE', 'x'.repeat(201)],
  ['ADMIN_PASSWORD', 'hunter2'],
  ['DATABASE_URL', 'mysql://user:hunter2@host/db'],
  ['DATABASE_DIRECT_URL', 'mysql://user:hunter2@host/db'],
  ['JWT_SECRET', 'hunter2'],
  ['AUTH_SAML_PRIVATE_KEY', 'hunter2'],
  ['SMTP_URL', 'http://user:hunter2@host'],
  ['CDN_PURGE_URL', 'ftp://hunter2@cdn.example'],
  ['AUTH_PROVIDERS', '[{"name": "github", "client_id": "x", "client_secret": "hunter2", "tenant": "x"}]'],
])('The message never contains the value of %s', ([name = '', value = '']) => {
  expect(() => parseConfig({ [name]: value }, { [name]: value })).toThrow(`${name} is a hidden value, but must be`);
  expect(() => parseConfig({ [name]: value }, { [name]: value })).not.toThrow(value);
});

test('AUTH_SAML_PRIVATE_KEY accepts PKCS #1 and #8 in PEM or base64, and rejects weak and non-RSA keys', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  for (const type of ['pkcs1', 'pkcs8'] as const) {
    const base64 = privateKey.export({ type, format: 'der' }).toString('base64');
    expect(parseConfig({}, { AUTH_SAML_PRIVATE_KEY: base64 }).AUTH_SAML_PRIVATE_KEY).toBe(pem);
    const text = String(privateKey.export({ type, format: 'pem' }));
    expect(parseConfig({}, { AUTH_SAML_PRIVATE_KEY: text }).AUTH_SAML_PRIVATE_KEY).toBe(pem);
  }
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  for (const key of [weak, elliptic]) {
    const AUTH_SAML_PRIVATE_KEY = key.export({ type: 'pkcs8', format: 'der' }).toString('base64');
    expect(() => parseConfig({}, { AUTH_SAML_PRIVATE_KEY })).toThrow('RSA key of at least 2048 bits');
  }
});

test.for([
  [
    { SUPABASE_URL: 'https://abc.supabase.co' },
    'SUPABASE_PUBLISHABLE_KEY is not set, but required together with SUPABASE_URL.',
  ],
  [{ CAPTCHA_PROVIDER: 'turnstile' }, 'CAPTCHA_SECRET is not set, but required together with CAPTCHA_PROVIDER.'],
  [{ CAPTCHA_SECRET: 'x' }, 'CAPTCHA_PROVIDER is not set, but required together with CAPTCHA_SECRET.'],
  [{ CAPTCHA_SITE_KEY: '0x4AAA' }, 'CAPTCHA_SITE_KEY is set without CAPTCHA_PROVIDER. Set both.'],
  [{ SMS_ACCOUNT_SID: 'AC1' }, 'SMS_AUTH_TOKEN and SMS_FROM are not set, but required together with SMS_ACCOUNT_SID.'],
  [
    { DATABASE_DIRECT_URL: 'postgres://host/db' },
    'DATABASE_DIRECT_URL is set without DATABASE_URL. Set both to the same server.',
  ],
  [{ AI_BASE_URL: 'https://ai.example' }, 'AI_MODEL is not set, but required together with AI_BASE_URL.'],
  [
    { S3_ENDPOINT: 'https://s3.example', S3_BUCKET: 'files' },
    'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are not set, but required together with S3_ENDPOINT and S3_BUCKET.',
  ],
] as const)('%o is rejected without the settings that it requires', ([environment, message]) => {
  expect(() => parseConfig({ ...environment })).toThrow(new OperatorError(message));
});

test('ADMIN_EMAIL and ADMIN_PASSWORD can be set independently', () => {
  expect(parseConfig({ ADMIN_EMAIL: 'a@example.com' }).ADMIN_PASSWORD).toBeUndefined();
  expect(parseConfig({ ADMIN_PASSWORD: 'Passw0rd' }).ADMIN_EMAIL).toBeUndefined();
});
