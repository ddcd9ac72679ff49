/** Answers about services, prices and timelines. */
import { plainText } from '../search.ts';
import { escapeMarkdown, list, shorten } from '../wording.ts';
import { admitUnpublished } from './answers-unknown.ts';
import type { ServiceSubject } from './subjects.ts';
import { formatPhrase, pageLink, pageSource, type Reply, type Turn } from './turn.ts';

/** Returns the service that the message or the conversation is about. */
export function serviceOf({ entities, subject }: Turn): ServiceSubject | null {
  return entities.service ?? (subject?.kind === 'services' ? subject : null);
}

/** Returns the services in the order of the site. */
function servicesOf({ content }: Turn): ServiceSubject[] {
  return content.published.filter((item) => item.kind === 'services');
}

/** Lists all services, with one line each. */
function listServices(turn: Turn, lineOf: (service: ServiceSubject['item']) => string): Reply {
  return {
    text: [
      formatPhrase(turn, 'quote', { page: pageLink(turn, 'services') }),
      list(turn.content.services.slice(0, 6).map(lineOf)),
      formatPhrase(turn, 'which'),
    ],
    sources: [pageSource(turn, 'services')],
    closingQuestion: 'which',
    listedItems: servicesOf(turn),
  };
}

/** Describes the named service, or lists all services. */
export function answerServices(turn: Turn): Reply {
  const service = turn.entities.service;
  if (service) return describeService(turn, service);
  if (turn.content.services.length === 0) return admitUnpublished(turn);
  const serviceList = listServices(turn, ({ title, short_description, timeline }) =>
    [
      `**${escapeMarkdown(title)}**`,
      short_description && `: ${escapeMarkdown(shorten(plainText(short_description), 160))}`,
      timeline && ` (${escapeMarkdown(timeline)})`,
    ]
      .filter(Boolean)
      .join(''),
  );
  return { ...serviceList, subject: null };
}

/** Says that the requested service is unknown, and lists the services. */
export function declineOffer(turn: Turn): Reply {
  const { text, ...reply } = answerServices(turn);
  const unknown = formatPhrase(turn, 'unpublished', { topic: formatPhrase(turn, 'topicThis') });
  return { ...reply, text: reply.isUnanswered ? text : [unknown, ...text], isUnanswered: true };
}

/** Describes the service that matches the visitor's need, or lists all services. */
export function recommend(turn: Turn): Reply {
  const match = serviceOf(turn) ?? turn.matches.find(({ kind }) => kind === 'services');
  return match?.kind === 'services' ? describeService(turn, match) : answerServices(turn);
}

/** Describes a service with all its published details. */
export function describeService(turn: Turn, service: ServiceSubject): Reply {
  const { title, short_description, long_description, timeline, pricing, deliverables } = service.item;
  const facts = [
    timeline && formatPhrase(turn, 'timelineOf', { value: escapeMarkdown(timeline) }),
    formatPhrase(turn, 'priceOf', { value: escapeMarkdown(pricing) || formatPhrase(turn, 'notPublished') }),
    deliverables.length > 0 &&
      formatPhrase(turn, 'youGet', { value: deliverables.slice(0, 6).map(escapeMarkdown).join('; ') }),
  ].filter((fact): fact is string => Boolean(fact));
  const summary = escapeMarkdown(shorten(plainText(short_description || long_description), 320));
  return {
    text: [
      `**${escapeMarkdown(title)}** (${pageLink(turn, 'services')}): ${summary}`,
      list(facts),
      formatPhrase(turn, 'talk'),
    ],
    sources: [service],
    subject: service,
    closingQuestion: 'shall we talk',
  };
}

/** Returns the price or timeline of the service in question, or of all services. */
export function answerFact(turn: Turn, fact: 'pricing' | 'timeline'): Reply {
  const service = serviceOf(turn);
  const services = service ? [service.item] : turn.content.services;
  if (!services.some((item) => item[fact].trim()))
    return { ...admitUnpublished(turn, service ? escapeMarkdown(service.title) : ''), subject: service };
  const serviceList = listServices(turn, (item) => factOf(turn, item, fact));
  if (!service) return { ...serviceList, subject: null };
  return {
    text: [serviceList.text[0], `- ${factOf(turn, service.item, fact)}`, formatPhrase(turn, 'next')],
    sources: [service],
    subject: service,
    closingQuestion: 'about the visitor',
    listedItems: [],
  };
}

function factOf(turn: Turn, { title, ...service }: ServiceSubject['item'], fact: 'pricing' | 'timeline'): string {
  return `**${escapeMarkdown(title)}**: ${escapeMarkdown(service[fact]) || formatPhrase(turn, 'notPublished')}`;
}

/** Returns our own prices. Prices that clients paid are not published. */
export function answerPricing(turn: Turn): Reply {
  if (!serviceOf(turn) && turn.subject?.kind === 'projects') return listPublishedPrices(turn);
  return answerFact(turn, 'pricing');
}

/** Says that the requested terms are not published, and lists the published prices. */
export function listPublishedPrices(turn: Turn): Reply {
  const published = turn.content.services.filter(({ pricing }) => pricing.trim());
  return admitUnpublished(turn, '', list(published.map((service) => factOf(turn, service, 'pricing'))));
}

/** Describes the phases of a project. */
export function answerProcess(turn: Turn): Reply {
  const service = serviceOf(turn);
  return {
    text: [
      formatPhrase(turn, 'process'),
      service?.item.timeline && `- ${factOf(turn, service.item, 'timeline')}`,
      formatPhrase(turn, 'next'),
    ],
    sources: turn.content.services.length > 0 ? [pageSource(turn, 'services')] : [],
    closingQuestion: 'about the visitor',
  };
}
