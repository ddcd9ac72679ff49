import type { Config } from '@signalfjord/backend';
import { VARIABLE_NAMES } from '@signalfjord/backend/commands';
import { explainFormerSetting } from '../../server/former-settings.ts';
import { type Finding, note, ok, wrong } from './finding.ts';

const SUBJECT = 'Configuration';
/** Beginnings of our own variables, to find those that are misspelled. */
const OURS = /^(ACCESS|ADMIN|AI|AUTH|CAPTCHA|CDN|DATABASE|DNS|METRICS|PREVIEW|REST|S3|SITE|SMS|SMTP|STARTER)_/;
const LOOPBACK = /^(localhost|127\.|::1$)/;

/** Finds settings that do not fit together, or do not do what they seem to. */
export function checkConfiguration(
  config: Config,
  problems: readonly string[],
  environment: Record<string, string | undefined>,
): Finding[] {
  const unknown = Object.keys(environment).filter((name) => OURS.test(name) && !VARIABLE_NAMES.includes(name));
  const findings = [
    ...problems.map((problem) => wrong(SUBJECT, `${problem} The server does not start with it.`)),
    ...unknown.map((name) =>
      wrong(
        SUBJECT,
        explainFormerSetting(name) ?? `${name} is no variable of this server; docs/configuration.md has their names.`,
      ),
    ),
    ...contradictions(config),
  ];
  return findings.length > 0 ? findings : [ok(SUBJECT, 'every variable is understood, and they fit together.')];
}

function contradictions(config: Config): Finding[] {
  const { HOST, PORT, SITE_URL, DATABASE_URL, SUPABASE_URL, S3_ENDPOINT, SMTP_URL, METRICS_PORT } = config;
  const isPublic = !LOOPBACK.test(SITE_URL ? new URL(SITE_URL).hostname : '127.0.0.1');
  const cases: [boolean, 'note' | 'wrong', string][] = [
    [
      SUPABASE_URL !== undefined && DATABASE_URL !== undefined,
      'wrong',
      'SUPABASE_URL and DATABASE_URL are both set, and only the project of SUPABASE_URL is used: take one away.',
    ],
    [
      METRICS_PORT !== undefined && METRICS_PORT.port !== 0 && METRICS_PORT.port === PORT,
      'wrong',
      'METRICS_PORT is the same as PORT: set it to another one.',
    ],
    [!config.RATE_LIMITS, 'wrong', 'RATE_LIMITS is off, so passwords can be guessed without end: take it away.'],
    [
      config.AUTH_CONFIRM_EMAIL && !SMTP_URL && !SUPABASE_URL,
      'wrong',
      'AUTH_CONFIRM_EMAIL is on without SMTP_URL, so nobody who signs up gets the mail: set SMTP_URL.',
    ],
    [
      config.MAIL_FROM !== undefined && !SMTP_URL,
      'note',
      'MAIL_FROM is set without SMTP_URL: mails are written into DATA_DIR/outbox.',
    ],
    [
      config.AUTH_PHONE && !config.SMS_ACCOUNT_SID,
      'note',
      'AUTH_PHONE is on without SMS_ACCOUNT_SID: codes are written into DATA_DIR/outbox.',
    ],
    [
      config.AI_API_KEY !== undefined && !config.AI_BASE_URL,
      'note',
      'AI_API_KEY is set without AI_BASE_URL, and not used.',
    ],
    [
      DATABASE_URL !== undefined && !S3_ENDPOINT,
      'note',
      'DATABASE_URL is set without S3_ENDPOINT: files are in DATA_DIR of this machine, which is right for one copy only.',
    ],
    [
      SITE_URL === undefined && (!LOOPBACK.test(HOST) || !config.PREVIEW_GATE),
      'note',
      'SITE_URL is not set: links in emails use the address at which the server listens, and pages are rendered anew for every host name that a stranger invents. Set it.',
    ],
    [
      isPublic && SITE_URL?.startsWith('http:') === true,
      'wrong',
      'SITE_URL is http: passwords travel in the clear. Put a proxy with TLS in front and set its https address.',
    ],
    [
      isPublic && config.PREVIEW_GATE && config.PREVIEW_PASSCODE === 'preview',
      'note',
      'the passcode of the preview gate is "preview": set PREVIEW_PASSCODE, or PREVIEW_GATE=off to open the site.',
    ],
    [
      METRICS_PORT !== undefined && !LOOPBACK.test(METRICS_PORT.host),
      'note',
      `METRICS_PORT listens at ${METRICS_PORT?.host}: anyone who can reach that port can read the figures. Close it to others.`,
    ],
  ];
  return cases.flatMap(([isSo, state, words]) =>
    isSo ? [state === 'wrong' ? wrong(SUBJECT, words) : note(SUBJECT, words)] : [],
  );
}
