/** Answers about what is offered, what it costs and how long it takes. */
import { plainText } from '../search.ts';
import type { Service } from '../site-content.ts';
import { escapeMarkdown, list, shorten } from '../wording.ts';
import type { ServiceSubject, Subject } from './subjects.ts';
import { pageLink, pageSource, type Reply, say, type Turn } from './turn.ts';

/** The service that the message or the conversation is about. */
export function serviceOf({ named, subject }: Turn): ServiceSubject | null {
  return named.service ?? (subject?.kind === 'services' ? subject : null);
}

/** Services as a conversation can be about them, in the order of the site. */
function servicesOf({ content }: Turn): ServiceSubject[] {
  return content.published.filter((item) => item.kind === 'services');
}

function asList(turn: Turn): string {
  return list(
    turn.content.services
      .slice(0, 6)
      .map(({ title, short_description, timeline }) =>
        [
          `**${escapeMarkdown(title)}**`,
          short_description && `: ${escapeMarkdown(shorten(plainText(short_description), 160))}`,
          timeline && ` (${escapeMarkdown(timeline)})`,
        ]
          .filter(Boolean)
          .join(''),
      ),
  );
}

export function tellServices(turn: Turn): Reply {
  const page = pageLink(turn, 'services');
  if (turn.named.service) return describeService(turn, turn.named.service);
  if (turn.content.services.length === 0) return { text: [say(turn, 'servicesNone', { page })], asked: 'goal' };
  return {
    text: [say(turn, 'servicesList', { page }), asList(turn), say(turn, 'whichService')],
    sources: [pageSource(turn, 'services')],
    subject: null,
    asked: 'which service',
    listed: servicesOf(turn),
  };
}

/** Somebody asked for something that no service is. */
export function declineOffer(turn: Turn): Reply {
  if (turn.content.services.length === 0) return tellServices(turn);
  return {
    text: [say(turn, 'unpublishedOffer'), asList(turn), say(turn, 'whichService')],
    isUnanswered: true,
    sources: [pageSource(turn, 'services')],
    asked: 'which service',
    listed: servicesOf(turn),
  };
}

/** The service that answers what the visitor needs, or all of them. */
export function recommend(turn: Turn): Reply {
  const best = serviceOf(turn) ?? turn.found.find((found) => found.kind === 'services');
  return best?.kind === 'services'
    ? describeService(turn, best, say(turn, 'recommend', { page: pageLink(turn, 'services') }))
    : tellServices(turn);
}

/** One service with everything that is published about it. */
export function describeService(turn: Turn, service: ServiceSubject, intro?: string): Reply {
  const { title, short_description, long_description, timeline, pricing, deliverables } = service.item;
  const facts = [
    timeline && say(turn, 'timelineOf', { value: escapeMarkdown(timeline) }),
    say(turn, 'priceOf', { value: pricing ? escapeMarkdown(pricing) : say(turn, 'notPublished') }),
    deliverables.length > 0 && say(turn, 'youGet', { value: deliverables.slice(0, 6).map(escapeMarkdown).join('; ') }),
  ].filter((fact): fact is string => Boolean(fact));
  const summary = escapeMarkdown(shorten(plainText(short_description || long_description), 320));
  return {
    text: [
      intro,
      `**${escapeMarkdown(title)}** (${pageLink(turn, 'services')}): ${summary}`,
      list(facts),
      say(turn, 'talk'),
    ],
    sources: [service],
    subject: service,
    asked: 'shall we talk',
  };
}

export function tellPricing(turn: Turn): Reply {
  const service = serviceOf(turn);
  if (!service && turn.subject?.kind === 'projects') return tellOthersPrice(turn, turn.subject);
  const services = service ? [service.item] : turn.content.services;
  const published = services.filter(({ pricing }) => pricing.trim());
  if (published.length === 0) {
    const none = say(turn, 'priceNone', { what: service ? escapeMarkdown(service.title) : say(turn, 'topicThis') });
    return { text: [none], asked: 'about the visitor', subject: service };
  }
  return {
    text: [
      say(turn, 'priceIntro', { page: pageLink(turn, 'services') }),
      prices(published),
      services.length > published.length && say(turn, 'priceSilent'),
      say(turn, service ? 'next' : 'whichService'),
    ],
    sources: service ? [service] : [pageSource(turn, 'services')],
    subject: service,
    asked: service ? 'about the visitor' : 'which service',
    listed: service ? [] : servicesOf(turn),
  };
}

function prices(services: Service[]): string {
  return list(services.map(({ title, pricing }) => `**${escapeMarkdown(title)}**: ${escapeMarkdown(pricing)}`));
}

/** Names our own prices; a client's payment is nobody's business here. */
function tellOthersPrice(turn: Turn, project: Extract<Subject, { kind: 'projects' }>): Reply {
  const topic = say(turn, 'topicTheirPrice', { client: escapeMarkdown(project.item.company || project.title) });
  const published = turn.content.services.filter(({ pricing }) => pricing.trim());
  return {
    text: [
      say(turn, 'unpublished', { topic }),
      published.length > 0 && say(turn, 'priceIntro', { page: pageLink(turn, 'services') }),
      published.length > 0 && prices(published),
      say(turn, 'whichService'),
    ],
    sources: published.length > 0 ? [pageSource(turn, 'services')] : [],
    isUnanswered: true,
    asked: 'which service',
    listed: servicesOf(turn),
  };
}

/** All published prices, for what is near a question about money; '' without any. */
export function publishedPrices({ content }: Turn): string {
  const published = content.services.filter(({ pricing }) => pricing.trim());
  return published.length > 0 ? prices(published) : '';
}

export function tellTimeline(turn: Turn): Reply {
  const service = serviceOf(turn);
  const services = (service ? [service.item] : turn.content.services).filter(({ timeline }) => timeline.trim());
  if (services.length === 0) {
    const unpublished = say(turn, 'unpublished', { topic: say(turn, 'topicThis') });
    return {
      text: [unpublished, say(turn, 'personDecides')],
      asked: 'about the visitor',
      subject: service,
      isUnanswered: true,
    };
  }
  return {
    text: [
      say(turn, 'timelineIntro', { page: pageLink(turn, 'services') }),
      list(services.map(({ title, timeline }) => `**${escapeMarkdown(title)}**: ${escapeMarkdown(timeline)}`)),
      say(turn, 'next'),
    ],
    sources: service ? [service] : [pageSource(turn, 'services')],
    subject: service,
    asked: service ? 'about the visitor' : 'which service',
    listed: service ? [] : servicesOf(turn),
  };
}

export function tellProcess(turn: Turn): Reply {
  const service = serviceOf(turn);
  const known =
    service?.item.timeline &&
    say(turn, 'processTimeline', {
      service: escapeMarkdown(service.title),
      value: escapeMarkdown(service.item.timeline),
    });
  const hasServices = turn.content.services.length > 0;
  return {
    text: [
      [say(turn, 'process'), known].filter(Boolean).join(' '),
      hasServices && say(turn, 'processServices', { page: pageLink(turn, 'services') }),
      say(turn, 'next'),
    ],
    sources: hasServices ? [pageSource(turn, 'services')] : [],
    asked: 'about the visitor',
  };
}
