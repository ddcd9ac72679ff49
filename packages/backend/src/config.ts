import { createPrivateKey } from 'node:crypto';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { OperatorError } from './database/operator-error.ts';
import { SIGNING_ALGORITHMS } from './http/keys.ts';
import { providerList } from './provider-settings.ts';

const onOff = z.enum(['on', 'off']).transform((value) => value === 'on');
const httpUrl = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .pipe(z.number().max(65_535));
const host = z.string().refine((value) => isIP(value) > 0 || /^[a-z0-9.-]+$/i.test(value));

/** Returns true for an IP address, optionally with a port: 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:5353. */
function isDnsServer(entry: string): boolean {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([^:]+)):\d{1,5}$/.exec(entry) ?? [];
  return isIP(bracketed ?? plain ?? entry) > 0;
}

/** A port, on loopback unless an address precedes it. */
const metricsAddress = z
  .string()
  .transform((value) => ({ .../^(?:\[?(?<host>[^\]]+?)\]?:)?(?<port>\d+)$/.exec(value)?.groups }))
  .pipe(z.object({ host: host.default('127.0.0.1'), port }));

const list = z.string().transform((value) =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean),
);

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));

/** Character sets that a password can be required to contain, by their names in Supabase's config.toml. */
const PASSWORD_CHARACTERS = {
  none: [],
  letters_digits: ['abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'],
  lower_upper_letters_digits: ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'],
  lower_upper_letters_digits_symbols: [
    'abcdefghijklmnopqrstuvwxyz',
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    '0123456789',
    `!@#$%^&*()_+-=[]{};'\\:"|<>?,./\`~`,
  ],
} as const satisfies Record<string, readonly string[]>;

/** The same rule as in the sign-in form. The form would not accept other passwords. */
const password = z.string().regex(/^(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9]).{8,128}$/s);

/** Accepts PEM, or base64 of DER as in Supabase. Returns PKCS #8 as PEM. */
function toRsaKey(value: string, context: z.RefinementCtx<string>): string {
  const der = { key: Buffer.from(value, 'base64'), format: 'der' } as const;
  for (const input of [value, { ...der, type: 'pkcs1' }, { ...der, type: 'pkcs8' }] as const) {
    try {
      const key = createPrivateKey(input);
      const isStrong = key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048;
      if (isStrong) return String(key.export({ type: 'pkcs8', format: 'pem' }));
    } catch {
      // The value has another format.
    }
  }
  context.addIssue({ code: 'custom' });
  return z.NEVER;
}

/**
 * Each variable with its schema and a description of its valid values. config-descriptions.ts describes what each
 * variable is for.
 */
