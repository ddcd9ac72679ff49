/** Looks up the names in a message in all published content, so that the assistant does not deny anything published. */

import { formatLinks } from './answers-articles.ts';
import { answerPlace, describePerson, findResponsiblePerson } from './answers-company.ts';
import { answerCountries, describeProject, quoteReviews, reviewsOf } from './answers-projects.ts';
import { answerTool } from './answers-published.ts';
import { admitUnpublished } from './answers-unknown.ts';
import type { Intent } from './intents.ts';
import { explainedBy, type IntentMatch } from './recognise.ts';
import { isSubject } from './subjects.ts';
import { formatPhrase, REFERS_BACK, type Reply, type Turn } from './turn.ts';
import { wordsOf } from './words.ts';

/** Reply about a named item. `isSure` is true if the message asks for nothing else. */
export interface EntityAnswer {
  reply: Reply;
  isSure: boolean;
}

/** Returns the published information about people, roles, companies and places in a message, or null. */
export function answerAboutEntities(turn: Turn, intentMatch: IntentMatch | undefined): EntityAnswer | null {
  return quoteReviewers(turn) ?? answerAboutRole(turn) ?? answerAboutPlace(turn, intentMatch) ?? answerAboutTool(turn);
}

/** Quotes reviews by a named author or company: "who said something about it at Isfront?" */
function quoteReviewers(turn: Turn): EntityAnswer | null {
  const terms = new Set(wordsOf(turn.text));
  const { reviews } = turn.content;
  const nameReviews = reviews.filter(({ author_name }) => wordsOf(author_name).some((word) => terms.has(word)));
  const fullNameReviews = nameReviews.filter(({ author_name }) =>
    wordsOf(author_name).every((word) => terms.has(word)),
  );
  const companyReviews = reviews.filter(({ company }) =>
    wordsOf(company).some((word) => word.length > 3 && terms.has(word)),
  );
  const subjectReviews = turn.subject?.kind === 'projects' ? reviewsOf(turn, turn.subject) : [];
  const asksForPerson = PERSON_QUESTION.test(turn.text);
  const [matchingReviews = []] = [
    fullNameReviews,
    nameReviews.filter(({ author_name }) => isCapitalisedName(turn.text, author_name)),
    asksForPerson && companyReviews.length === 0 ? subjectReviews : [],
    companyReviews,
  ].filter((group) => group.length > 0);
  if (matchingReviews.length === 0) return null;
  return {
    reply: quoteReviews(turn, matchingReviews),
    isSure: asksForPerson && matchingReviews === companyReviews && turn.entities.project !== null,
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
const PERSON_QUESTION = /(?<!\p{L})(?:who|whom|hvem)(?!\p{L})/iu;

/** Answers about a named tool: "is LinkedIn part of it?" */
function answerAboutTool(turn: Turn): EntityAnswer | null {
  return turn.entities.tool ? { reply: answerTool(turn), isSure: false } : null;
}

/** Describes the person for a role: "Who does the copywriting?" */
function answerAboutRole(turn: Turn): EntityAnswer | null {
  const person = PERSON_QUESTION.test(turn.text) ? findResponsiblePerson(turn) : null;
  return person && { reply: describePerson(turn, person.person), isSure: person.isSure };
}

/** Answers about our own town or projects in a country, but not a question about the weather in Oslo. */
function answerAboutPlace(turn: Turn, intentMatch: IntentMatch | undefined): EntityAnswer | null {
  const { isOwnTown, country } = turn.entities;
  if (!intentMatch || !PLACE_INTENTS.has(intentMatch.intent)) return null;
  if (explainedBy(turn.entities.masked, intentMatch.intent, turn.language) < turn.limits.upset) return null;
  if (country && turn.names.projectsMentioning(country.name, true).length > 0)
    return { reply: answerCountries(turn), isSure: false };
  return isOwnTown ? { reply: answerPlace(turn), isSure: false } : null;
}

const PLACE_INTENTS: ReadonlySet<Intent> = new Set<Intent>(['place', 'countries', 'cases']);

/** Answers a problem of the visitor with a similar project: "our mails go to spam". */
export function answerWithSimilarCase(turn: Turn, intentMatch: IntentMatch | undefined): Reply | null {
  const { text, entities } = turn;
  if (entities.service || entities.project || (QUESTION.test(text) && !REASON_QUESTION.test(text))) return null;
  if (
    !POSSESSIVE_OUR.test(text) &&
    !(intentMatch?.intent === 'recommend' && intentMatch.similarity >= turn.limits.certain)
  )
    return null;
  const similarProject = turn.matches.find(
    ({ kind, coverage, isInTitle }) => kind === 'projects' && (isInTitle || coverage >= turn.limits.near),
  );
  return similarProject?.kind === 'projects' ? describeProject(turn, similarProject) : null;
}

/** A question mark, or the word order of a question. */
const QUESTION =
  /\?|^\W*(?:(?:on|in|for|with|på|i|med) )?(?:is|are|do|does|did|can|could|will|would|what|which|who|where|when|how|er|kan|har|hva|hvem|hvor|hvilken|hvilket|hvilke|når)(?!\p{L})/iu;

const REASON_QUESTION = /(?<!\p{L})(?:why|hvorfor)(?!\p{L})/iu;

const POSSESSIVE_OUR = /(?<!\p{L})(?:our|vår|vårt|våre)(?!\p{L})/iu;

/** Offers the two closest items when the answer is uncertain. */
export function offerClosestItems(turn: Turn): Reply | null {
  const relatedMatches = turn.matches.filter(({ coverage }) => coverage >= turn.limits.near);
  const earlierSubject = REFERS_BACK.test(turn.text) ? turn.state.subject : null;
  const closestItems = [
    ...(earlierSubject ? [earlierSubject] : []),
    ...relatedMatches.filter(({ title }) => title !== earlierSubject?.title),
  ].slice(0, 2);
  if (closestItems.length === 0) return null;
  return {
    ...admitUnpublished(turn, '', formatPhrase(turn, 'more', { pages: formatLinks(turn, closestItems) })),
    closingQuestion: 'goal',
    listedItems: closestItems.flatMap((item) => (isSubject(item) ? [item] : [])),
  };
}
