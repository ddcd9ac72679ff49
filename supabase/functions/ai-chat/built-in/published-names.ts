/** Looks up the names in a message in all published content, so that the assistant does not deny anything published. */

import { listed } from './answers-articles.ts';
import { answerPlace, describePerson, personDoing } from './answers-company.ts';
import { answerCountries, describeProject, quoteReviews, reviewsOf } from './answers-projects.ts';
import { answerTool } from './answers-published.ts';
import { admitUnpublished } from './answers-unknown.ts';
import type { Intent } from './intents.ts';
import { explainedBy, type Recognised } from './recognise.ts';
import { isSubject } from './subjects.ts';
import { REFERS_BACK, type Reply, say, type Turn } from './turn.ts';
import { wordsOf } from './words.ts';

/** Reply about a named item. `isSure` is true if the message asks for nothing else. */
export interface NamedAnswer {
  reply: Reply;
  isSure: boolean;
}

/** Returns the published information about people, roles, companies and places in a message, or null. */
export function answerNamed(turn: Turn, best: Recognised | undefined): NamedAnswer | null {
  return quoteReviewers(turn) ?? answerRole(turn) ?? answerNamedPlace(turn, best) ?? answerNamedTool(turn);
}

/** Quotes reviews by a named author or company: "who said something about it at Isfront?" */
function quoteReviewers(turn: Turn): NamedAnswer | null {
  const terms = new Set(wordsOf(turn.text));
  const { reviews } = turn.content;
  const byName = reviews.filter(({ author_name }) => wordsOf(author_name).some((word) => terms.has(word)));
  const named = byName.filter(({ author_name }) => wordsOf(author_name).every((word) => terms.has(word)));
  const companyReviews = reviews.filter(({ company }) =>
    wordsOf(company).some((word) => word.length > 3 && terms.has(word)),
  );
  const subjectReviews = turn.subject?.kind === 'projects' ? reviewsOf(turn, turn.subject) : [];
  const asksWho = WHO.test(turn.text);
  const [people = []] = [
    named,
    byName.filter(({ author_name }) => isCapitalisedName(turn.text, author_name)),
    asksWho && companyReviews.length === 0 ? subjectReviews : [],
    companyReviews,
  ].filter((found) => found.length > 0);
  if (people.length === 0) return null;
  return {
    reply: quoteReviews(turn, people),
    isSure: asksWho && people === companyReviews && turn.named.project !== null,
  };
}

/** Checks whether a surname is written as a name: "the Strand case", but not "a strand of hair". */
function isCapitalisedName(text: string, name: string): boolean {
  return name
    .split(/\s+/)
    .some((part) => part.length > 3 && new RegExp(`(?<!\\p{L})${escapeRegExp(part)}(?!\\p{L})`, 'u').test(text));
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** A question about a person. */
const WHO = /(?<!\p{L})(?:who|whom|hvem)(?!\p{L})/iu;

/** Answers about a named tool: "is LinkedIn part of it?" */
function answerNamedTool(turn: Turn): NamedAnswer | null {
  return turn.named.tool ? { reply: answerTool(turn), isSure: false } : null;
}

/** Describes the person for a role: "Who does the copywriting?" */
function answerRole(turn: Turn): NamedAnswer | null {
  const best = WHO.test(turn.text) ? personDoing(turn) : null;
  return best && { reply: describePerson(turn, best.person), isSure: best.isSure };
}

/** Answers about our own town or projects in a country, but not a question about the weather in Oslo. */
function answerNamedPlace(turn: Turn, best: Recognised | undefined): NamedAnswer | null {
  const { isOurPlace, country } = turn.named;
  if (!best || !PLACE_INTENTS.has(best.intent)) return null;
  if (explainedBy(turn.named.masked, best.intent, turn.language) < turn.limits.upset) return null;
  if (country && turn.names.mentioning(country.name, true).length > 0)
    return { reply: answerCountries(turn), isSure: false };
  return isOurPlace ? { reply: answerPlace(turn), isSure: false } : null;
}

const PLACE_INTENTS: ReadonlySet<Intent> = new Set<Intent>(['place', 'countries', 'cases']);

/** Answers a problem of the visitor with a similar project: "our mails go to spam". */
export function answerWithSimilarCase(turn: Turn, best: Recognised | undefined): Reply | null {
  const { text, named } = turn;
  if (named.service || named.project || (QUESTION.test(text) && !WHY.test(text))) return null;
  if (!OURS.test(text) && !(best?.intent === 'recommend' && best.likeness >= turn.limits.certain)) return null;
  const similar = turn.found.find(
    ({ kind, coverage, isInTitle }) => kind === 'projects' && (isInTitle || coverage >= turn.limits.near),
  );
  return similar?.kind === 'projects' ? describeProject(turn, similar) : null;
}

/** A question mark, or the word order of a question. */
const QUESTION =
  /\?|^\W*(?:(?:on|in|for|with|på|i|med) )?(?:is|are|do|does|did|can|could|will|would|what|which|who|where|when|how|er|kan|har|hva|hvem|hvor|hvilken|hvilket|hvilke|når)(?!\p{L})/iu;

const WHY = /(?<!\p{L})(?:why|hvorfor)(?!\p{L})/iu;

const OURS = /(?<!\p{L})(?:our|vår|vårt|våre)(?!\p{L})/iu;

/** Offers the two closest items when the answer is uncertain. */
export function offerNearest(turn: Turn): Reply | null {
  const found = turn.found.filter(({ coverage }) => coverage >= turn.limits.near);
  const earlier = REFERS_BACK.test(turn.text) ? turn.memory.subject : null;
  const nearest = [...(earlier ? [earlier] : []), ...found.filter(({ title }) => title !== earlier?.title)].slice(0, 2);
  if (nearest.length === 0) return null;
  return {
    ...admitUnpublished(turn, '', say(turn, 'more', { pages: listed(turn, nearest) })),
    asked: 'goal',
    listed: nearest.flatMap((found) => (isSubject(found) ? [found] : [])),
  };
}
