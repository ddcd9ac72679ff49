/** Descriptions of the environment variables, by chapter. `npm run types` generates docs/configuration.md from them. */
import type { OPTIONS, VARIABLES } from './config.ts';

type Descriptions = Partial<Record<keyof typeof VARIABLES, string>>;

export const CHAPTERS: readonly (readonly [heading: string, descriptions: Descriptions])[] = [
  [
    'The site',
    {
      PORT: 'Port to listen on.',
      HOST: 'Address to listen on.',
      SITE_URL: 'Public URL, for links, emails and search engines. Set it behind a proxy. Default: URL of the request.',
      PREVIEW_GATE: '`on` shows the preview gate, and `off` opens the site.',
      PREVIEW_PASSCODE: 'Passcode for the gate.',
      ADMIN_EMAIL: 'Email address of the first admin. Default: `admin@example.com`.',
      ADMIN_PASSWORD: 'Password of the first admin. Default: a random one that is printed once.',
      STARTER_CONTENT: '`off` starts with an empty site.',
      TRUSTED_PROXIES: 'Proxies on other machines whose `X-Forwarded-For` is trusted.',
      RATE_LIMITS: '`off` disables all rate limits. For tests only.',
    },
  ],
  [
    'Storage',
    {
      DATA_DIR: 'Folder for the database, files and emails.',
      DATABASE_URL: 'Your own Postgres server ([privileges](scaling.md#own-postgres)).',
      DATABASE_DIRECT_URL:
        'Direct address of your Postgres server, without the pooler ([pgbouncer](scaling.md#behind-pgbouncer)).',
      DATABASE_POOL_SIZE: 'Number of database connections that each process opens for requests.',
      BACKUP_URL:
        'Folder on another disk, or bucket, for [point-in-time recovery](backups.md#point-in-time-recovery) of the built-in database.',
      S3_ENDPOINT: 'Object store for files, tested at each start.',
      S3_REGION: 'Region of the object store.',
      S3_BUCKET: 'Bucket in the object store.',
      S3_ACCESS_KEY_ID: 'Access key id for the object store.',
      S3_SECRET_ACCESS_KEY: 'Secret access key for the object store.',
      SUPABASE_URL: 'Supabase project to use instead of the built-in backend ([hosted](hosted.md)).',
      SUPABASE_PUBLISHABLE_KEY: 'Publishable key of the Supabase project.',
      SUPABASE_SECRET_KEY:
        'Secret key of the Supabase project, used to store visit counts. Without it, visits are not counted.',
    },
  ],
  [
    'Email, text messages and the assistant',
    {
      SMTP_URL: 'Mail server. Without it, emails are files in `DATA_DIR/outbox`, kept for 30 days.',
      MAIL_FROM: 'Sender of emails.',
      SMS_ACCOUNT_SID: 'Twilio account for text messages. Without it, they are files in `DATA_DIR/outbox`.',
      SMS_AUTH_TOKEN: 'Auth token of the Twilio account.',
      SMS_FROM: 'Sender of text messages.',
      AI_BASE_URL: 'OpenAI-compatible API for the assistant. Default: the built-in assistant.',
      AI_API_KEY: 'Key for the API of the assistant.',
      AI_MODEL: 'Name of the model.',
    },
  ],
  [
    'Accounts',
    {
      AUTH_SIGNUPS: '`off` allows new accounts only by invitation or `npm run admin`.',
      AUTH_CONFIRM_EMAIL: '`on` requires a [confirmed email address](accounts.md#sign-up-and-confirmation) to sign in.',
      AUTH_REDIRECT_URLS: 'Additional URLs that links in emails may redirect to.',
      JWT_SECRET: 'Also accepts tokens signed with this secret, such as legacy anon and service_role keys.',
      CAPTCHA_PROVIDER: 'Requires a [captcha](accounts.md#captcha) for sign-up, sign-in and messages.',
      CAPTCHA_SECRET: 'Secret of the captcha provider.',
      CAPTCHA_SITE_KEY:
        'Shows the captcha in the forms of the site. Without it, no page loads anything from the provider.',
    },
  ],
  [
    'Other ways to sign in',
    {
      AUTH_PROVIDERS:
        'Sign-in with Google, Microsoft (`azure`, with `tenant`), Apple, GitHub (with `url` for your own server), LinkedIn, and any OpenID Connect issuer ([providers](accounts.md#signing-in-with-a-provider)).',
      AUTH_SAML: '`on` enables [single sign-on](accounts.md#single-sign-on).',
      AUTH_PHONE: '`on` enables [phone numbers](accounts.md#phone-numbers).',
      AUTH_OAUTH_SERVER: '`on` enables [sign-in to other applications](accounts.md#sign-in-to-other-applications).',
    },
  ],
  [
    'Operation',
    {
      METRICS_PORT:
        'Port, or address and port, of Prometheus metrics ([operating](operating.md)). Default: no metrics.',
      ACCESS_LOG: '`on` logs each request, without personal data.',
      CDN_PURGE_URL:
        'Purge URL of a CDN in front of the site, called when content changes. The CDN may then cache pages for an hour ([CDN](scaling.md#a-cdn-in-front)).',
    },
  ],
];

