import type { Config } from '@signalfjord/backend';
import { VARIABLE_NAMES } from '@signalfjord/backend/commands';
import { explainFormerSetting } from '../../server/former-settings.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

const SUBJECT = 'Configuration';
/** Prefixes of our own variables. They are used to find misspelled variables. */
const OWN_PREFIXES = /^(ACCESS|ADMIN|AI|AUTH|CAPTCHA|CDN|DATABASE|DNS|METRICS|PREVIEW|REST|S3|SITE|SMS|SMTP|STARTER)_/;
const LOOPBACK = /^(localhost|127\.|::1$)/;

/** Finds conflicting and risky settings. */
export function checkConfiguration(
  config: Config,
  problems: readonly string[],
  environment: Record<string, string | undefined>,
): Finding[] {
  const unknown = Object.keys(environment).filter((name) => OWN_PREFIXES.test(name) && !VARIABLE_NAMES.includes(name));
  const findings = [
    ...problems.map((problem) => failure(SUBJECT, `${problem} The server does not start until this is fixed.`)),
    ...unknown.map((name) =>
      failure(
        SUBJECT,
        explainFormerSetting(name) ??
          `${name} is not a variable of this server. See docs/configuration.md for the names.`,
      ),
    ),
    ...contradictions(config),
  ];
  return findings.length > 0 ? findings : [ok(SUBJECT, 'all variables are valid.')];
}

function contradictions(config: Config): Finding[] {
  const { HOST, PORT, SITE_URL, DATABASE_URL, SUPABASE_URL, S3_ENDPOINT, SMTP_URL, METRICS_PORT } = config;
  const isPublic = !LOOPBACK.test(SITE_URL ? new URL(SITE_URL).hostname : '127.0.0.1');
  const cases: [boolean, 'warn' | 'error', string][] = [
    [
      SUPABASE_URL !== undefined && DATABASE_URL !== undefined,
      'error',
      'SUPABASE_URL and DATABASE_URL are both set, but only SUPABASE_URL is used. Remove one of them.',
    ],
    [
      METRICS_PORT !== undefined && METRICS_PORT.port !== 0 && METRICS_PORT.port === PORT,
      'error',
      'METRICS_PORT is the same as PORT. Set it to a different port.',
    ],
    [!config.RATE_LIMITS, 'error', 'RATE_LIMITS is off, so passwords can be brute-forced. Remove it.'],
    [
      config.AUTH_CONFIRM_EMAIL && !SMTP_URL && !SUPABASE_URL,
      'error',
      'AUTH_CONFIRM_EMAIL is on without SMTP_URL, so new users get no confirmation email. Set SMTP_URL.',
    ],
    [
      config.MAIL_FROM !== undefined && !SMTP_URL,
      'warn',
      'MAIL_FROM is set without SMTP_URL, so emails are only written to DATA_DIR/outbox.',
    ],
    [
      config.AUTH_PHONE && !config.SMS_ACCOUNT_SID,
      'warn',
      'AUTH_PHONE is on without SMS_ACCOUNT_SID, so codes are only written to DATA_DIR/outbox.',
    ],
    [
      config.AI_API_KEY !== undefined && !config.AI_BASE_URL,
      'warn',
      'AI_API_KEY is set without AI_BASE_URL and is not used.',
    ],
    [
      DATABASE_URL !== undefined && !S3_ENDPOINT,
      'warn',
      'DATABASE_URL is set without S3_ENDPOINT, so files are stored in DATA_DIR on this machine. Use this for a single server only.',
    ],
    [
      SITE_URL === undefined && (!LOOPBACK.test(HOST) || !config.PREVIEW_GATE),
      'warn',
      'SITE_URL is not set, so links in emails use the listening address, and requests with made-up host names bypass the page cache. Set it to the public URL.',
    ],
    [
      isPublic && SITE_URL?.startsWith('http:') === true,
      'error',
      'SITE_URL is http, so passwords are sent unencrypted. Put a TLS proxy in front and set its https URL.',
    ],
    [
      isPublic && config.PREVIEW_GATE && config.PREVIEW_PASSCODE === 'preview',
      'warn',
      'the passcode of the preview gate is "preview". Set PREVIEW_PASSCODE, or set PREVIEW_GATE=off to open the site.',
    ],
    [
      METRICS_PORT !== undefined && !LOOPBACK.test(METRICS_PORT.host),
      'warn',
      `METRICS_PORT listens on ${METRICS_PORT?.host}, so anyone who can reach that port can read the metrics. Restrict access to it.`,
    ],
  ];
  return cases.flatMap(([applies, state, message]) =>
    applies ? [state === 'error' ? failure(SUBJECT, message) : warning(SUBJECT, message)] : [],
  );
}
