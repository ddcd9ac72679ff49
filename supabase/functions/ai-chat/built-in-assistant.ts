/**
 * The assistant that answers when no upstream is configured. It recognises what a question is about, answers from the
 * published content alone, links the page that it used, and says so when it does not know.
 */
import { findEntry } from './find-entry.ts';
import type { ChatMessage } from './prompt.ts';
import { type Found, plainText, type SearchIndex } from './search.ts';
import { type FaqEntry, nameOfSite, type Service, type SiteContent } from './site-content.ts';
import { sourceLines } from './sources.ts';
import { describeService, type Question, TOPICS } from './topics.ts';
import { BOOK, bestSentences, CONTACT, escapeMarkdown, link } from './wording.ts';

/** The whole answer to the last message of a conversation, in Markdown. */
export function answerFromContent(content: SiteContent, index: SearchIndex, conversation: ChatMessage[]): string {
  const asked = conversation.filter(({ role }) => role === 'user').map((message) => message.content);
  const text = asked.at(-1) ?? '';
  const entry = findEntry(content.faq, text);
  if (entry) return answerOf(entry);
  const found = index.search(text);
  const earlier = asked.slice(-4, -1).reverse();
  const searches = [found, ...earlier.map((before) => index.search(before))];
  const question: Question = {
    text,
    content,
    index,
    siteName: nameOfSite(content),
    service: searches.map((passages) => serviceAmong(passages)).find(Boolean) ?? null,
    namedService:
      searches.map((passages) => serviceAmong(passages, ({ isInTitle }) => isInTitle)).find(Boolean) ?? null,
  };
  for (const { isMeant, answer } of TOPICS) {
    const answered = isMeant.test(text) && answer(question);
    if (answered) return answered;
  }
  return found[0] ? quote(found, question) : admitNotKnowing(question);
}

/** In the editors' own words, whole. */
function answerOf({ question, answer }: FaqEntry): string {
  return [answer.trim(), sourceLines([{ title: question, url: '/contact#questions' }])].join('\n\n');
}

function serviceAmong(found: Found[], isMeant = (_passage: Found) => true): Service | null {
  // Only when a service is among the best: a service that is mentioned in passing is not what was asked about.
  const service = found.slice(0, 2).find((passage) => passage.kind === 'services' && isMeant(passage));
  return service?.kind === 'services' ? service.item : null;
}

function quote(found: Found[], { text, siteName }: Question): string {
  const [best, ...others] = found;
  if (!best) return '';
  if (best.kind === 'services') return describeService(best.item);
  if (best.kind === 'faq' && best.coversAll) return answerOf(best.item);
  const also = others.slice(0, 2).map((passage) => link(passage.title, passage.url));
  return [
    introduce(best),
    `> ${escapeMarkdown(bestSentences(best.text, text) || best.title)}`,
    also.length > 0 ? `You may also find this useful: ${also.join(' and ')}.` : '',
    `Is that what you were after? To discuss your own case with ${escapeMarkdown(siteName)}, ${BOOK}.`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

const NOUNS = { posts: 'article', projects: 'project', faq: 'answer to', other: 'page' };

function introduce(passage: Exclude<Found, { kind: 'services' }>): string {
  const page = link(passage.title, passage.url);
  if (passage.kind === 'team_members') {
    return `${page}${passage.item.position ? `, ${escapeMarkdown(plainText(passage.item.position))},` : ''} is on our team.`;
  }
  const what = `our ${NOUNS[passage.kind]} ${page}`;
  const forWhom =
    passage.kind === 'projects' && passage.item.company ? ` for ${escapeMarkdown(passage.item.company)}` : '';
  return passage.coversAll
    ? `This is from ${what}${forWhom}:`
    : `I found no exact answer; the closest on this site is ${what}${forWhom}:`;
}

function admitNotKnowing({ content }: Question): string {
  const services = content.services.slice(0, 3).map(({ title }) => escapeMarkdown(title));
  const can =
    services.length > 0
      ? `I can tell you about ${services.join(', ')}, our projects, timelines and published prices.`
      : '';
  return [
    'I do not know that: nothing published on this site answers it, and I would rather not guess.',
    `${can} For anything else, a person answers: ${BOOK} or write to us on the ${CONTACT}.`.trim(),
    'What would you like to achieve?',
  ].join('\n\n');
}
