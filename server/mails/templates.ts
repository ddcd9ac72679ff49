/**
 * Renders the Go templates in supabase/templates, which a hosted project uses directly. Only {{ .Variable }} and
 * {{ if .Variable }} without nesting are supported. The subject is the page title, and the text part is generated from
 * the HTML.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeMarkup, unescapeMarkup } from '@signalfjord/backend';
import { accentTokens } from '../../app/settings/brand/accent.ts';
import { DARK_ACCENT } from '../../app/settings/brand/brand.ts';
import type { CalendarEvent } from '../../supabase/functions/booking-calendar/calendar-file.ts';
import { BUILT_IN_BRANDING, type MailBranding, type MailLogo } from './mail-branding.ts';

const FOLDER = join(import.meta.dirname, '../../supabase/templates');

/** File names without .html. */
export const TEMPLATE_NAMES = [
  'confirmation',
  'recovery',
  'magic_link',
  'email_change',
  'invite',
  'reauthentication',
  'registration_approved',
  'registration_declined',
  'registration_pending',
  'new_lead',
  'lead_proof',
  'newsletter_confirm',
  'newsletter_welcome',
  'booking_proof',
  'booking_confirmed',
  'booking_moved',
  'booking_cancelled',
  'booking_reminder',
  'booking_notice',
  'booking_summary',
  'release_failed',
  'approval_asked',
  'approval_decided',
  'quote_asked',
  'meeting_disputed',
  'client_alarm',
  'client_lead',
  'more_leads',
  'lead_waiting',
  'meeting_results',
  'approval_unread',
  'client_report',
  'monday_list',
  'admin_added',
  'invitation',
  'client_added',
] as const;

export type TemplateName = (typeof TEMPLATE_NAMES)[number];

/** Template variables, as in Supabase Auth: {{ .TokenHash }}. */
export interface MailVariables {
  /** Origin of the site. Set at delivery if it is missing in the queued mail. */
  SiteURL?: string;
  Email: string;
  Token?: string;
  TokenHash?: string;
  RedirectTo?: string;
  /** Link of an invitation, set at delivery. */
  Link?: string | undefined;
  NewEmail?: string;
  /** Reply-To of mails about a lead, followed by the fields of the lead. Queued by SQL. */
  ReplyTo?: string;
  Name?: string;
  Phone?: string;
  CallTime?: string;
  Message?: string;
  LeadId?: string;
  /** Release that could not be published. Queued by SQL. */
  ReleaseId?: string;
  PlannedTime?: string;
  /** Token for the unsubscribe link. */
  UnsubscribeToken?: string;
  /** Rows of {{ .Items }}, with links as paths on the site. Queued by SQL. Defaults to the lines of the message. */
  Items?: MailItem[];
  /** Calendar attachment of booking mails. See private.mail_about_booking() for the other variables. */
  Calendar?: CalendarEvent;
}

export interface MailItem {
  text: string;
  path?: string;
  detail?: string;
  /** Label of the link. Without a label, the text is the link. */
  action?: string;
  /** Heading above consecutive items of the same group. */
  group?: string;
}

/** Built-in mark in the header of every template. */
const MARK_IN_TEMPLATES = `<span class="mark" style="color: ${BUILT_IN_BRANDING.accent};">∿</span>`;
const HEAD_IN_TEMPLATES = `${MARK_IN_TEMPLATES}&nbsp;${BUILT_IN_BRANDING.siteName}`;

/** Content-ID of the attached logo. */
export const LOGO_ID = 'logo@mail';

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

/** Renders a template. @throws Error if the file is missing */
export async function renderMail(
  template: TemplateName,
  variables: MailVariables,
  branding: MailBranding = BUILT_IN_BRANDING,
): Promise<RenderedMail> {
  const source = await readFile(join(FOLDER, `${template}.html`), 'utf8');
  const values: Record<string, unknown> = { ...variables };
  const expanded = source.replaceAll(
    /\{\{ if \.(\w+) \}\}\s*(.*?)\s*\{\{ end \}\}/gs,
    (_whole, name: string, block: string) => (values[name] ? block : ''),
  );
  const filled = applyBranding(expanded, branding).replaceAll(
    /([?;]\w+=)?\{\{\s*\.(\w+)\s*\}\}/g,
    (_whole, parameter: string | undefined, name: string, offset: number, page: string) => {
      if (name === 'Items') return renderItemList(variables, branding.accent);
      // Allow line breaks only between groups of 16 characters, so that no single character wraps.
      if (name === 'Hash') return escapeMarkup(String(values[name] ?? '')).replaceAll(/.{16}(?!$)/g, '$&<wbr>');
      const text = String(values[name] ?? '');
      if (name === 'Topic') return escapeMarkup(text.replace(/^About (.*)\.$/, '$1'));
      const value = name === 'Path' ? mailedPath(text) : text;
      if (page.lastIndexOf('<h1', offset) > page.lastIndexOf('</h1>', offset)) return escapeMarkup(joinNames(value));
      // Go's html/template also URL-encodes values in a query string.
      return parameter ? parameter + encodeURIComponent(value) : escapeMarkup(value);
    },
  );
  const html = filled
    // The text of an email often begins with its subject.
    .replace(/(<p class="sheet"[^>]*>)(Subject: .*)/, '$1<strong>$2</strong>')
    .replace(
      /(>When<\/th><td[^>]*>[^<]*) (\([^<]*\))/,
      '$1 <span class="muted" style="color: #4a5a53; font-weight: 400;">$2</span>',
    );
  const title = /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? branding.siteName;
  return { subject: unescapeMarkup(title).replaceAll(/\s+/g, ' ').trim(), html, text: toText(html) };
}