export const VARIABLES = {
  PORT: [port.default(3000), 'a port number from 0 to 65535'],
  HOST: [host.default('127.0.0.1'), 'an IP address or a host name'],
  METRICS_PORT: [
    metricsAddress.optional(),
    'a port number from 0 to 65535, or an address and a port such as 0.0.0.0:9464',
  ],
  ACCESS_LOG: [onOff.default(false), 'on or off'],
  DATA_DIR: [
    z
      .string()
      .min(1)
      .default('./data')
      .transform((folder) => resolve(folder)),
    'a folder',
  ],
  SITE_URL: [httpUrl.optional(), 'an http or https address such as https://example.com'],
  CDN_PURGE_URL: [httpUrl.optional(), 'an http or https address, with a token as in https://token@cdn.example/purge'],
  PREVIEW_GATE: [onOff.default(true), 'on or off'],
  PREVIEW_PASSCODE: [z.string().min(1).max(200).default('preview'), '1 to 200 characters'],
  ADMIN_EMAIL: [z.email().max(255).optional(), 'an email address'],
  ADMIN_PASSWORD: [
    password.optional(),
    'a password of 8 to 128 characters with an uppercase letter, a lowercase letter and a number',
  ],
  STARTER_CONTENT: [onOff.default(true), 'on or off'],
  DATABASE_URL: [
    z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    'an address such as postgres://user:password@host:5432/database',
  ],
  DATABASE_DIRECT_URL: [
    z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    'an address such as postgres://user:password@host:5432/database',
  ],
  DATABASE_POOL_SIZE: [wholeNumber(2, 1000).default(10), 'a number of connections from 2 to 1000'],
  BACKUP_URL: [
    z
      .union([
        z.url({ protocol: /^file$/ }),
        z
          .string()
          .startsWith('/')
          .transform((path) => pathToFileURL(path).href),
        z.url({ protocol: /^https?$/ }).regex(/^https?:\/\/[^/?#]+\/[^/?#]/),
      ])
      .optional(),
    'a folder such as /backups/site, or a bucket such as https://key:secret@s3.example.com/bucket/site',
  ],
  S3_ENDPOINT: [httpUrl.optional(), 'an http or https address'],
  S3_REGION: [z.string().min(1).default('us-east-1'), 'a region name'],
  S3_BUCKET: [z.string().min(1).optional(), 'a bucket name'],
  S3_ACCESS_KEY_ID: [z.string().min(1).optional(), 'an access key id'],
  S3_SECRET_ACCESS_KEY: [z.string().min(1).optional(), 'a secret access key'],
  SUPABASE_URL: [httpUrl.optional(), 'the http or https address of a Supabase project'],
  SUPABASE_PUBLISHABLE_KEY: [z.string().min(1).optional(), 'the publishable (or anon) key of the Supabase project'],
  SUPABASE_SECRET_KEY: [z.string().min(1).optional(), 'the secret (or service_role) key of the Supabase project'],
  JWT_SECRET: [z.string().min(32).optional(), 'a secret of at least 32 characters'],
  SMTP_URL: [z.url({ protocol: /^smtps?$/ }).optional(), 'an address such as smtp://user:password@host:587'],
  MAIL_FROM: [z.string().min(3).max(320).optional(), 'a sender such as Example <hello@example.com>'],
  AUTH_SIGNUPS: [onOff.default(true), 'on or off'],
  AUTH_PHONE: [onOff.default(false), 'on or off'],
  SMS_ACCOUNT_SID: [z.string().min(1).optional(), 'an account id'],
  SMS_AUTH_TOKEN: [z.string().min(1).optional(), 'an access token'],
  SMS_FROM: [
    z
      .string()
      .regex(/^(\+[1-9]\d{1,14}|MG[0-9a-f]{32}|[A-Za-z0-9 ]{1,11})$/)
      .optional(),
    'a number such as +4790000000, a sender name of up to 11 letters, digits and spaces, or the id of a messaging service',
  ],
  CAPTCHA_PROVIDER: [z.enum(['hcaptcha', 'turnstile']).optional(), 'hcaptcha or turnstile'],
  CAPTCHA_SECRET: [z.string().min(1).optional(), 'the secret of the captcha provider'],
  CAPTCHA_SITE_KEY: [
    z
      .string()
      .regex(/^[\w-]{1,200}$/)
      .optional(),
    'the site key of the captcha provider',
  ],
  AUTH_CONFIRM_EMAIL: [onOff.default(false), 'on or off'],
  AUTH_REDIRECT_URLS: [
    list.pipe(z.array(z.url())).default([]),
    'addresses such as https://app.example.com, separated by commas',
  ],
  AUTH_PROVIDERS: [
    providerList.default([]),
    'a JSON list of {"name", "client_id", "client_secret"}. "name" is google, azure, apple, github or linkedin_oidc. Any other name also needs "issuer"',
  ],
  AUTH_OAUTH_SERVER: [onOff.default(false), 'on or off'],
  AUTH_SAML: [onOff.default(false), 'on or off'],
  TRUSTED_PROXIES: [
    list.pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]))).default([]),
    'IP addresses or networks such as 10.0.0.0/8, separated by commas',
  ],
  RATE_LIMITS: [onOff.default(true), 'on or off'],
  AI_BASE_URL: [httpUrl.optional(), 'an http or https address'],
  AI_API_KEY: [z.string().min(1).optional(), 'a key'],
  AI_MODEL: [z.string().min(1).optional(), 'a model name'],
} satisfies Record<string, [z.ZodType, string]>;

/**
 * Options that the host application passes to parseConfig(), in the same format as environment variables. They are not
 * read from the environment.
 */
export const OPTIONS = {
  CDN_SECONDS: [wholeNumber(0, 86_400).optional(), 'a number of seconds from 0 to 86400'],
  DNS_SERVERS: [
    list.pipe(z.array(z.string().refine(isDnsServer))).default([]),
    'IP addresses of resolvers such as 9.9.9.9, separated by commas',
  ],
  AUTH_ANONYMOUS: [onOff.default(false), 'on or off'],
  AUTH_CONFIRM_PHONE: [onOff.default(true), 'on or off'],
  SMS_URL: [httpUrl.default('https://api.twilio.com'), 'an http or https address'],
  SMS_PER_HOUR: [wholeNumber(1, 1_000_000).default(100), 'a number from 1 to 1000000'],
  CAPTCHA_URL: [httpUrl.optional(), 'an http or https address'],
  AUTH_SECURE_PASSWORD_CHANGE: [onOff.default(true), 'on or off'],
  AUTH_PASSWORD_MIN_LENGTH: [wholeNumber(6, 72).default(8), 'a number from 6 to 72'],
  AUTH_PASSWORD_CHARACTERS: [
    z
      .enum(Object.keys(PASSWORD_CHARACTERS) as (keyof typeof PASSWORD_CHARACTERS)[])
      .default('lower_upper_letters_digits')
      .transform((name): readonly string[] => PASSWORD_CHARACTERS[name]),
    `one of ${Object.keys(PASSWORD_CHARACTERS).join(', ')}`,
  ],
  AUTH_REFRESH_REUSE_SECONDS: [wholeNumber(0, 300).default(10), 'a number of seconds from 0 to 300'],
  AUTH_SIGNING_ALGORITHM: [z.enum(SIGNING_ALGORITHMS).default('ES256'), 'ES256 or RS256'],
  AUTH_MANUAL_LINKING: [onOff.default(false), 'on or off'],
  AUTH_CUSTOM_PROVIDERS_PRIVATE_NETWORKS: [onOff.default(false), 'on or off'],
  AUTH_WEB3_ETHEREUM: [onOff.default(false), 'on or off'],
  AUTH_WEB3_SOLANA: [onOff.default(false), 'on or off'],
  AUTH_OAUTH_REGISTRATION: [onOff.default(false), 'on or off'],
  AUTH_SAML_PRIVATE_KEY: [
    z.string().transform(toRsaKey).optional(),
    'an RSA key of at least 2048 bits, in PEM or as base64 of PKCS #1 or #8',
  ],
  AUTH_SAML_PRIVATE_NETWORKS: [onOff.default(false), 'on or off'],
  REST_SCHEMAS: [
    list
      .pipe(z.array(z.string().regex(/^(?!pg_|information_schema$).{1,63}$/s)))
      // Requests without a schema use the first one, and the site sends such requests.
      .refine(([first]) => first === 'public')
      .transform((names) => [...new Set(names)])
      .default(['public']),
    'public, followed by other schemas, separated by commas. System schemas of Postgres are not allowed',
  ],
  REST_REGEX_FILTERS: [onOff.default(false), 'on or off'],
  REST_AGGREGATES: [onOff.default(false), 'on or off'],
  REST_TX_OVERRIDE: [onOff.default(false), 'on or off'],
} satisfies Record<string, [z.ZodType, string]>;

