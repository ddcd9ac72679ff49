/**
 * Mails from supabase/templates, which a hosted project uses as they are. They are Go templates; of that language they
 * use only {{ .Variable }}. The subject is the page's title, the text part is made from the same page.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeMarkup, unescapeMarkup } from '../http/escape-markup.ts';
import type { MailVariables } from './mail-queue.ts';

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
  'new_lead',
  'newsletter_confirm',
  'newsletter_welcome',
  'booking_confirmed',
  'booking_moved',
  'booking_cancelled',
  'booking_reminder',
  'booking_notice',
  'release_failed',
] as const;

export type TemplateName = (typeof TEMPLATE_NAMES)[number];

/** The site's name as the templates write it. A hosted project has no variable for it, so we put the set one in its place. */
const NAME_IN_TEMPLATES = 'Signalfjord';

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

/** @throws Error when the file is missing */
export async function renderMail(
  template: TemplateName,
  variables: MailVariables,
  siteName = NAME_IN_TEMPLATES,
): Promise<RenderedMail> {
  const source = await readFile(join(FOLDER, `${template}.html`), 'utf8');
  const named = source.replaceAll(NAME_IN_TEMPLATES, () => escapeMarkup(siteName));
  const html = named.replaceAll(/\{\{\s*\.(\w+)\s*\}\}/g, (_whole, name: string) =>
    escapeMarkup(String((variables as unknown as Record<string, unknown>)[name] ?? '')),
  );
  const title = /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? siteName;
  return { subject: unescapeMarkup(title).replaceAll(/\s+/g, ' ').trim(), html, text: toText(html) };
}

/** The body in reading order: blocks become paragraphs, and a link is followed by its address unless it shows it. */
function toText(html: string): string {
  const body = /<body[^>]*>(.*)<\/body>/s.exec(html)?.[1] ?? html;
  const text = body
    .replaceAll(/<!--.*?-->/gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<a\b[^>]*\bhref="([^"]*)"[^>]*>(.*?)<\/a>/g, (_whole, address: string, label: string) => {
      const shown = label.replaceAll(/<[^>]*>/g, '').trim();
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
