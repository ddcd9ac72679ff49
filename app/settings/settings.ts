/** Every setting that admins can change, in one list: what it is called, what holds while nothing is saved, its rules. */
import { z } from 'zod';
import { DEFAULT_CONTACT_EMAIL } from '../../supabase/functions/ai-chat/built-in-texts.ts';
import { DEFAULT_SITE_NAME } from '../../supabase/functions/ai-chat/site-name.ts';
import { EMAIL_PATTERN } from '../ui/lib/email-pattern.ts';
import { unreadableOrigin } from './chat-origins.ts';

export interface Setting {
  label: string;
  help: string;
  /** Value that applies, and is shown, while nothing is saved. {site} is the site's name. */
  default: string;
  input: 'line' | 'text' | 'code' | 'links' | 'email' | 'number' | 'on-off';
  /** The rules for saving it. */
  schema: z.ZodType<string, string>;
  /** True when visitors may read it. The policies of the table name the same keys. */
  isPublic: boolean;
}

const anyText = z.string().max(100_000, 'Enter at most 100,000 characters.');

const email = z.union([z.literal(''), z.email({ pattern: EMAIL_PATTERN, error: 'Enter a valid email address.' })]);

/** As private.number_setting() reads it; for anything else it would take the default. */
const wholeNumber = z.string().regex(/^\d{1,7}$/, 'Enter a whole number from 0 to 9,999,999.');

const onOff = z.enum(['on', 'off'], 'Choose on or off.');

/** As private.guard_lead_webhook_url() has it. */
const webhookAddress = z
  .string()
  .trim()
  .max(2000, 'Enter an address of at most 2,000 characters.')
  .refine((text) => text === '' || (/^https:\/\/\S+$/.test(text) && URL.canParse(text)), {
    error: 'Enter an address that begins with https://, or nothing.',
  });

/** An object of addresses by platform. What is no text in it is nobody's link and stays as it is. */
const links = z.string().superRefine((text, context) => {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
      context.addIssue('Not saved, because this is not a JSON object: {"platform": "https://..."}');
      return;
    }
    for (const [platform, address] of Object.entries(parsed)) {
      if (typeof address !== 'string' || address === '' || /^https?:\/\/[^\s/]\S*$/i.test(address)) continue;
      context.addIssue(
        `Not saved, because "${address}" (${platform}) is not the address of a page: https://example.com`,
      );
      return;
    }
  } catch (error) {
    context.addIssue(`Not saved, because this is not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
});

const origins = z.string().superRefine((text, context) => {
  const entry = unreadableOrigin(text);
  if (entry === undefined) return;
  context.addIssue(`Not saved, because "${entry}" is not the address of a site: https://example.com`);
});

/** As parseLanguages() of the assistant reads it; what it does not know would be left out in silence. */
const languages = z.string().regex(/^\s*(en|nb)(\s*,\s*(en|nb))*\s*$/, 'Enter en, nb or both, separated by a comma.');

/** Settings that the public pages show. */
export const SITE_SETTINGS = {
  site_name: {
    label: 'Site name',
    help: 'Beside the logo, in page titles and in emails.',
    default: DEFAULT_SITE_NAME,
    input: 'line',
    schema: anyText,
    isPublic: true,
  },
  site_tagline: {
    label: 'Site tagline',
    help: 'One line about what you do, in the title of the home page.',
    default: 'AI Outbound Systems for Brand-First Growth',
    input: 'line',
    schema: anyText,
    isPublic: true,
  },
  contact_email: {
    label: 'Contact email',
    help: 'Where visitors can write to you.',
    default: DEFAULT_CONTACT_EMAIL,
    input: 'email',
    schema: email,
    isPublic: true,
  },
  contact_phone: {
    label: 'Contact phone',
    help: 'With the country code.',
    default: '+47 00 00 00 00',
    input: 'line',
    schema: anyText,
    isPublic: true,
  },
  social_links: {
    label: 'Social links',
    help: 'Your pages elsewhere. Search engines and assistants connect them with the site.',
    default: '{\n  "instagram": "https://www.instagram.com/"\n}',
    input: 'links',
    schema: links,
    isPublic: true,
  },
  seo_description: {
    label: 'SEO description',
    help: 'What search engines show under the title; about 150 characters.',
    default:
      '{site} builds outreach systems, lead generation automation and chatbots for companies that care how they sound.',
    input: 'text',
    schema: anyText,
    isPublic: true,
  },
  seo_keywords: {
    label: 'SEO keywords',
    help: 'Separated by commas.',
    default: 'outbound sales, lead generation, cold email, deliverability, AI chatbots, Oslo',
    input: 'line',
    schema: anyText,
    isPublic: true,
  },
  faq_on_contact: {
    label: 'Questions on the contact page',
    help: 'On: the contact page shows the published questions and answers. The first one that is published switches it on.',
    default: 'off',
    input: 'on-off',
    schema: onOff,
    isPublic: true,
  },
  count_visits: {
    label: 'Figures of visits',
    help: 'On: the dashboard counts which pages are viewed, where visitors come from, and on what. Without cookies, without their addresses, and not of browsers that ask not to be tracked.',
    default: 'off',
    input: 'on-off',
    schema: onOff,
    isPublic: true,
  },
  domain_check: {
    label: 'Check of domains',
    help: 'On: visitors of the services page type a domain and read what its SPF, DKIM and DMARC say. The server asks the DNS only, and forgets the answer within minutes.',
    default: 'off',
    input: 'on-off',
    schema: onOff,
    isPublic: true,
  },
} satisfies Record<string, Setting>;

