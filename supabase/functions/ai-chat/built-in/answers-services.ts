/** Answers about what is offered, what it costs and how long it takes. */
import { plainText } from '../search.ts';
import { escapeMarkdown, list, shorten } from '../wording.ts';
import { admitUnpublished } from './answers-unknown.ts';
import type { ServiceSubject } from './subjects.ts';
import { pageLink, pageSource, type Reply, say, type Turn } from './turn.ts';

/** The service that the message or the conversation is about. */
export function serviceOf({ named, subject }: Turn): ServiceSubject | null {
  return named.service ?? (subject?.kind === 'services' ? subject : null);
}

/** Services as a conversation can be about them, in the order of the site. */
function servicesOf({ content }: Turn): ServiceSubject[] {
  return content.published.filter((item) => item.kind === 'services');
}

/** Lists all services, each with a line of what is published about it. */
function listServices(turn: Turn, lineOf: (service: ServiceSubject['item']) => string): Reply {
  return {
    text: [
      say(turn, 'quote', { page: pageLink(turn, 'services') }),
      list(turn.content.services.slice(0, 6).map(lineOf)),
      say(turn, 'which'),
    ],
    sources: [pageSource(turn, 'services')],
    asked: 'which',
    listed: servicesOf(turn),
  };
}

/** Tells what is offered: the service that is named, or all of them. */
export function tellServices(turn: Turn): Reply {
  const service = turn.named.service;
  if (service) return describeService(turn, service);
  if (turn.content.services.length === 0) return admitUnpublished(turn);
  const all = listServices(turn, ({ title, short_description, timeline }) =>
    [
      `**${escapeMarkdown(title)}**`,
      short_description && `: ${escapeMarkdown(shorten(plainText(short_description), 160))}`,
      timeline && ` (${escapeMarkdown(timeline)})`,
    ]
      .filter(Boolean)
      .join(''),
  );
  return { ...all, subject: null };
}

/** Says that nothing is known of what was asked for, and what is offered. */
export function declineOffer(turn: Turn): Reply {
  const { text, ...offered } = tellServices(turn);
  const unknown = say(turn, 'unpublished', { topic: say(turn, 'topicThis') });
  return { ...offered, text: offered.isUnanswered ? text : [unknown, ...text], isUnanswered: true };
}

/** The service that answers what the visitor needs, or all of them. */
export function recommend(turn: Turn): Reply {
  const best = serviceOf(turn) ?? turn.found.find((found) => found.kind === 'services');
  return best?.kind === 'services' ? describeService(turn, best) : tellServices(turn);
}

/** One service with everything that is published about it. */
export function describeService(turn: Turn, service: ServiceSubject): Reply {
  const { title, short_description, long_description, timeline, pricing, deliverables } = service.item;
  const facts = [
    timeline && say(turn, 'timelineOf', { value: escapeMarkdown(timeline) }),
    say(turn, 'priceOf', { value: escapeMarkdown(pricing) || say(turn, 'notPublished') }),
    deliverables.length > 0 && say(turn, 'youGet', { value: deliverables.slice(0, 6).map(escapeMarkdown).join('; ') }),
  ].filter((fact): fact is string => Boolean(fact));
  const summary = escapeMarkdown(shorten(plainText(short_description || long_description), 320));
  return {
    text: [`**${escapeMarkdown(title)}** (${pageLink(turn, 'services')}): ${summary}`, list(facts), say(turn, 'talk')],
    sources: [service],
    subject: service,
    asked: 'shall we talk',
  };
}

/** Tells the price or the time of the service that is spoken of, or of all. */
export function tellFact(turn: Turn, fact: 'pricing' | 'timeline'): Reply {
  const service = serviceOf(turn);
  const told = service ? [service.item] : turn.content.services;
  if (!told.some((one) => one[fact].trim()))
    return { ...admitUnpublished(turn, service ? escapeMarkdown(service.title) : ''), subject: service };
  const all = listServices(turn, (one) => factOf(turn, one, fact));
  if (!service) return { ...all, subject: null };
  return {
    text: [all.text[0], `- ${factOf(turn, service.item, fact)}`, say(turn, 'next')],
    sources: [service],
    subject: service,
    asked: 'about the visitor',
    listed: [],
  };
}

function factOf(turn: Turn, { title, ...service }: ServiceSubject['item'], fact: 'pricing' | 'timeline'): string {
  return `**${escapeMarkdown(title)}**: ${escapeMarkdown(service[fact]) || say(turn, 'notPublished')}`;
}

/** Tells our own prices; a client's payment is nobody's business here. */
export function tellPricing(turn: Turn): Reply {
  if (!serviceOf(turn) && turn.subject?.kind === 'projects') return nearPrices(turn);
  return tellFact(turn, 'pricing');
}

/** Says that what was asked about money is not published, and what is. */
export function nearPrices(turn: Turn): Reply {
  const published = turn.content.services.filter(({ pricing }) => pricing.trim());
  return admitUnpublished(turn, '', list(published.map((service) => factOf(turn, service, 'pricing'))));
}

/** Tells how work with us goes. */
export function tellProcess(turn: Turn): Reply {
  const service = serviceOf(turn);
  return {
    text: [
      say(turn, 'process'),
      service?.item.timeline && `- ${factOf(turn, service.item, 'timeline')}`,
      say(turn, 'next'),
    ],
    sources: turn.content.services.length > 0 ? [pageSource(turn, 'services')] : [],
    asked: 'about the visitor',
  };
}
