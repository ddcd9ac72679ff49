import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accentTokens } from '../../app/settings/brand/accent.ts';
import { mailSample } from '../../tests/support/mail-samples.ts';
import { LOGO_ID, renderMail, TEMPLATE_NAMES, type TemplateName } from './templates.ts';

const BRANDING = { siteName: 'Fjord & Co', tagline: 'Quietly & well', accent: '#c8102e', logo: null };

/** Variables of Supabase Auth. The registration mails add our own. */
const HOSTED_VARIABLES = ['Token', 'TokenHash', 'SiteURL', 'RedirectTo', 'Data', 'Email', 'NewEmail'];

/** Variables of mails that only the built-in backend sends. */
const BACKEND_VARIABLES: Partial<Record<TemplateName, string[]>> = {
  new_lead: ['Name', 'Phone', 'CallTime', 'Message', 'LeadId'],
  newsletter_welcome: ['UnsubscribeToken'],
  // Queued by private.mail_about_booking() and similar functions.
  booking_proof: ['When'],
  booking_confirmed: ['Greeting', 'Topic', 'When', 'Place'],
  booking_moved: ['Greeting', 'Topic', 'When', 'Place'],
  booking_cancelled: ['Greeting', 'Topic', 'When'],
  booking_reminder: ['Greeting', 'Topic', 'When', 'Place'],
  booking_summary: ['Change', 'Items'],
  booking_notice: ['Change', 'When', 'Name', 'Phone', 'Service', 'Message'],
  release_failed: ['Name', 'Message', 'PlannedTime', 'ReleaseId'],
  // Queued by private.mail_client_about_approval() and similar functions.
  approval_asked: ['Asker', 'Message', 'Title', 'Client', 'What', 'Version', 'Due', 'More', 'Path', 'Access'],
  approval_decided: ['Title', 'Client', 'Verdict', 'Message', 'Path'],
  quote_asked: ['Figure', 'Client', 'Title'],
  meeting_disputed: ['Title', 'Client', 'Message', 'Path'],
  client_alarm: ['Client', 'Message', 'Path'],
  client_lead: ['Client', 'Title', 'What', 'Message', 'Path', 'Action', 'Items', 'Access'],
  more_leads: ['Client', 'Count', 'Path'],
  lead_waiting: ['Client', 'Title', 'Path'],
  meeting_results: ['Items'],
  approval_unread: ['Client', 'Items', 'Path', 'Action'],
  monday_list: ['Count', 'Items', 'Path'],
  admin_added: ['Name', 'Inviter', 'UserId'],
  // Queued by private.mail_invitation().
  invitation: ['Inviter', 'Place', 'Reason', 'Message', 'Link'],
  client_added: ['Inviter', 'Place', 'Reason', 'Message', 'Link'],
  client_report: [
    ...['Client', 'Period', 'Correction', 'Message', 'Hash', 'ReportId'],
    ...[1, 2, 3].flatMap((place) => ['Figure', 'Metric', 'Before', 'Rise', 'Fall'].map((name) => `${name}${place}`)),
  ],
};