/** Prevents line breaks within names in a heading. A longer name may not fit on one line on a phone. */
function joinNames(text: string): string {
  return text.replaceAll(/[^,:]+/g, (name) =>
    name.trim().length > 18 ? name : name.replaceAll(/(?<=\S) /g, '\u00a0'),
  );
}

/** Returns an item for each line of the message, such as 'A call was booked: Friday, 10:00'. */
function parseItems(message: string): MailItem[] {
  return message.split('\n').map((line) => {
    const [text = '', detail = ''] = line.split(/: (.*)/);
    return { text, detail };
  });
}

/** Renders a row for each item, as a link if it has a path, and the name of each group above its rows. */
function renderItemList(
  { SiteURL = '', Message = '', Items = parseItems(Message) }: MailVariables,
  accent: string,
): string {
  return Items.map(({ text, path, detail, action, group }, index) => {
    const link = (label: string, style: string) =>
      `<a class="link rule" href="${escapeMarkup(SiteURL + mailedPath(path ?? ''))}" style="color: ${accent}; font-weight: 600; ${style}">${escapeMarkup(label)}</a>`;
    const heading = group && group !== Items[index - 1]?.group ? groupHeading(group) : '';
    const title = action || path === undefined ? `<strong>${escapeMarkup(text)}</strong>` : link(text, '');
    const details = detail
      ? `<br><span class="muted" style="color: #4a5a53; font-size: 14px;">${escapeMarkup(detail)}</span>`
      : '';
    const button = action
      ? `<br>${link(action, 'display: inline-block; margin-top: 8px; border: 1px solid #dbd8ce; border-radius: 8px; padding: 9px 16px; text-decoration: none;')}`
      : '';
    return `${heading}<p class="rule" style="margin: 0; padding: 12px 0; border-top: 1px solid #dbd8ce; line-height: 1.4;">${title}${details}${button}</p>`;
  }).join('\n');
}

function groupHeading(name: string): string {
  return `<h2 style="margin: 24px 0 8px; font-size: 16px; line-height: 1.4;">${escapeMarkup(name)}</h2>`;
}

/**
 * Marks a path as linked from an email, so that the site redirects to it after sign-in. Paths of approval, lead and
 * result links already contain a token.
 */
export function mailedPath(path: string): string {
  if (path === '' || /^\/(approve|lead|result)\//.test(path)) return path;
  const url = new URL(path, 'https://site.invalid');
  url.searchParams.set('from', 'mail');
  return url.href.slice(url.origin.length);
}

/** Replaces the built-in branding in the template, because hosted templates have no variables for it. */
function applyBranding(source: string, { siteName, tagline, accent, logo }: MailBranding): string {
  const { siteName: builtInName, tagline: builtInTagline, accent: builtInAccent } = BUILT_IN_BRANDING;
  const withLogo = logo
    ? source.replaceAll(logo.showsName ? MARK_IN_TEMPLATES : HEAD_IN_TEMPLATES, () => logoTag(logo, siteName))
    : source;
  const { accent: darkAccent, 'on-accent': darkOnAccent } = accentTokens(accent)?.dark ?? {};
  return withLogo
    .replaceAll(builtInTagline, () => escapeMarkup(tagline))
    .replaceAll(builtInName, () => escapeMarkup(siteName))
    .replaceAll(builtInAccent, accent)
    .replaceAll(DARK_ACCENT.accent, darkAccent ?? DARK_ACCENT.accent)
    .replaceAll(DARK_ACCENT.onAccent, darkOnAccent ?? DARK_ACCENT.onAccent);
}

function logoTag({ width, height, showsName }: MailLogo, siteName: string): string {
  const alt = escapeMarkup(showsName ? `Mark of ${siteName}` : siteName);
  return `<img src="cid:${LOGO_ID}" width="${width}" height="${height}" alt="${alt}" style="vertical-align: middle; border: 0;">`;
}

/**
 * Converts HTML to text in reading order. Blocks become paragraphs. The URL of a link follows its text, unless both are
 * equal.
 */
function toText(html: string): string {
  const body = /<body[^>]*>(.*)<\/body>/s.exec(html)?.[1] ?? html;
  const text = body
    .replaceAll(/<!--.*?-->|<div class="preheader".*?<\/div>/gs, '')
    // Mail clients show the start of the HTML as the inbox preview. The text part starts with the site's name instead.
    .replace(/(<p class="preview".*?<\/p>)(.*?)(?=<h1)/s, '$2$1')
    .replaceAll(/<p [^>]*pre-line.*?<\/p>/gs, (paragraph) => paragraph.replaceAll('\n', '<br>'))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<a\b[^>]*\bhref="([^"]*)"[^>]*>(.*?)<\/a>/g, (_whole, url: string, label: string) => {
      // An image next to text is decorative.
      const text = label.replaceAll(/<[^>]*>|&nbsp;/g, '').trim() || (/ alt="([^"]*)"/.exec(label)?.[1] ?? '');
      return text === url ? url : `${text}:\n${url}`;
    })
    .replaceAll(/<br\s*\/?>/g, '\n')
    .replaceAll(/<\/th>/g, ': ')
    // A table row becomes a line.
    .replaceAll('</td></tr>', '\n')
    .replaceAll(/<\/(p|h1|h2|div|tr|table)>/g, '\n\n')
    .replaceAll(/<[^>]*>/g, '');
  return unescapeMarkup(text)
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
    .concat('\n');
}
