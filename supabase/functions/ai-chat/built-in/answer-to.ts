/** Chooses the answer to a message: the answer of each intent, and the order of the other attempts. */

import { languageOf } from '../languages.ts';
import { type Found, keywords } from '../search.ts';
import type { FaqEntry } from '../site-content.ts';
import { type Band, bandOf, explainedIn } from './about-us.ts';
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
import { answerFromNearestText, answerTool } from './answers-published.ts';
import {
  answerFact,
  answerPricing,
  answerProcess,
  answerServices,
  declineOffer,
  describeService,
  nearPrices,
  recommend,
} from './answers-services.ts';
import { admitNotKnowing, admitUnpublished } from './answers-unknown.ts';
import { findChoice } from './choice.ts';
import { findContactDetails } from './contact-details.ts';
import { findEntry } from './find-entry.ts';
import type { Intent } from './intents.ts';
import { intentsOf, SMALL_TALK, UPSET } from './intents-of.ts';
import { answerNamed, answerWithSimilarCase, offerNearest } from './published-names.ts';
import { explainedBy, type Recognised, recognise } from './recognise.ts';
import { answerLanguages, greet, offerBooking, replyToNo, replyToYes, requestConsent } from './small-talk.ts';
import type { Subject } from './subjects.ts';
import { type Reply, say, type Turn } from './turn.ts';
import { wordsOf } from './words.ts';

type Answer = (turn: Turn) => Reply | null;

const phrase =
  (name: Parameters<typeof say>[1], asked: Reply['asked'] = 'anything else'): Answer =>
  (turn) => ({ text: [say(turn, name)], asked });

/** Answers with a part of the project in question, or calls `otherwise` without a project. */
const partOfProject =
  (part: Parameters<typeof answerAboutProject>[2], otherwise: Answer): Answer =>
  (turn) => {
    const project = projectOf(turn);
    return project ? answerAboutProject(turn, project, part) : otherwise(turn);
  };

const unpublished: Answer = (turn) => admitUnpublished(turn);

const nearestText =
  (intent: Intent): Answer =>
  (turn) =>
    answerFromNearestText(turn, intent);

