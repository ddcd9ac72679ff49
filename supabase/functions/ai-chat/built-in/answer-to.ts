/** Chooses the answer to a message: the answer of each intent, and the order of the other attempts. */

import { languageOf } from '../languages.ts';
import { keywords, type SearchMatch } from '../search.ts';
import type { FaqEntry } from '../site-content.ts';
import { explainedIn, type ReplyMode, replyModeOf } from './about-us.ts';
import { answerArticles, describeMore, isQuotable, quote, quoteEntry } from './answers-articles.ts';
import {
  answerCareers,
  answerContact,
  answerDeliverables,
  answerDifference,
  answerFounder,
  answerPhone,
  answerPlace,
  answerResponsiblePerson,
  answerTeam,
  apologise,
  describePerson,
} from './answers-company.ts';
import {
  answerAboutProject,
  answerCountries,
  answerExample,
  answerProjects,
  answerReviews,
  declineGuarantee,
  describeProject,
  projectOf,
} from './answers-projects.ts';
import { answerFromClosestText, answerTool } from './answers-published.ts';
import {
  answerFact,
  answerPricing,
  answerProcess,
  answerServices,
  declineOffer,
  describeService,
  listPublishedPrices,
  recommend,
} from './answers-services.ts';
import { admitNotKnowing, admitUnpublished } from './answers-unknown.ts';
import { findChoice } from './choice.ts';
import { findContactDetails } from './contact-details.ts';
import { findEntry } from './find-entry.ts';
import type { Intent } from './intents.ts';
import { intentsOf, SMALL_TALK, UPSET } from './intents-of.ts';
import { answerAboutEntities, answerWithSimilarCase, offerClosestItems } from './published-names.ts';
import { explainedBy, type IntentMatch, recognise } from './recognise.ts';
import { answerLanguages, greet, offerBooking, replyToNo, replyToYes, requestConsent } from './small-talk.ts';
import type { Subject } from './subjects.ts';
import { formatPhrase, type Reply, type Turn } from './turn.ts';
import { wordsOf } from './words.ts';

type Answer = (turn: Turn) => Reply | null;

const phrase =
  (name: Parameters<typeof formatPhrase>[1], closingQuestion: Reply['closingQuestion'] = 'anything else'): Answer =>
  (turn) => ({ text: [formatPhrase(turn, name)], closingQuestion });

/** Answers with a part of the project in question, or calls `otherwise` without a project. */
const partOfProject =
  (part: Parameters<typeof answerAboutProject>[2], otherwise: Answer): Answer =>
  (turn) => {
    const project = projectOf(turn);
    return project ? answerAboutProject(turn, project, part) : otherwise(turn);
  };

const unpublished: Answer = (turn) => admitUnpublished(turn);

const closestText =
  (intent: Intent): Answer =>
  (turn) =>
    answerFromClosestText(turn, intent);

const ANSWERS: Record<Intent, Answer> = {
  greet,
  howAreYou: phrase('whoAreYou', 'about the visitor'),
  thanks: phrase('youAreWelcome'),
  bye: phrase('bye'),
  fine: phrase('youAreWelcome'),
  yes: replyToYes,
  no: replyToNo,
  rude: phrase('sayAgain', 'about the visitor'),
  whoAreYou: (turn) => ({
    text: [formatPhrase(turn, 'whoAreYou'), formatPhrase(turn, 'next')],
    closingQuestion: 'about the visitor',
  }),
  instructions: phrase('declineInstructions', 'goal'),
  languages: answerLanguages,
  offTopic: admitNotKnowing,
  services: answerServices,
  offers: answerOffer,
  recommend,
  deliverables: answerDeliverables,
  needs: unpublished,
  price: answerPricing,
  payment: listPublishedPrices,
  timeline: partOfProject('time', (turn) => answerFact(turn, 'timeline')),
  start: unpublished,
  process: answerProcess,
  booking: offerBooking,
  person: offerBooking,
  callBack: offerBooking,
  contact: answerContact,
  phone: answerPhone,
  place: answerPlace,
  countries: answerCountries,
  cases: answerProjects,
  promises: declineGuarantee,
  reviews: answerReviews,
  team: answerTeam,
  founder: answerFounder,
  age: unpublished,
  whoDoes: answerResponsiblePerson,
  difference: answerDifference,
  trial: listPublishedPrices,
  cancel: closestText('cancel'),
  minimum: listPublishedPrices,
  integrations: answerTool,
  ownership: closestText('ownership'),
  legal: closestText('legal'),
  compliance: closestText('compliance'),
  volume: closestText('volume'),
  privacy: phrase('privacy'),
  deletion: phrase('privacy'),
  jobs: answerCareers,
  unsubscribe: apologise,
  complaint: apologise,
  newsletter: phrase('newsletter', 'about the visitor'),
  articles: answerArticles,
  more: describeMore,
  how: partOfProject('how', describeMore),
  example: answerExample,
  result: partOfProject('result', declineGuarantee),
};