describe.each(TEMPLATE_NAMES)('%s', (name) => {
  test('renders the subject, the HTML and the text part with the same content', async () => {
    const { subject, html, text } = await renderMail(name, mailSample(name), BRANDING);
    expect(subject).toMatch(/^[A-Z][^<>{}]{10,80}$/);
    expect(html).toContain('Fjord &amp; Co');
    expect(html + text).not.toMatch(/\{\{|\}\}|Signalfjord|AI Outbound|#0a6247|undefined/);
    expect(html).toContain('Quietly &amp; well');
    expect(html).toContain('#c8102e');
    expect(text).toContain('Fjord & Co');
    expect(text).not.toMatch(/<|&amp;|&nbsp;|\n{3}/);
    expect(html).not.toContain('/auth/v1/');
    if (html.includes('/auth/confirm')) {
      expect(text).toMatch(
        /\nhttps:\/\/example\.com\/auth\/confirm\?token_hash=abc&type=[a-z_]+&redirect_to=https%3A%2F%2Fexample\.com%2Fa%3Fb%3Dc%26d%3De\n/,
      );
    }
    if (html.includes('>123456<')) expect(text).toContain('\n123456\n');
  });

  test('uses only variables of a hosted project and loads no resources', async () => {
    const source = await readFile(join(import.meta.dirname, `../../supabase/templates/${name}.html`), 'utf8');
    for (const [, variable] of source.matchAll(/\{\{(?! end )(?: if)?(.*?)\}\}/g)) {
      expect([...HOSTED_VARIABLES, ...(BACKEND_VARIABLES[name] ?? [])].map((variable) => ` .${variable} `)).toContain(
        variable,
      );
    }
    expect(source).not.toMatch(/<(img|link|script|svg)\b|url\(/);
  });
});

test('Values are escaped in the HTML and unchanged in the text part', async () => {
  const { html, text } = await renderMail('recovery', {
    ...mailSample('recovery'),
    Email: `<i>"o'neill"</i>&@example.com`,
  });
  expect(html).toContain('&lt;i&gt;&quot;o&#39;neill&quot;&lt;/i&gt;&amp;@example.com');
  expect(text).toContain(`<i>"o'neill"</i>&@example.com`);
});

test('Control characters in values are removed from the subject, the HTML and the text part', async () => {
  const pasted = {
    ...mailSample('approval_decided'),
    Title: 'Pasted\u000b from\u0007 slides\uffff',
    Message: 'a\u0001b\ufffec',
  };
  for (const name of ['approval_decided', 'release_failed'] as const) {
    const { subject, html, text } = await renderMail(name, pasted);
    expect(subject + html + text).not.toMatch(/(?![\t\n\r])\p{Cc}|\uffff/u);
    expect(text).toContain('abc');
  }
  expect((await renderMail('approval_decided', pasted)).subject).toContain('Pasted from slides');
});

test('The text part keeps the line breaks of a value', async () => {
  const { html, text } = await renderMail('client_alarm', {
    ...mailSample('client_alarm'),
    Message: 'Hi {{first_name}},\n<b>bold',
  });
  expect(html).toContain('Hi {{first_name}},\n&lt;b&gt;bold');
  expect(text).toContain('Hi {{first_name}},\n<b>bold');
});

test('Buttons use the colours of the dark theme in dark mail clients', async () => {
  const buttonOf = async (accent: string, template: TemplateName = 'admin_added') =>
    /\.button \{ border-color: (\S+) !important; background: (\S+) !important; color: (\S+) !important; \}/
      .exec((await renderMail(template, mailSample(template), { ...BRANDING, accent })).html)
      ?.slice(1);
  for (const template of TEMPLATE_NAMES) {
    const button = await buttonOf('#0a6247', template);
    expect(button, template).toEqual(['#60eaaa', '#60eaaa', '#001b11']);
  }
  const { accent, 'on-accent': onAccent } = accentTokens('#c8102e')?.dark ?? {};
  expect(await buttonOf('#c8102e')).toEqual([accent, accent, onAccent]);
});

test('Items are links with escaped texts in the HTML and lines in the text part', async () => {
  const path = '/reports/1';
  const Items = [
    { group: 'Nes & Co', text: 'Draft <1>', detail: 'A & B', path },
    { group: 'Nes & Co', text: 'Ola', action: 'Add result', path: '/result/abc' },
  ];
  const { html, text } = await renderMail('monday_list', { ...mailSample('monday_list'), Items });
  expect(html).toContain('href="https://example.com/reports/1?from=mail"');
  expect(html).toContain('Draft &lt;1&gt;');
  expect(text).toContain(
    '\n\nNes & Co\n\nDraft <1>:\nhttps://example.com/reports/1?from=mail\nA & B\n\nOla\nAdd result:\nhttps://example.com/result/abc\n\n',
  );
});

test('Lines of a summary become rows, and names in a heading do not break', async () => {
  const { text } = await renderMail('booking_summary', mailSample('booking_summary'));
  expect(text).toContain('\n\nA call was moved\nFriday 27 November 2026, 09:00 to 09:30 (Europe/Oslo)\n\n');
  const { html } = await renderMail('lead_waiting', mailSample('lead_waiting'));
  expect(html).toContain('>Ola\u00a0Berg, Kunde\u00a0AS is waiting</h1>');
});

test('A table row becomes a line in the text part, and a row without a value is omitted', async () => {
  const { html, text } = await renderMail('booking_notice', { ...mailSample('booking_notice'), Phone: '' });
  expect(text).toContain('When: Tuesday 24 November 2026, 10:00 to 10:30 (Europe/Oslo)\nName: Kari Nordmann\n');
  expect(html + text).not.toContain('Phone');
});

test('The text for approval is the inbox preview, and appears only once in the text part', async () => {
  const { html, text } = await renderMail('approval_asked', mailSample('approval_asked'));
  expect(html).toMatch(/<body[^>]*>\s*<p class="preview"[^>]*>Subject: A call in the spring\?\n/);
  expect(text.split('Subject: A call')).toHaveLength(2);
});

test('The subjects in config.toml equal the titles of the templates', async () => {
  const config = await readFile(join(import.meta.dirname, '../../supabase/config.toml'), 'utf8');
  for (const name of [
    'confirmation',
    'recovery',
    'magic_link',
    'email_change',
    'invite',
    'reauthentication',
  ] as const) {
    const { subject } = await renderMail(name, mailSample(name));
    const section = config.split(`[auth.email.template.${name}]`)[1]?.split('\n[')[0] ?? '';
    expect(section).toContain(`subject = "${subject}"`);
    expect(section).toContain(`content_path = "./supabase/templates/${name}.html"`);
  }
});

test.each([true, false])('A logo is at the top of every mail, with the name next to it: %s', async (showsName) => {
  const logo = { png: Buffer.alloc(1), width: 120, height: 30, showsName };
  for (const name of TEMPLATE_NAMES) {
    const { html, text } = await renderMail(name, mailSample(name), { ...BRANDING, logo });
    expect(html).toContain(
      `<img src="cid:${LOGO_ID}" width="120" height="30" alt="${showsName ? 'Mark of Fjord &amp; Co' : 'Fjord &amp; Co'}"`,
    );
    expect(html).not.toContain('∿');
    expect(html.includes('&nbsp;Fjord &amp; Co</a>')).toBe(showsName);
    expect(text).toContain('Fjord & Co:\nhttps://example.com');
  }
});