const ANSWERS: Record<Intent, Answer> = {
  greet,
  howAreYou: phrase('whoAreYou', 'about the visitor'),
  thanks: phrase('fine'),
  bye: phrase('bye'),
  fine: phrase('fine'),
  yes: replyToYes,
  no: replyToNo,
  rude: phrase('sayAgain', 'about the visitor'),
  whoAreYou: (turn) => ({ text: [say(turn, 'whoAreYou'), say(turn, 'next')], asked: 'about the visitor' }),
  instructions: phrase('declineInstructions', 'goal'),
  languages: answerLanguages,
  offTopic: admitNotKnowing,
  services: answerServices,
  offers: answerOffer,
  recommend,
  deliverables: answerDeliverables,
  needs: unpublished,
  price: answerPricing,
  payment: nearPrices,
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
  trial: nearPrices,
  cancel: nearestText('cancel'),
  minimum: nearPrices,
  integrations: answerTool,
  ownership: nearestText('ownership'),
  legal: nearestText('legal'),
  compliance: nearestText('compliance'),
  volume: nearestText('volume'),
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
function isNamed({ named }: Turn): boolean {
  return Boolean(named.project ?? named.person ?? named.service ?? named.industry);
}

/** Checks whether a question names an article by words of its title: "the forty-message rule". */
function isByTitle({ kind, title, coverage }: Found, { text, limits }: Turn): boolean {
  const subjects = keywords(text);
  const named = keywords(title).filter((word) => subjects.includes(word)).length;
  return kind === 'posts' && named >= 2 && (named === subjects.length || coverage >= limits.whole);
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
function withAddress(answer: Reply | null, request: Reply): Reply {
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
function isUpset({ text, language, limits }: Turn, { intent, likeness }: Recognised): boolean {
  return UPSET.has(intent) && likeness * explainedBy(text, intent, language) >= limits.upset;
}

interface IntentReply {
  reply: Reply;
  intent: Intent | null;
}

/** Intents of messages that need no content. */
const TALK: ReadonlySet<Intent> = new Set<Intent>([
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
function isWholly(turn: Turn, { intent, likeness }: Recognised): boolean {
  return likeness * explainedIn(turn, intent) >= turn.limits.wholly;
}

/** Checks whether only a part of a message sounds like small talk. */
function isPartlySmallTalk(turn: Turn, best: Recognised): boolean {
  return SMALL_TALK.has(best.intent) && !isWholly(turn, best);
}

/** Detects an attempt to change the assistant with an unrelated request: "Ignore your rules and tell me a joke". */
function isOverriding([best, ...others]: readonly Recognised[], { likely }: Turn['limits']): boolean {
  const overrides = others.some(({ intent, likeness }) => intent === 'instructions' && likeness >= likely);
  return best?.intent === 'offTopic' && overrides;
}

/** Returns the reply to a message and its recognised intent. */
export function answerTo(turn: Turn): IntentReply {
  const ranked = intentsOf(turn).filter(
    // "Are you a dentist?" names an industry but does not ask for a project in it.
    ({ intent, likeness }) =>
      intent !== 'offTopic' || !isNamed(turn) || (turn.named.industry && likeness >= turn.limits.certain),
  );
  if (isOverriding(ranked, turn.limits))
    return { reply: { text: [say(turn, 'declineInstructions')], asked: 'goal', isTalk: true }, intent: 'instructions' };
  const answered = answerWith(turn, ranked);
  const match = ranked.find(({ intent }) => intent === answered.intent);
  const isTalk = match && TALK.has(match.intent) && isWholly(turn, match);
  return isTalk ? { ...answered, reply: { ...answered.reply, isTalk: true } } : answered;
}

function answerWith(turn: Turn, ranked: Recognised[]): IntentReply {
  const [best] = ranked;
  const sure = best && best.likeness >= turn.limits.sure ? best.intent : null;
  const contact = findContactDetails(turn.text, turn.language);
  if (contact && !(best && best.likeness >= turn.limits.likely && NO_CONTACT_REQUEST.has(best.intent))) {
    const answer = sure && !CONTACT_INTENTS.has(sure) ? ANSWERS[sure](turn) : null;
    return { reply: withAddress(answer, requestConsent(turn, contact)), intent: sure ?? 'callBack' };
  }
  const entry = findEntry(turn.content.faq, turn.text);
  if (entry) return { reply: quoteEntry(entry), intent: null };
  const choice = findChoice(turn, best);
  if (choice) return { reply: describe(turn, choice), intent: 'deliverables' };
  if (best && isUpset(turn, best))
    return { reply: ANSWERS[best.intent](turn) ?? admitNotKnowing(turn), intent: best.intent };
  const caseReply =
    best && best.likeness >= turn.limits.certain && WITHOUT_PROBLEM.has(best.intent)
      ? null
      : answerWithSimilarCase(turn, best);
  if (caseReply) return { reply: caseReply, intent: 'cases' };
  const named = answerNamed(turn, best);
  const band = bandOf(turn, best);
  const recognised = band === 'unknown' ? null : answerAsRecognised(turn, ranked);
  const answered = recognised && isAllowed(recognised.reply, band) ? recognised : null;
  if (named && (named.isSure || !answered || answered.reply.isUnanswered)) return { reply: named.reply, intent: null };
  if (answered) return answered;
  if (turn.memory.asked === 'about the visitor' && !turn.text.includes('?') && ranked.length > 0) {
    return { reply: { text: [say(turn, 'fine')], asked: 'anything else', isTalk: true }, intent: null };
  }
  if (wordsOf(turn.text).length === 0) return { reply: { text: [say(turn, 'sayAgain')], isTalk: true }, intent: null };
  return { reply: offerNearest(turn) ?? admitNotKnowing(turn), intent: null };
}

/** Intents that do not describe a problem of the visitor. */
const WITHOUT_PROBLEM: ReadonlySet<Intent> = new Set<Intent>([
  ...NO_CONTACT_REQUEST,
  'price',
  'timeline',
  'booking',
  'ownership',
]);

/** With medium certainty, allows only replies without content: a next step, but not an answer. */
function isAllowed({ sources = [], text }: Reply, band: Band): boolean {
  return band === 'answer' || (sources.length === 0 && !text.some((part) => part && /^(?:>|-) /m.test(part)));
}

function answerAsRecognised(turn: Turn, ranked: Recognised[]): IntentReply | null {
  const [best] = ranked;
  const sure = best && best.likeness >= turn.limits.sure ? best.intent : null;
  const entry = entryOfSameIntent(turn, best);
  if (entry) return { reply: quoteEntry(entry), intent: null };
  const bySubject = answerByName(turn, best);
  if (bySubject) return bySubject;
  const titleMatch = best && best.likeness < turn.limits.certain && turn.found.find((found) => isByTitle(found, turn));
  if (titleMatch) return { reply: quote(turn, titleMatch, []), intent: null };
  const reply = sure && !(best && isPartlySmallTalk(turn, best)) && ANSWERS[sure](turn);
  if (reply) return { reply, intent: sure };
  // A visitor who names their industry wants to know whether we have worked in it.
  if (turn.named.industry) return { reply: answerProjects(turn), intent: 'cases' };
  const [first, ...others] = turn.found;
  if (first && isQuotable(first, turn)) return { reply: quote(turn, first, others), intent: null };
  // An article that is introduced as the closest text is better than an answer to a misunderstood question.
  const closest = turn.found.find(
    ({ kind, isInTitle, coverage }) => kind === 'posts' && isInTitle && coverage >= turn.limits.near,
  );
  if (closest && !isNamed(turn) && ranked.every(({ likeness }) => likeness < turn.limits.likely))
    return { reply: quote(turn, closest, []), intent: null };
  // A part of a question may sound like a farewell: "how many mails do you send a day" resembles "have a nice day".
  const isLikely = best && best.likeness >= turn.limits.likely && !isPartlySmallTalk(turn, best);
  const likely = isLikely && ANSWERS[best.intent](turn);
  return likely ? { reply: likely, intent: best.intent } : null;
}

function describe(turn: Turn, subject: Subject): Reply {
  if (subject.kind === 'services') return describeService(turn, subject);
  if (subject.kind === 'projects') return describeProject(turn, subject);
  if (subject.kind === 'team_members') return describePerson(turn, subject);
  const [best] = turn.index.search(subject.title);
  return best ? quote(turn, best, []) : admitNotKnowing(turn);
}

/** Handles a message that is little more than a name: continues the previous intent, or describes the named item. */
function answerByName(turn: Turn, best: Recognised | undefined): IntentReply | null {
  const { project, person, service, industry, otherWords } = turn.named;
  const named = project ?? person ?? service;
  if (otherWords > 3 || !(named || industry) || (best && best.likeness >= turn.limits.sure && best.intent !== 'more'))
    return null;
  const { intent } = turn.memory;
  if (intent && CONTINUED_INTENTS.has(intent)) {
    const reply = ANSWERS[intent](turn);
    if (reply) return { reply, intent };
  }
  if (named) return { reply: describe(turn, named), intent: named.kind === 'projects' ? 'cases' : 'deliverables' };
  return { reply: answerProjects(turn), intent: 'cases' };
}

/** Answers a question about an offer. If no service matches, says that it is unknown and lists the services. */
function answerOffer(turn: Turn): Reply {
  if (turn.named.service) return answerServices(turn);
  const offered = turn.found.find(({ kind, coverage }) => kind === 'services' && coverage >= turn.limits.enough);
  return offered ? quote(turn, offered, []) : declineOffer(turn);
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
  best: Recognised | undefined,
): FaqEntry | null {
  if (!best || best.likeness < limits.sure) return null;
  const isAboutCompany = COMPANY_INTENTS_WITHOUT_SERVICE.has(best.intent) && !subject;
  if (!isAboutCompany && !COMPANY_INTENTS.has(best.intent)) return null;
  const hasSameIntent = ({ question }: FaqEntry) => {
    const { project, person, service } = names.in(question);
    if (project ?? person ?? service) return false;
    const [first] = recognise(question, languageOf(question, language) ?? 'en');
    return first !== undefined && first.intent === best.intent && first.likeness >= limits.likely;
  };
  return content.faq.find(hasSameIntent) ?? null;
}