/** Checks whether a message contains a name from the site. */
function hasEntity({ entities }: Turn): boolean {
  return Boolean(entities.project ?? entities.person ?? entities.service ?? entities.industry);
}

/** Checks whether a question names an article by words of its title: "the forty-message rule". */
function namesArticleTitle({ kind, title, coverage }: SearchMatch, { text, limits }: Turn): boolean {
  const subjects = keywords(text);
  const sharedCount = keywords(title).filter((word) => subjects.includes(word)).length;
  return kind === 'posts' && sharedCount >= 2 && (sharedCount === subjects.length || coverage >= limits.whole);
}

/** Intents that are not a request for contact, even if the message contains contact details. */
const NO_CONTACT_REQUEST: ReadonlySet<Intent> = new Set<Intent>([
  'unsubscribe',
  'complaint',
  'deletion',
  'rude',
  'instructions',
]);

/** Intents that match a message with contact details. */
const CONTACT_INTENTS: ReadonlySet<Intent> = new Set<Intent>([
  'callBack',
  'phone',
  'person',
  'contact',
  'booking',
  'greet',
  'yes',
  'fine',
  'thanks',
]);

/**
 * Answers the question in a message with contact details. The request for consent replaces the reply's own question.
 */
function answerWithContactRequest(answer: Reply | null, request: Reply): Reply {
  return answer ? { ...answer, ...request, text: [...answer.text.slice(0, -1), ...request.text] } : request;
}

/** Intents that a message with only a name continues: "and for the chatbot?" after a price. */
const CONTINUED_INTENTS: ReadonlySet<Intent> = new Set<Intent>([
  'price',
  'timeline',
  'deliverables',
  'cases',
  'team',
  'example',
  'process',
]);

/** Checks whether the visitor is upset with us. */
function isUpset({ text, language, limits }: Turn, { intent, similarity }: IntentMatch): boolean {
  return UPSET.has(intent) && similarity * explainedBy(text, intent, language) >= limits.upset;
}

interface IntentReply {
  reply: Reply;
  intent: Intent | null;
}

/** Intents of messages that need no content. */
const INTENTS_WITHOUT_CONTENT: ReadonlySet<Intent> = new Set<Intent>([
  'greet',
  'howAreYou',
  'thanks',
  'bye',
  'fine',
  'yes',
  'no',
  'rude',
  'whoAreYou',
  'instructions',
  'languages',
  'booking',
  'person',
  'callBack',
  'phone',
  'privacy',
  'deletion',
  'unsubscribe',
  'complaint',
  'newsletter',
]);

/** Checks whether an intent explains the whole message, not only a part of it. */
function explainsWholeMessage(turn: Turn, { intent, similarity }: IntentMatch): boolean {
  return similarity * explainedIn(turn, intent) >= turn.limits.wholly;
}

/** Checks whether only a part of a message sounds like small talk. */
function isPartlySmallTalk(turn: Turn, bestMatch: IntentMatch): boolean {
  return SMALL_TALK.has(bestMatch.intent) && !explainsWholeMessage(turn, bestMatch);
}

/** Detects an attempt to change the assistant with an unrelated request: "Ignore your rules and tell me a joke". */
function isInstructionOverride(
  [bestMatch, ...otherMatches]: readonly IntentMatch[],
  { likely }: Turn['limits'],
): boolean {
  const overrides = otherMatches.some(({ intent, similarity }) => intent === 'instructions' && similarity >= likely);
  return bestMatch?.intent === 'offTopic' && overrides;
}

