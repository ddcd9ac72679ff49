/** Answers that quote: questions and answers of the editors, articles, and whatever else the search finds. */

import { type Found, keywords, plainText } from '../search.ts';
import type { FaqEntry } from '../site-content.ts';
import { bestSentences, escapeMarkdown, link, list, sentencesOf, shorten } from '../wording.ts';
import { admitUnpublished, describePerson } from './answers-company.ts';
import { quoteReviews } from './answers-projects.ts';
import { describeService } from './answers-services.ts';
import { pageLink, pageSource, type Reply, say, type Turn } from './turn.ts';

/** A passage that shares less than this with the question is no answer to it. */
const ENOUGH = 0.62;

/** Tells whether a passage may be quoted as an answer. */
export function answers(found: Found, question: string): boolean {
  const asked = keywords(question);
  if (found.coverage < ENOUGH) return false;
  if (found.isInTitle) return true;
  // Words of the question that are far from each other say nothing together.
  const together = sentencesOf(found.text).map((sentence) => {
    const terms = new Set(keywords(sentence));
    return asked.filter((term) => terms.has(term)).length;
  });
  const most = Math.max(0, ...together);
  return asked.length === 1 ? together.filter((count) => count > 0).length >= 2 : most >= 2;
}

/** The best passage, introduced as what it is. */
export function quote(turn: Turn, best: Found, others: Found[]): Reply {
  if (best.kind === 'services') return quoteService(turn, best, others);
  if (best.kind === 'team_members') return describePerson(turn, best);
  if (best.kind === 'faq') return tellEntry(best.item);
  if (best.kind === 'reviews') return quoteReviews(turn, [best.item]);
  const also = others.filter(({ coverage }) => coverage >= ENOUGH / 2).slice(0, 2);
  const page = link(best.title, best.url);
  return {
    text: [
      introduce(turn, best, page),
      `> ${escapeMarkdown(bestSentences(best.text, turn.text) || best.title)}`,
      also.length > 0 &&
        say(turn, 'more', { pages: also.map(({ title, url }) => link(title, url)).join(say(turn, 'and')) }),
      say(turn, 'talk'),
    ],
    sources: [best],
    subject: best.kind === 'other' ? turn.subject : best,
    asked: 'shall we talk',
  };
}

/** A service, with the sentence of its text that has the question's words, and what else was written about that. */
function quoteService(turn: Turn, service: Extract<Found, { kind: 'services' }>, others: Found[]): Reply {
  const asked = keywords(turn.text).filter((term) => !keywords(service.title).includes(term));
  const sentence = sentencesOf(service.text).find((text) => {
    const terms = keywords(text);
    return asked.length > 0 && asked.filter((term) => terms.includes(term)).length >= Math.min(2, asked.length);
  });
  const also = others.filter(({ kind, coverage }) => kind === 'posts' && coverage >= ENOUGH / 2).slice(0, 2);
  const reply = describeService(turn, service);
  const [last, ...before] = [...reply.text].reverse();
  return {
    ...reply,
    text: [
      ...before.reverse(),
      sentence && `> ${escapeMarkdown(sentence)}`,
      also.length > 0 &&
        say(turn, 'more', { pages: also.map(({ title, url }) => link(title, url)).join(say(turn, 'and')) }),
      last,
    ],
  };
}

function introduce(turn: Turn, found: Found, page: string): string {
  const client = found.kind === 'projects' && found.item.company ? escapeMarkdown(found.item.company) : '';
  if (!found.coversAll) {
    return say(turn, 'nearestIntro', { page, client: client && say(turn, 'forClient', { client }) });
  }
  if (client) return say(turn, 'quoteProject', { page, client });
  return say(turn, 'quotePage', { page });
}

/** In the editors' own words, whole. */
export function tellEntry({ question, answer }: FaqEntry): Reply {
  return { text: [answer.trim()], sources: [{ title: question, url: '/contact#questions' }], asked: 'anything else' };
}

export function tellArticles(turn: Turn): Reply {
  const named = turn.found.flatMap((found) => (found.kind === 'posts' ? [found.item] : []));
  const posts = (named.length > 0 ? named : turn.content.posts).slice(0, 3);
  if (posts.length === 0) return admitNotKnowing(turn);
  return {
    text: [
      named.length > 0 ? say(turn, 'articlesFit') : say(turn, 'articles', { page: pageLink(turn, 'news') }),
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
      say(turn, 'next'),
    ],
    sources: [pageSource(turn, 'news')],
    asked: 'about the visitor',
  };
}

/** More of what the conversation is about. */
export function tellMore(turn: Turn): Reply | null {
  const { subject } = turn;
  if (!subject) return null;
  if (subject.kind === 'services') {
    const text = plainText(subject.item.long_description) || plainText(subject.item.short_description);
    return quoteMore(turn, text);
  }
  if (subject.kind === 'team_members') return describePerson(turn, subject);
  return quoteMore(
    turn,
    plainText(
      subject.kind === 'posts'
        ? subject.item.content || subject.item.excerpt
        : subject.item.full_content || subject.item.description,
    ),
  );
}

function quoteMore(turn: Turn, text: string): Reply | null {
  const { subject } = turn;
  if (!subject || !text) return null;
  const page = link(subject.title, subject.url);
  const client = subject.kind === 'projects' ? subject.item.company : '';
  const intro = client
    ? say(turn, 'quoteProject', { page, client: escapeMarkdown(client) })
    : say(turn, 'quotePage', { page });
  return {
    text: [intro, `> ${escapeMarkdown(shorten(text, 480))}`, say(turn, 'talk')],
    sources: [subject],
    asked: 'shall we talk',
  };
}

/** Tells what is published about who owns the things that we build. */
export function tellOwnership(turn: Turn): Reply {
  const [best, ...others] = turn.index.search('own accounts handover').filter(({ kind }) => kind !== 'projects');
  const isTold = best && best.kind !== 'services' && best.coverage >= ENOUGH;
  if (isTold) return quote({ ...turn, text: 'own accounts handover' }, best, others);
  return admitUnpublished(turn);
}

/** Says what it knows nearby, and offers a person. */
export function admitNotKnowing(turn: Turn): Reply {
  const services = turn.content.services.slice(0, 3).map(({ title }) => escapeMarkdown(title));
  return {
    text: [
      say(turn, 'notKnown'),
      [services.length > 0 && say(turn, 'canTell', { services: services.join(', ') }), say(turn, 'personAnswers')]
        .filter(Boolean)
        .join(' '),
      say(turn, 'goal'),
    ],
    asked: 'goal',
    isUnanswered: true,
  };
}
