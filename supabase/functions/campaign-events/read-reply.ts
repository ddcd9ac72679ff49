/** Reads the person and the words of a reply. Field names differ between providers, so every known name is tried. */
import { type CampaignEvent, textAt } from './campaign-event.ts';
import { sliceCharacters, storableText } from './characters.ts';
import { textOfMail } from './mail-text.ts';
import { removeQuotedThread } from './quoted-thread.ts';

const MAX_NAME = 200;
const MAX_WORDS = 4000;

/** Maximum characters of a reply with HTML that are read. */
const MAX_SOURCE = 100_000;

/** Places of the person in an event. Smartlead uses lead_data, lemlist a prefix, and custom programs none. */
const PEOPLE = ['lead_data.', 'lead.', 'contact.', ''];

const WORDS = [
  ...['reply_message.html', 'reply_message.text', 'reply_body', 'reply.body', 'reply.html', 'reply.text'],
  ...['reply_html', 'reply_text', 'last_reply.email_body', 'lastReply.email_body', 'reply_text_snippet'],
  // Custom programs and lemlist. The other providers have the sent message under other names.
  ...['text', 'html', 'message'],
];

/** Person and words of an event. A part is '' if the event does not have it. */
export interface EventReply {
  name: string;
  company: string;
  title: string;
  text: string;
}

/** Returns null if the event is no reply, or says neither who replied nor what. */
export function readReply({ metric }: CampaignEvent, raw: unknown): EventReply | null {
  if (metric !== 'replies' && metric !== 'positive_replies') return null;
  const reply = {
    name: nameIn(raw),
    company: lineAt(raw, 'company_name', 'companyName', 'company', 'leadCompanyName'),
    title: lineAt(raw, 'job_title', 'jobTitle', 'title', 'leadJobTitle'),
    text: wordsIn(raw),
  };
  return Object.values(reply).every((part) => part === '') ? null : reply;
}

function nameIn(raw: unknown): string {
  const first = lineAt(raw, 'first_name', 'firstName', 'leadFirstName');
  const last = lineAt(raw, 'last_name', 'lastName', 'leadLastName');
  const name = `${first} ${last}`.trim() || lineAt(raw, 'name', 'full_name', 'fullName', 'to_name', 'lead_name');
  return sliceCharacters(name, 0, MAX_NAME).trim();
}

/** Returns the first text at one of the names, of the person or of the event, in one line. */
function lineAt(raw: unknown, ...names: string[]): string {
  const text = textAt(raw, ...PEOPLE.flatMap((place) => names.map((name) => `${place}${name}`)));
  return sliceCharacters(
    storableText(sliceCharacters(text, 0, 1000))
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
    0,
    MAX_NAME,
  ).trim();
}

function wordsIn(raw: unknown): string {
  const mail = textOfMail(sliceCharacters(textAt(raw, ...WORDS), 0, MAX_SOURCE));
  // Entities can decode to characters that Postgres rejects.
  const words = removeQuotedThread(storableText(mail))
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  return sliceCharacters(words, 0, MAX_WORDS).trim();
}