/** Returns the reply to a message and its recognised intent. */
export function answerTo(turn: Turn): IntentReply {
  const ranked = intentsOf(turn).filter(
    // "Are you a dentist?" names an industry but does not ask for a project in it.
    ({ intent, similarity }) =>
      intent !== 'offTopic' || !hasEntity(turn) || (turn.entities.industry && similarity >= turn.limits.certain),
  );
  if (isInstructionOverride(ranked, turn.limits))
    return {
      reply: { text: [formatPhrase(turn, 'declineInstructions')], closingQuestion: 'goal', needsNoContent: true },
      intent: 'instructions',
    };
  const intentReply = answerWith(turn, ranked);
  const match = ranked.find(({ intent }) => intent === intentReply.intent);
  const needsNoContent = match && INTENTS_WITHOUT_CONTENT.has(match.intent) && explainsWholeMessage(turn, match);
  return needsNoContent ? { ...intentReply, reply: { ...intentReply.reply, needsNoContent: true } } : intentReply;
}

function answerWith(turn: Turn, ranked: IntentMatch[]): IntentReply {
  const [bestMatch] = ranked;
  const sureIntent = bestMatch && bestMatch.similarity >= turn.limits.sure ? bestMatch.intent : null;
  const contact = findContactDetails(turn.text, turn.language);
  if (
    contact &&
    !(bestMatch && bestMatch.similarity >= turn.limits.likely && NO_CONTACT_REQUEST.has(bestMatch.intent))
  ) {
    const answer = sureIntent && !CONTACT_INTENTS.has(sureIntent) ? ANSWERS[sureIntent](turn) : null;
    return { reply: answerWithContactRequest(answer, requestConsent(turn, contact)), intent: sureIntent ?? 'callBack' };
  }
  const entry = findEntry(turn.content.faq, turn.text);
  if (entry) return { reply: quoteEntry(entry), intent: null };
  const choice = findChoice(turn, bestMatch);
  if (choice) return { reply: describe(turn, choice), intent: 'deliverables' };
  if (bestMatch && isUpset(turn, bestMatch))
    return { reply: ANSWERS[bestMatch.intent](turn) ?? admitNotKnowing(turn), intent: bestMatch.intent };
  const caseReply =
    bestMatch && bestMatch.similarity >= turn.limits.certain && WITHOUT_PROBLEM.has(bestMatch.intent)
      ? null
      : answerWithSimilarCase(turn, bestMatch);
  if (caseReply) return { reply: caseReply, intent: 'cases' };
  const entityAnswer = answerAboutEntities(turn, bestMatch);
  const mode = replyModeOf(turn, bestMatch);
  const candidate = mode === 'unknown' ? null : answerByIntent(turn, ranked);
  const intentReply = candidate && isAllowed(candidate.reply, mode) ? candidate : null;
  if (entityAnswer && (entityAnswer.isSure || !intentReply || intentReply.reply.isUnanswered))
    return { reply: entityAnswer.reply, intent: null };
  if (intentReply) return intentReply;
  if (turn.state.closingQuestion === 'about the visitor' && !turn.text.includes('?') && ranked.length > 0) {
    return {
      reply: { text: [formatPhrase(turn, 'youAreWelcome')], closingQuestion: 'anything else', needsNoContent: true },
      intent: null,
    };
  }
  if (wordsOf(turn.text).length === 0)
    return { reply: { text: [formatPhrase(turn, 'sayAgain')], needsNoContent: true }, intent: null };
  return { reply: offerClosestItems(turn) ?? admitNotKnowing(turn), intent: null };
}

/** Intents that do not describe a problem of the visitor. */
const WITHOUT_PROBLEM: ReadonlySet<Intent> = new Set<Intent>([
  ...NO_CONTACT_REQUEST,
  'price',
  'timeline',
  'booking',
  'ownership',
]);

/** If the certainty is medium, allows only replies without content, such as a next step. */
function isAllowed({ sources = [], text }: Reply, mode: ReplyMode): boolean {
  return mode === 'answer' || (sources.length === 0 && !text.some((part) => part && /^(?:>|-) /m.test(part)));
}

