/** Contact details, as in the footer of the pages. */
import { DEFAULT_ADDRESS, DEFAULT_CONTACT_EMAIL } from './built-in-texts.ts';
import { nameOfSite, type SiteContent } from './site-content.ts';
import { fillSiteName } from './site-name.ts';

type Facts = Pick<SiteContent, 'settings' | 'sections'>;

export function emailOf({ settings, sections }: Facts): string {
  const savedEmail = settings.get('contact_email')?.trim();
  return savedEmail || textIn(sections.get('home/footer'), 'email') || DEFAULT_CONTACT_EMAIL;
}

/** Returns the address in one line, or '' if an empty one was saved. */
export function addressOf({ settings, sections }: Facts): string {
  const footer = sections.get('home/footer');
  if (footer?.['contact']) return textIn(footer, 'address');
  return fillSiteName(DEFAULT_ADDRESS, nameOfSite({ settings })).join(', ');
}

function textIn(footer: Record<string, unknown> | undefined, key: string): string {
  const contact = footer?.['contact'];
  const value = typeof contact === 'object' && contact !== null ? Reflect.get(contact, key) : undefined;
  if (typeof value === 'string') return value.trim();
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string' && line.trim()).join(', ') : '';
}
