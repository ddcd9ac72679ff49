/**
 * Mails from supabase/templates, which a hosted project uses as they are. They are Go templates; of that language they
 * use only {{ .Variable }}. The subject is the page's title, the text part is made from the same page.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeMarkup, unescapeMarkup } from '@signalfjord/backend';
import type { CalendarEvent } from '../../supabase/functions/booking-calendar/calendar-file.ts';
import { BUILT_IN_LOOK, type MailLogo, type MailLook } from './mail-look.ts';

const FOLDER = join(import.meta.dirname, '../../supabase/templates');

/** Names of the files, without .html. */
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
  'approval_unread',
  'client_report',
  'monday_list',
  'admin_added',
  'invitation',
  'client_added',
] as const;

export type TemplateName = (typeof TEMPLATE_NAMES)[number];

/** Variables of templates, as in Supabase Auth's own templates: {{ .TokenHash }}. */
export interface MailVariables {
  /** Origin of the site; the delivery fills it in when a queued mail has none. */
  SiteURL?: string;
  Email: string;
  Token?: string;
  TokenHash?: string;
  RedirectTo?: string;
  /** Address that an invitation opens. The delivery fills it in. */
  Link?: string | undefined;
  NewEmail?: string;
  /** Address that an answer to a mail about a lead goes to; what the lead left follows. SQL queues these. */
  ReplyTo?: string;
  Name?: string;
  Phone?: string;
  CallTime?: string;
  Message?: string;
  LeadId?: string;
  /** Release that was not published. SQL queues these mails, too. */
  ReleaseId?: string;
  PlannedTime?: string;
  /** Token in a subscriber's link to leave. */
  UnsubscribeToken?: string;
  /** Links that {{ .Items }} lists, by their path on the site. SQL queues these. */
  Items?: MailItem[];
  /** Attachment of mails about booked calls. Their other variables stand in private.tell_about_booking(). */
  Calendar?: CalendarEvent;
}

export interface MailItem {
  text: string;
  path: string;
}

/** The built-in mark and the name beside it, at the head of every mail. */
const MARK_IN_TEMPLATES = `<span class="mark" style="color: ${BUILT_IN_LOOK.accent};">∿</span>`;
const HEAD_IN_TEMPLATES = `${MARK_IN_TEMPLATES}&nbsp;${BUILT_IN_LOOK.siteName}`;

/** Content id of the logo within a mail. */
export const LOGO_ID = 'logo@mail';

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

/** @throws Error when the file is missing */
export async function renderMail(
  template: TemplateName,
  variables: MailVariables,
  look: MailLook = BUILT_IN_LOOK,
): Promise<RenderedMail> {
  const source = await readFile(join(FOLDER, `${template}.html`), 'utf8');
  const values: Record<string, unknown> = { ...variables };
  const html = inLook(source, look).replaceAll(
    /([?;]\w+=)?\{\{\s*\.(\w+)\s*\}\}/g,
    (_whole, parameter: string | undefined, name: string) => {
      if (name === 'Items') return itemList(variables);
      const given = String(values[name] ?? '');
      const value = name === 'Path' ? mailedPath(given) : given;
      // Go's templates encode values in the query of an address, too.
      return parameter ? parameter + encodeURIComponent(value) : escapeMarkup(value);
    },
  );
  const title = /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? look.siteName;
  return { subject: unescapeMarkup(title).replaceAll(/\s+/g, ' ').trim(), html, text: toText(html) };
}

/** Renders a paragraph with a link for each item. */
function itemList({ SiteURL = '', Items = [] }: MailVariables): string {
  return Items.map(
    ({ text, path }) =>
      `<p style="margin: 0 0 12px;"><a class="ink" href="${escapeMarkup(SiteURL + mailedPath(path))}" style="color: #13221d;">${escapeMarkup(text)}</a></p>`,
  ).join('\n');
}

/**
 * Marks a path behind the sign-in as one that a mail links to, so that the site leads there after signing in. The token in
 * the path of an approval is mark enough.
 */
export function mailedPath(path: string): string {
  if (path === '' || path.startsWith('/approve/')) return path;
  const url = new URL(path, 'https://site.invalid');
  url.searchParams.set('from', 'mail');
  return url.href.slice(url.origin.length);
}

/** Puts our values in the places of the built-in ones, because a hosted project has no variables for them. */
function inLook(source: string, { siteName, tagline, accent, logo }: MailLook): string {
  const { siteName: builtInName, tagline: builtInTagline, accent: builtInAccent } = BUILT_IN_LOOK;
  const headed = logo
    ? source.replaceAll(logo.showsName ? MARK_IN_TEMPLATES : HEAD_IN_TEMPLATES, () => logoTag(logo, siteName))
    : source;
  return headed
    .replaceAll(builtInTagline, () => escapeMarkup(tagline))
    .replaceAll(builtInName, () => escapeMarkup(siteName))
    .replaceAll(builtInAccent, accent);
}

function logoTag({ width, height, showsName }: MailLogo, siteName: string): string {
  const alt = escapeMarkup(showsName ? `Mark of ${siteName}` : siteName);
  return `<img src="cid:${LOGO_ID}" width="${width}" height="${height}" alt="${alt}" style="vertical-align: middle; border: 0;">`;
}

/**
 * Writes the body in reading order: blocks become paragraphs, and a link is followed by its address unless it shows it.
 */
function toText(html: string): string {
  const body = /<body[^>]*>(.*)<\/body>/s.exec(html)?.[1] ?? html;
  const text = body
    .replaceAll(/<!--.*?-->/gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<a\b[^>]*\bhref="([^"]*)"[^>]*>(.*?)<\/a>/g, (_whole, address: string, label: string) => {
      // A picture beside words says nothing that they do not say.
      const shown = label.replaceAll(/<[^>]*>|&nbsp;/g, '').trim() || (/ alt="([^"]*)"/.exec(label)?.[1] ?? '');
      return shown === address ? address : `${shown}:\n${address}`;
    })
    .replaceAll(/<br\s*\/?>/g, '\n')
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