/** Descriptions of the options that a program sets. */
export const OPTION_DESCRIPTIONS: Readonly<Record<keyof typeof OPTIONS, string>> = {
  CDN_SECONDS: 'How many seconds a [CDN](scaling.md#a-cdn-in-front) may serve a page without revalidation.',
  DNS_SERVERS: 'DNS servers for the domain check. Default: the DNS servers of the system.',
  AUTH_ANONYMOUS: '`on` enables [anonymous accounts](accounts.md#anonymous-accounts).',
  AUTH_CONFIRM_PHONE: 'Requires a code to confirm a phone number.',
  SMS_URL: 'URL of Twilio or a compatible API.',
  SMS_PER_HOUR: 'Maximum number of text messages that each process sends per hour.',
  CAPTCHA_URL: 'URL that verifies tokens. Default: the URL of the provider.',
  AUTH_SECURE_PASSWORD_CHANGE:
    'Requires the current password, a sign-in within 24 hours or an emailed code for a new password.',
  AUTH_PASSWORD_MIN_LENGTH: 'Minimum length of a password.',
  AUTH_PASSWORD_CHARACTERS: 'Character classes that a password must contain.',
  AUTH_REFRESH_REUSE_SECONDS: 'How many seconds a used refresh token is still accepted.',
  AUTH_SIGNING_ALGORITHM: 'Algorithm of access tokens ([keys](accounts.md#sessions-and-keys)).',
  AUTH_MANUAL_LINKING: '`on` lets people link and unlink providers.',
  AUTH_CUSTOM_PROVIDERS_PRIVATE_NETWORKS:
    'Allows [providers added at run time](accounts.md#providers-without-a-restart) in private networks, also over HTTP.',
  AUTH_WEB3_ETHEREUM: '`on` enables [Ethereum wallets](accounts.md#wallets).',
  AUTH_WEB3_SOLANA: '`on` enables Solana wallets.',
  AUTH_OAUTH_REGISTRATION: 'Lets applications register themselves as OAuth clients.',
  AUTH_SAML_PRIVATE_KEY: 'Private key for single sign-on. Default: generated and stored in the database.',
  AUTH_SAML_PRIVATE_NETWORKS: 'Allows metadata URLs in private networks, also over HTTP.',
  REST_SCHEMAS: 'Schemas of `/rest/v1`.',
  REST_REGEX_FILTERS:
    '`on` allows `match` and `imatch` filters for everyone, not only for the service role. They can [overload the database](decisions/table-api.md).',
  REST_AGGREGATES: '`on` allows aggregates in `select` for everyone, not only for the service role.',
  REST_TX_OVERRIDE:
    '`on` allows `Prefer: tx=rollback` for everyone, not only for the service role. This also rolls back [rate limits](decisions/table-api.md).',
};
