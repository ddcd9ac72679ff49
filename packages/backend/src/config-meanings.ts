/** Meanings of the settings, in chapters: `npm run types` writes docs/configuration.md from them. */
import type { Config } from './config.ts';

type Meanings = Partial<Record<keyof Config, string>>;

export const CHAPTERS: readonly (readonly [heading: string, meanings: Meanings])[] = [
  [
    'The site',
    {
      PORT: 'Where the server listens.',
      HOST: 'The address that it listens at.',
      SITE_URL:
        'The public address, for links, mails and search engines. Set it behind a proxy. Without it: the address of the request, and in mails of background jobs the one that the start prints.',
      PREVIEW_GATE: '`on` shows the gate of the private preview, `off` opens the site.',
      PREVIEW_PASSCODE: 'The passcode of the gate, shared by everybody who may see the preview.',
      ADMIN_EMAIL: 'The first admin, made when there is none yet. Without it: `admin@example.com`.',
      ADMIN_PASSWORD: 'The first admin’s password. Without it: one is made up, and printed once.',
      STARTER_CONTENT: '`off` starts with an empty database.',
      TRUSTED_PROXIES: 'Proxies on other machines whose `X-Forwarded-For` is believed; this machine’s own are.',
      RATE_LIMITS: '`off` is for tests only.',
      DNS_SERVERS:
        'Whom the [check of domains](decisions/domain-check.md) asks. Without it: the resolvers of the machine.',
    },
  ],
  [
    'Where things are kept',
    {
      DATA_DIR: 'The folder of database, files and mails.',
      DATABASE_URL: 'Your own Postgres instead of the built-in one ([rights](own-postgres.md)).',
      DATABASE_DIRECT_URL:
        'The way to that server past a pooler such as pgbouncer ([why](own-postgres.md#behind-pgbouncer)).',
      DATABASE_POOL_SIZE: 'Connections that one process opens to that server for requests.',
      BACKUP_URL:
        'A folder on another disk, or a bucket, to which the built-in database archives its log, so that [any moment of the last days](moving.md#any-moment-of-the-last-days) can be restored.',
      S3_ENDPOINT:
        'Your own object store instead of local files. Each start writes, reads and deletes an object there, or says what is wrong.',
      S3_REGION: 'Its region.',
      S3_BUCKET: 'Its bucket.',
      S3_ACCESS_KEY_ID: 'Who the server is there.',
      S3_SECRET_ACCESS_KEY: 'The secret for it.',
      SUPABASE_URL: 'A Supabase project instead of the built-in backend.',
      SUPABASE_PUBLISHABLE_KEY: 'That project’s publishable key.',
      SUPABASE_SECRET_KEY:
        'That project’s secret key, with which the server writes [figures of visits](decisions/visits.md) and nothing else. Without it: no figures.',
    },
  ],
  [
    'Mail, messages and the assistant',
    {
      SMTP_URL: 'Where mail goes. Without it: files in `DATA_DIR/outbox`, kept 30 days.',
      MAIL_FROM: 'The sender of mails.',
      SMS_ACCOUNT_SID:
        'The account that sends text messages, at Twilio or where its API is spoken. Without it: files in `DATA_DIR/outbox`.',
      SMS_AUTH_TOKEN: 'The token of that account.',
      SMS_FROM: 'The sender of text messages.',
      SMS_URL: 'Where that API is.',
      SMS_PER_HOUR: 'Text messages that one process sends in an hour, whoever asks.',
      AI_BASE_URL: 'An OpenAI-compatible server for the assistant. Without it: the built-in assistant.',
      AI_API_KEY: 'The key for it.',
      AI_MODEL: 'The model that is asked.',
    },
  ],
  [
    'Accounts',
    {
      AUTH_SIGNUPS: '`off` lets nobody sign up; accounts are then made by invitation or `npm run admin`.',
      AUTH_CONFIRM_EMAIL: '`on` lets people in only after they opened a mailed link ([accounts](accounts.md)).',
      AUTH_REDIRECT_URLS: 'Where else than the site links in mails may lead.',
      AUTH_SECURE_PASSWORD_CHANGE:
        'Whether a new password asks for the present one, or a sign-in of the last 24 hours, or a mailed code.',
      AUTH_PASSWORD_MIN_LENGTH: 'The least length of a password.',
      AUTH_PASSWORD_CHARACTERS: 'The sets of characters of which a password needs one each.',
      AUTH_REFRESH_REUSE_SECONDS:
        'How long a refresh token that was used may come again ([why](decisions/sign-in.md)).',
      AUTH_SIGNING_ALGORITHM: 'What access tokens are signed with ([keys](accounts.md#sessions-and-keys)).',
      JWT_SECRET: 'Also accept tokens signed with it, such as former anon and service_role keys.',
      CAPTCHA_PROVIDER:
        'Sign-up, sign-in and everything that sends messages then ask for its token ([captcha](accounts.md#captcha)).',
      CAPTCHA_SECRET: 'The secret for it.',
      CAPTCHA_SITE_KEY:
        'Lets the site’s own forms show the captcha: it asks people to sign in with one, and many visitors at once to prove that they are people. Without it no page loads anything of the provider.',
      CAPTCHA_URL: 'Where tokens are checked, for a service that answers in the same way. Without it: the provider’s.',
    },
  ],
  [
    'Other ways to sign in',
    {
      AUTH_GOOGLE_CLIENT_ID: 'Sign-in with Google ([providers](accounts.md#signing-in-with-a-provider)).',
      AUTH_GOOGLE_CLIENT_SECRET: 'The secret for it.',
      AUTH_GITHUB_CLIENT_ID: 'Sign-in with GitHub.',
      AUTH_GITHUB_CLIENT_SECRET: 'The secret for it.',
      AUTH_GITHUB_URL: 'An own GitHub server instead of github.com.',
      AUTH_AZURE_CLIENT_ID: 'Sign-in with Microsoft.',
      AUTH_AZURE_CLIENT_SECRET: 'The secret for it.',
      AUTH_AZURE_TENANT: 'Whose Microsoft accounts may sign in.',
      AUTH_LINKEDIN_CLIENT_ID: 'Sign-in with LinkedIn.',
      AUTH_LINKEDIN_CLIENT_SECRET: 'The secret for it.',
      AUTH_APPLE_CLIENT_ID: 'Sign-in with Apple.',
      AUTH_APPLE_CLIENT_SECRET: 'The secret for it.',
      AUTH_OIDC_PROVIDERS: 'Any other OpenID Connect issuers, as a JSON list.',
      AUTH_CUSTOM_PROVIDERS_PRIVATE_NETWORKS:
        'Whether providers that are added with the secret key ([how](accounts.md#providers-without-a-restart)) may be on private networks, also over plain HTTP.',
      AUTH_MANUAL_LINKING: '`on` lets people link further providers to their account, and unlink them.',
      AUTH_WEB3_ETHEREUM: '`on` lets Ethereum wallets sign in ([wallets](accounts.md#wallets)).',
      AUTH_WEB3_SOLANA: '`on` lets Solana wallets sign in.',
      AUTH_SAML:
        '`on` lets people sign in at their organisation’s identity provider ([single sign-on](accounts.md#single-sign-on)).',
      AUTH_SAML_PRIVATE_KEY: 'The key for it. Without it: one is made and kept in the database.',
      AUTH_SAML_PRIVATE_NETWORKS:
        'Whether an identity provider’s metadata may be fetched from private networks, also over plain HTTP.',
      AUTH_ANONYMOUS:
        '`on` gives visitors an account without address or password when a client asks for one ([anonymous](accounts.md#anonymous-accounts)).',
      AUTH_PHONE: '`on` lets people sign in with phone numbers ([phone](accounts.md#phone-numbers)).',
      AUTH_CONFIRM_PHONE: 'Whether a code confirms a phone number.',
      AUTH_OAUTH_SERVER:
        '`on` lets people sign in to other applications with their account here ([applications](accounts.md#applications-of-others)).',
      AUTH_OAUTH_REGISTRATION: 'Whether those applications may register themselves.',
    },
  ],
  [
    'Operation',
    {
      METRICS_PORT: 'Where Prometheus reads figures ([operating](operating.md)). Without it: nowhere.',
      METRICS_HOST: 'The address of that port.',
      ACCESS_LOG: '`on` writes a line for each request, without personal data.',
      CDN_SECONDS: 'How long a CDN in front may show a page without asking ([scale](scale.md#a-cdn-in-front)).',
      CDN_PURGE_URL: 'Where that CDN is told of changes.',
      CDN_PURGE_TOKEN: 'The token for it.',
      REST_SCHEMAS:
        'Schemas that `/rest/v1` answers for: `public`, which answers when a request names none, and others.',
      REST_AGGREGATES:
        '`on` lets everybody aggregate in `select` (`count()`, `sum()`, `avg()`, `min()`, `max()`). Off: only the service role.',
      REST_TX_OVERRIDE:
        '`on` lets everybody undo their own request with `Prefer: tx=rollback`, and with it what the request was counted by ([why not](decisions/table-api.md)). Off: only the service role.',
      REST_REGEX_FILTERS:
        '`on` lets everybody filter tables by regular expressions (`match`, `imatch`), with which a visitor can keep the database busy ([limits](decisions/table-api.md)). Off: only the service role.',
    },
  ],
];
