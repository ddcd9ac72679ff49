/** What visitors of an agency's site ask most, in the order in which it is recognised; each answer comes from the site. */
import { plainText, type SearchIndex } from './search.ts';
import type { Service, SiteContent } from './site-content.ts';
import { BOOK, CONTACT, escapeMarkdown, link, list, shorten } from './wording.ts';

/** What a topic needs to answer. */
export interface Question {
  text: string;
  content: SiteContent;
  index: SearchIndex;
  siteName: string;
  /** The service that the question is about, or else the one that the visitor asked about before. */
  service: Service | null;
  /** Likewise, but by a word of its title. */
  namedService: Service | null;
}

interface Topic {
  isMeant: RegExp;
  /** Null leaves the question to a later topic, or to the search. */
  answer(question: Question): string | null;
}

export const TOPICS: Topic[] = [
  {
    isMeant:
      /\b(system prompt|your (instructions|prompt|rules)|ignore\b.*\b(instructions|rules|above)|jailbreak|developer mode|act as|pretend to be)\b/i,
    answer: declineInstructions,
  },
  {
    isMeant:
      /\b(who|what) are you\b|\bare you (an? )?(ai|bot|robot|human|person|real|machine|chatgpt|llm)|\b(chatgpt|openai|language model)\b|\bwhich model\b|\btalking to (an? )?(bot|human|person|machine)/i,
    answer: introduceMyself,
  },
  {
    isMeant: /^\W*(hi|hello|hey|hei|hallo|good (morning|afternoon|evening|day)|howdy|yo)\b[\s\w]{0,20}\W*$/i,
    answer: greet,
  },
  {
    isMeant:
      /^\W*(ok(ay)?|great|cool|nice|perfect|awesome|super)?[\s,.!]*(many )?(thanks|thank you|thx|cheers|takk)\b.{0,30}$/i,
    answer: welcome,
  },
  { isMeant: /^\W*(bye|goodbye|see you|that('s| is) all)\b.{0,30}$/i, answer: sayGoodbye },
  { isMeant: /\b(guarantee[ds]?|promise[ds]?|refunds?|money back)\b/i, answer: declineGuarantee },
  {
    isMeant:
      /\b(cost|costs|price|prices|priced|pricing|how much|budgets?|fees?|rates?|quote|expensive|cheap|afford|pay|charge)\b/i,
    answer: tellPricing,
  },
  {
    isMeant:
      /\b(how (long|fast|quick|quickly|soon)|timelines?|time ?frames?|durations?|deadlines?|turnaround|(how many )?(weeks|months)|ready by|when (can|could|will|would))\b/i,
    answer: tellTimeline,
  },
  {
    isMeant:
      /\b(book|booking|meeting|appointment|demo|schedule|consultation|talk to (someone|a person|a human|sales|you)|speak (to|with)|call (with|you|me))\b/i,
    answer: offerBooking,
  },
  {
    isMeant:
      /\b(contact|e-?mail address|phone|telephone|reach (you|out)|address|located|location|office|where are you|get in touch|your (e-?mail|number))\b/i,
    answer: tellContact,
  },
  {
    isMeant: /\b(privacy|my data|(store|save|keep|record)\b.*\b(chat|data|conversation|messages?)|delete (my|this))\b/i,
    answer: tellPrivacy,
  },
  {
    isMeant: /\b(jobs?|careers?|hiring|vacanc\w+|work for you|join (you|the team)|internships?)\b/i,
    answer: tellCareers,
  },
  {
    isMeant:
      /\b(how (do|does|would|will) (it|this|that|you|we|the process)( all)? (work|start|begin)|process|onboarding|get(ting)? started|first step|next steps?|phases?|how do (i|we) start)\b/i,
    answer: tellProcess,
  },
  {
    isMeant:
      /\b(your team|the team|team members?|who (works|is behind|runs|founded)|founders?|people behind|staff|ceo)\b/i,
    answer: tellTeam,
  },
  {
    isMeant: /\b(reviews?|testimonials?|clients? say|customers? say|references?|happy (clients|customers))\b/i,
    answer: tellReviews,
  },
  {
    isMeant:
      /\b(projects?|case stud(y|ies)|portfolio|past work|previous work|(show|see)\b.*\bwork|your (clients|customers)|examples? of|track record|results)\b/i,
    answer: tellProjects,
  },
  { isMeant: /\b(blog|news|articles?|posts?|insights?|anything to read)\b/i, answer: tellPosts },
  {
    isMeant:
      /\b(services?|what (do|can) you (do|offer|help|build|make|sell)|how can you help|help me|what is this (site|company)|what does .{1,40} do|offer(ing|ings)?)\b/i,
    answer: tellServices,
  },
];

function declineInstructions(): string {
  return `I keep to what this site publishes and cannot change how I work. I am glad to answer questions about our services, projects and prices. What would you like to know?`;
}

function introduceMyself({ siteName }: Question): string {
  return [
    `I am the built-in assistant of ${escapeMarkdown(siteName)}: a program, not a person, and no language model. I look your question up in what is published on this site and link the page that I used.`,
    `To talk to a person, ${BOOK} or use the ${CONTACT}. What brings you here?`,
  ].join('\n\n');
}

function greet({ siteName, content }: Question): string {
  const tagline = content.settings.get('site_tagline');
  return [
    `Hello, and welcome to ${escapeMarkdown(siteName)}${tagline ? ` (${escapeMarkdown(tagline)})` : ''}.`,
    'I can tell you about our services, how long they take, what they cost as far as it is published, and past projects.',
    'What would you like to improve: finding leads, reaching them, or answering them?',
  ].join('\n\n');
}

function welcome(): string {
  return `You are welcome. If you want to go on with a person, ${BOOK}. Is there anything else I can look up for you?`;
}

function sayGoodbye(): string {
  return `Goodbye, and thank you for stopping by. This conversation will be here when you come back, and you can always ${BOOK}.`;
}

function declineGuarantee({ content }: Question): string {
  const results = content.projects.filter(({ metric }) => metric).slice(0, 3);
  return [
    'I cannot promise results or terms; that is for a person and a contract.',
    results.length > 0 &&
      `What is published are results of past projects (${link('Projects', '/projects')}):\n\n${list(
        results.map(({ title, metric }) => `**${escapeMarkdown(title)}**: ${escapeMarkdown(metric)}`),
      )}`,
    `Terms are best discussed in a call: ${BOOK}. Which result would matter most to you?`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function tellPricing({ content, service }: Question): string {
  const services = service ? [service] : content.services;
  const published = services.filter(({ pricing }) => pricing.trim());
  if (published.length === 0) {
    const what = service ? `for ${escapeMarkdown(service.title)} ` : '';
    return `No price is published ${what}on this site, and I will not guess one. In a 30 minute call you get an answer for your case: ${BOOK}. How large is the team that would use it?`;
  }
  const silent = services.length - published.length;
  return [
    `This is what is published (${link('Services', '/services')}):`,
    list(published.map(({ title, pricing }) => `**${escapeMarkdown(title)}**: ${escapeMarkdown(pricing)}`)),
    silent > 0 && 'For the other services no price is published.',
    `For a figure that fits your case, ${BOOK}. ${service ? 'What volume do you have in mind?' : 'Which of these is closest to what you need?'}`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function tellTimeline({ content, service }: Question): string {
  const services = (service ? [service] : content.services).filter(({ timeline }) => timeline.trim());
  if (services.length === 0) {
    return `No timeline is published for that, and I will not guess one. You get a date for your case in a call: ${BOOK}. When would you like to be live?`;
  }
  return [
    `These are the published timelines (${link('Services', '/services')}):`,
    list(services.map(({ title, timeline }) => `**${escapeMarkdown(title)}**: ${escapeMarkdown(timeline)}`)),
    `A start date depends on your case; ${BOOK} to fix one. When would you like to be live?`,
  ].join('\n\n');
}

function offerBooking({ namedService }: Question): string {
  const topic = namedService ? ` about ${escapeMarkdown(namedService.title)}` : '';
  return `A call takes 30 minutes${topic}: [choose a time in the booking section](/#booking). If you prefer to write, use the ${CONTACT}. What should the call be about, so that we come prepared?`;
}

function tellContact({ content }: Question): string {
  const details = [
    ['E-mail', content.settings.get('contact_email')],
    ['Phone', content.settings.get('contact_phone')],
    ['Address', addressOf(content.sections.get('home/footer'))],
  ].flatMap(([label, value]) => (value ? [`${label}: ${escapeMarkdown(value)}`] : []));
  return [
    `You reach us through the ${CONTACT}${details.length > 0 ? ', or here:' : '.'}`,
    details.length > 0 && list(details),
    `For a conversation of 30 minutes, ${BOOK}. May I ask what it is about?`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function addressOf(footer: Record<string, unknown> | undefined): string | undefined {
  const contact = footer?.['contact'];
  if (typeof contact !== 'object' || contact === null || !('address' in contact)) return undefined;
  const { address } = contact;
  if (typeof address === 'string') return address;
  return Array.isArray(address) ? address.filter((line) => typeof line === 'string').join(', ') : undefined;
}

function tellPrivacy(): string {
  return `This conversation is stored so that you can continue it in this browser. It is found only by its id, which your browser keeps, and our admins can read it. 'Clear' in this window starts a new one and forgets the id. To have a conversation deleted, write to us on the ${CONTACT}. Is there anything else you want to know before you go on?`;
}

function tellCareers({ content }: Question): string {
  const careers = content.sections.get('about/careers');
  const text = typeof careers?.['description'] === 'string' ? shorten(plainText(careers['description']), 300) : '';
  return [
    text && escapeMarkdown(text),
    `What we say about working with us is in the Careers section of our ${link('About page', '/about')}; I know of no openings beyond it. To introduce yourself, use the ${CONTACT}. What kind of work are you looking for?`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function tellProcess({ content, service }: Question): string {
  const known = service?.timeline
    ? ` For ${escapeMarkdown(service.title)} the published timeline is ${escapeMarkdown(service.timeline)}.`
    : '';
  return [
    `It starts with a 30 minute call, and then goes through three phases: Discovery, Build and Deploy.${known}`,
    content.services.length > 0 &&
      `What you get at the end is listed with each service on the ${link('Services page', '/services')}.`,
    `The first step: ${BOOK}. What do you have in place today?`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function tellTeam({ content, index, text }: Question): string | null {
  // A question that names a member is answered by the search.
  if (index.search(text)[0]?.kind === 'team_members') return null;
  if (content.team.length === 0)
    return `The team introduces itself on the ${link('About page', '/about')}. Whom would you like to talk to?`;
  return [
    `These are the people behind the work (${link('About', '/about')}):`,
    list(
      content.team
        .slice(0, 6)
        .map(({ name, position }) => `**${escapeMarkdown(name)}**${position ? `, ${escapeMarkdown(position)}` : ''}`),
    ),
    `You can meet one of them: ${BOOK}. What would you like to talk about?`,
  ].join('\n\n');
}

function tellReviews({ content }: Question): string | null {
  if (content.reviews.length === 0) return null;
  return [
    'This is what clients say:',
    list(
      content.reviews
        .slice(0, 3)
        .map(
          ({ author_name, author_role, company, quote }) =>
            `"${escapeMarkdown(shorten(quote, 200))}" ${[author_name, author_role, company].filter(Boolean).map(escapeMarkdown).join(', ')}`,
        ),
    ),
    `There is more in the [testimonials](/#testimonials). Which industry are you in?`,
  ].join('\n\n');
}

function tellProjects({ content, index, text }: Question): string | null {
  const named = index.search(text).filter((passage) => passage.kind === 'projects');
  const projects = (named.length > 0 ? named.map((passage) => passage.item) : content.projects).slice(0, 4);
  if (projects.length === 0)
    return `No projects are published right now. For examples that fit your case, ${BOOK}. What would you like to see?`;
  return [
    `These are ${named.length > 0 ? 'the projects that fit' : 'some of our projects'} (${link('Projects', '/projects')}):`,
    list(
      projects.map(({ title, slug, company, metric, description }) =>
        [
          `${link(title, `/projects?case=${encodeURIComponent(slug)}`)}${company ? ` (${escapeMarkdown(company)})` : ''}`,
          metric && `: ${escapeMarkdown(metric)}`,
          description && `. ${escapeMarkdown(shorten(plainText(description), 140))}`,
        ]
          .filter(Boolean)
          .join(''),
      ),
    ),
    `Does one of these resemble your situation? If so, ${BOOK} and we will go through it.`,
  ].join('\n\n');
}

function tellPosts({ content, index, text }: Question): string | null {
  const named = index.search(text).flatMap((passage) => (passage.kind === 'posts' ? [passage.item] : []));
  const posts = (named.length > 0 ? named : content.posts).slice(0, 3);
  if (posts.length === 0) return null;
  return [
    named.length > 0 ? 'We wrote about that:' : `These are our latest articles (${link('News', '/news')}):`,
    list(
      posts.map(({ title, slug, excerpt }) =>
        [
          link(title, `/news/${encodeURIComponent(slug)}`),
          excerpt && `: ${escapeMarkdown(shorten(plainText(excerpt), 140))}`,
        ]
          .filter(Boolean)
          .join(''),
      ),
    ),
    'Is there a subject that you would like to read more about?',
  ].join('\n\n');
}

function tellServices({ content, service, index, text }: Question): string | null {
  const found = index.search(text)[0];
  // The question is about something that another kind of page answers better.
  if (found && found.kind !== 'services') return null;
  if (content.services.length === 0)
    return `The ${link('Services page', '/services')} shows what we do. What would you like to achieve?`;
  if (found && service) return describeService(service);
  return [
    `This is what we offer (${link('Services', '/services')}):`,
    list(
      content.services
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
    ),
    `Which of these would help you most? If you are not sure, ${BOOK} and we will find out together.`,
  ].join('\n\n');
}

/** One service with everything that is published about it. */
export function describeService(service: Service): string {
  const facts = [
    service.timeline && `Timeline: ${escapeMarkdown(service.timeline)}`,
    `Price: ${service.pricing ? escapeMarkdown(service.pricing) : 'not published'}`,
    service.deliverables.length > 0 && `You get: ${service.deliverables.slice(0, 6).map(escapeMarkdown).join('; ')}`,
  ].filter((fact) => fact !== false && fact !== '');
  return [
    `**${escapeMarkdown(service.title)}** (${link('Services', '/services')}): ${escapeMarkdown(shorten(plainText(service.short_description || service.long_description), 320))}`,
    list(facts.map(String)),
    `Do you want to see how it would fit your case? Then ${BOOK}, or ask me about our projects.`,
  ].join('\n\n');
}