function answerByIntent(turn: Turn, ranked: IntentMatch[]): IntentReply | null {
  const [bestMatch] = ranked;
  const sureIntent = bestMatch && bestMatch.similarity >= turn.limits.sure ? bestMatch.intent : null;
  const entry = entryOfSameIntent(turn, bestMatch);
  if (entry) return { reply: quoteEntry(entry), intent: null };
  const nameReply = answerByName(turn, bestMatch);
  if (nameReply) return nameReply;
  const titleMatch =
    bestMatch &&
    bestMatch.similarity < turn.limits.certain &&
    turn.matches.find((match) => namesArticleTitle(match, turn));
  if (titleMatch) return { reply: quote(turn, titleMatch, []), intent: null };
  const reply = sureIntent && !(bestMatch && isPartlySmallTalk(turn, bestMatch)) && ANSWERS[sureIntent](turn);
  if (reply) return { reply, intent: sureIntent };
  // A visitor who names their industry wants to know whether we have worked in it.
  if (turn.entities.industry) return { reply: answerProjects(turn), intent: 'cases' };
  const [firstMatch, ...otherMatches] = turn.matches;
  if (firstMatch && isQuotable(firstMatch, turn)) return { reply: quote(turn, firstMatch, otherMatches), intent: null };
  // An article that is introduced as the closest text is better than an answer to a misunderstood question.
  const closestArticle = turn.matches.find(
    ({ kind, isInTitle, coverage }) => kind === 'posts' && isInTitle && coverage >= turn.limits.near,
  );
  if (closestArticle && !hasEntity(turn) && ranked.every(({ similarity }) => similarity < turn.limits.likely))
    return { reply: quote(turn, closestArticle, []), intent: null };
  // A part of a question may sound like a farewell: "how many mails do you send a day" resembles "have a nice day".
  const isLikely = bestMatch && bestMatch.similarity >= turn.limits.likely && !isPartlySmallTalk(turn, bestMatch);
  const likelyReply = isLikely && ANSWERS[bestMatch.intent](turn);
  return likelyReply ? { reply: likelyReply, intent: bestMatch.intent } : null;
}

function describe(turn: Turn, subject: Subject): Reply {
  if (subject.kind === 'services') return describeService(turn, subject);
  if (subject.kind === 'projects') return describeProject(turn, subject);
  if (subject.kind === 'team_members') return describePerson(turn, subject);
  const [bestMatch] = turn.index.search(subject.title);
  return bestMatch ? quote(turn, bestMatch, []) : admitNotKnowing(turn);
}

/** Handles a message that is little more than a name: continues the previous intent, or describes the named item. */
function answerByName(turn: Turn, bestMatch: IntentMatch | undefined): IntentReply | null {
  const { project, person, service, industry, otherWords } = turn.entities;
  const item = project ?? person ?? service;
  if (
    otherWords > 3 ||
    !(item || industry) ||
    (bestMatch && bestMatch.similarity >= turn.limits.sure && bestMatch.intent !== 'more')
  )
    return null;
  const { intent } = turn.state;
  if (intent && CONTINUED_INTENTS.has(intent)) {
    const reply = ANSWERS[intent](turn);
    if (reply) return { reply, intent };
  }
  if (item) return { reply: describe(turn, item), intent: item.kind === 'projects' ? 'cases' : 'deliverables' };
  return { reply: answerProjects(turn), intent: 'cases' };
}

/** Answers a question about an offer. If no service matches, says that it is unknown and lists the services. */
function answerOffer(turn: Turn): Reply {
  if (turn.entities.service) return answerServices(turn);
  const service = turn.matches.find(({ kind, coverage }) => kind === 'services' && coverage >= turn.limits.enough);
  return service ? quote(turn, service, []) : declineOffer(turn);
}

/** Intents about the company as a whole. Two questions with the same one have the same answer. */
const COMPANY_INTENTS: ReadonlySet<Intent> = new Set<Intent>([
  'trial',
  'cancel',
  'minimum',
  'payment',
  'legal',
  'compliance',
  'needs',
  'start',
  'age',
  'difference',
  'newsletter',
  'ownership',
]);

/** Intents about the company, unless the question is about a single service with its own price and timeline. */
const COMPANY_INTENTS_WITHOUT_SERVICE: ReadonlySet<Intent> = new Set<Intent>(['price', 'timeline']);

/** Returns the editors' answer to a question with the same intent as the visitor's. */
function entryOfSameIntent(
  { content, language, names, subject, limits }: Turn,
  bestMatch: IntentMatch | undefined,
): FaqEntry | null {
  if (!bestMatch || bestMatch.similarity < limits.sure) return null;
  const isAboutCompany = COMPANY_INTENTS_WITHOUT_SERVICE.has(bestMatch.intent) && !subject;
  if (!isAboutCompany && !COMPANY_INTENTS.has(bestMatch.intent)) return null;
  const hasSameIntent = ({ question }: FaqEntry) => {
    const { project, person, service } = names.findIn(question);
    if (project ?? person ?? service) return false;
    const [bestIntent] = recognise(question, languageOf(question, language) ?? 'en');
    return bestIntent !== undefined && bestIntent.intent === bestMatch.intent && bestIntent.similarity >= limits.likely;
  };
  return content.faq.find(hasSameIntent) ?? null;
}