/** Settings of the chat assistant. */
export const CHAT_SETTINGS = {
  chat_instructions: {
    label: 'Chat instructions',
    help: 'What the assistant should know and how it should speak, beyond the published content.',
    default: '',
    input: 'text',
    schema: anyText,
    isPublic: false,
  },
  chat_daily_cap: {
    label: 'Chat daily cap',
    help: 'How many replies the assistant gives a day on the whole site; 0 switches it off.',
    default: '1000',
    input: 'number',
    schema: wholeNumber,
    isPublic: false,
  },
  chat_allowed_origins: {
    label: 'Chat allowed origins',
    help: 'Sites that may embed the chat, one address a line: https://example.com. Empty: any site.',
    default: '',
    input: 'code',
    schema: origins,
    // The server writes them into a header that everybody sees.
    isPublic: true,
  },
  chat_languages: {
    label: 'Chat languages',
    help: 'In which the built-in assistant answers, the site’s own first: en, nb.',
    default: 'en, nb',
    input: 'line',
    schema: languages,
    isPublic: false,
  },
  chat_retention_days: {
    label: 'Chat retention days',
    help: 'Conversations are deleted this many days after their last message. The privacy page says so.',
    default: '365',
    input: 'number',
    schema: wholeNumber,
    isPublic: true,
  },
} satisfies Record<string, Setting>;

/**
 * Settings of what visitors may leave, and who hears of it. All off at first: then nothing that they write goes
 * anywhere.
 */
export const LEAD_SETTINGS = {
  keep_contact_messages: {
    label: 'Keep contact messages',
    help: 'On: what the contact form sends is kept under Leads, and mailed to the contact email. Off: it goes nowhere.',
    default: 'off',
    input: 'on-off',
    schema: onOff,
    isPublic: true,
  },
  answer_time: {
    label: 'When somebody answers',
    help: 'Said after a message that is kept: “The answer comes …”, such as “within one working day”. Empty: no time is said.',
    default: '',
    input: 'line',
    schema: z.string().trim().max(60, 'At most 60 characters.'),
    isPublic: true,
  },
  leads_from_chat: {
    label: 'Leads from the chat',
    help: 'On: the assistant may offer that a person writes. Visitors agree with a button; then their address is under Leads.',
    default: 'off',
    input: 'on-off',
    schema: onOff,
    isPublic: true,
  },
  newsletter_signup: {
    label: 'Newsletter sign-up',
    help: 'On: the form in the footer takes addresses, which are confirmed by mail. You send the newsletter with a tool of yours.',
    default: 'off',
    input: 'on-off',
    schema: onOff,
    isPublic: true,
  },
  lead_webhook_url: {
    label: 'Lead webhook',
    help: 'Told of each new lead: a public https address. Its secret, its log and a test are under Leads. Empty: nobody is told.',
    default: '',
    input: 'line',
    schema: webhookAddress,
    isPublic: false,
  },
} satisfies Record<string, Setting>;

/** Settings of what pictures need. */
export const MEDIA_SETTINGS = {
  require_alt_text: {
    label: 'Alt texts required',
    help: 'On: nothing is published with a picture that has no alt text, in the media library or in its text. Portraits need none: the name stands beside them.',
    default: 'off',
    input: 'on-off',
    schema: onOff,
    isPublic: false,
  },
} satisfies Record<string, Setting>;

/** Settings of who gets into the admin area. */
export const ACCESS_SETTINGS = {
  require_second_factor: {
    label: 'Second factor for admins',
    help: 'On: admins get into this area only after a code or a security key besides their password. Set one up on your account page first.',
    default: 'off',
    input: 'on-off',
    schema: onOff,
    isPublic: false,
  },
} satisfies Record<string, Setting>;

/** Returns the setting of that key; undefined when there is none. */
export function settingOf(key: string): Setting | undefined {
  const settings: Partial<Record<string, Setting>> = {
    ...SITE_SETTINGS,
    ...CHAT_SETTINGS,
    ...LEAD_SETTINGS,
    ...MEDIA_SETTINGS,
    ...ACCESS_SETTINGS,
  };
  return settings[key];
}