const SECRET =
  /PASSWORD$|PASSCODE|SECRET|KEY|TOKEN|DATABASE_(DIRECT_)?URL|BACKUP_URL|SMTP_URL|PURGE_URL|AUTH_PROVIDERS/;

/** Variables that must be set together. */
const REQUIRED_TOGETHER = [
  ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['CAPTCHA_PROVIDER', 'CAPTCHA_SECRET'],
  ['SMS_ACCOUNT_SID', 'SMS_AUTH_TOKEN', 'SMS_FROM'],
  ['SUPABASE_URL', 'SUPABASE_PUBLISHABLE_KEY'],
  ['AI_BASE_URL', 'AI_MODEL'],
] as const;

const ALL_SCHEMAS = { ...VARIABLES, ...OPTIONS };

export type Config = { [Name in keyof typeof ALL_SCHEMAS]: z.output<(typeof ALL_SCHEMAS)[Name][0]> };

/** Options by their names in OPTIONS. Values have the format of environment variables, such as `on`. */
export type ConfigOptions = Partial<Record<keyof typeof OPTIONS, string>>;

/**
 * Parses environment variables and the options of the host application. An empty value counts as not set.
 * @throws OperatorError
 */
export function parseConfig(environment: Record<string, string | undefined>, options: ConfigOptions = {}): Config {
  const { config, problems } = readConfig(environment, options);
  if (problems[0] !== undefined) throw new OperatorError(problems[0]);
  return config;
}

/** Like parseConfig(), but returns every problem instead of throwing. Invalid settings are missing in `config`. */
export function readConfig(
  environment: Record<string, string | undefined>,
  options: ConfigOptions = {},
): { config: Config; problems: string[] } {
  const config: Record<string, unknown> = {};
  const problems: string[] = [];
  const parse = (source: Record<string, string | undefined>, schemas: Record<string, [z.ZodType, string]>) => {
    for (const [name, [schema, validValues]] of Object.entries(schemas)) {
      const value = source[name]?.trim() || undefined;
      const result = schema.safeParse(value);
      config[name] = result.data;
      if (result.success) continue;
      const displayedValue = SECRET.test(name) ? 'a hidden value' : JSON.stringify(value);
      problems.push(`${name} is ${displayedValue}, but must be ${validValues}.`);
    }
  };
  parse(environment, VARIABLES);
  parse(options, OPTIONS);
  const isMissing = (name: string) => !environment[name]?.trim();
  for (const group of REQUIRED_TOGETHER) {
    // A Supabase project stores the captcha secret itself.
    const required = group.filter((name) => name !== 'CAPTCHA_SECRET' || isMissing('SUPABASE_URL'));
    const missing = required.filter(isMissing);
    if (missing.length === 0 || missing.length === required.length) continue;
    const presentNames = required.filter((name) => !isMissing(name));
    problems.push(
      `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not set, but required together with ${presentNames.join(' and ')}.`,
    );
  }
  if (!isMissing('DATABASE_DIRECT_URL') && isMissing('DATABASE_URL')) {
    problems.push('DATABASE_DIRECT_URL is set without DATABASE_URL. Set both to the same server.');
  }
  if (!isMissing('CAPTCHA_SITE_KEY') && isMissing('CAPTCHA_PROVIDER')) {
    problems.push('CAPTCHA_SITE_KEY is set without CAPTCHA_PROVIDER. Set both.');
  }
  if (!isMissing('BACKUP_URL') && !(isMissing('DATABASE_URL') && isMissing('SUPABASE_URL'))) {
    problems.push(
      'BACKUP_URL works only with the built-in database. Use the backups of your own Postgres server or Supabase project instead.',
    );
  }
  return { config: config as Config, problems };
}

/** Names of all environment variables. Options are not included. */
export const VARIABLE_NAMES: readonly string[] = Object.keys(VARIABLES);
