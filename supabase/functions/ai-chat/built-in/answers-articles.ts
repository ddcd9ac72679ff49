/** Answers that quote texts: editors' answers, articles and other search results. */

import { type Found, keywords, plainText } from '../search.ts';
import type { FaqEntry } from '../site-content.ts';
import { bestSentences, escapeMarkdown, link, list, sentencesOf, shorten } from '../wording.ts';
import { describePerson } from './answers-company.ts';
import { nameOf, quoteReviews } from './answers-projects.ts';
import { describeService } from './answers-services.ts';
import { admitNotKnowing } from './answers-unknown.ts';
import { pageLink, pageSource, type Reply, say, type Turn } from './turn.ts';

/** Checks whether a search result can be quoted as an answer. */
export function isQuotable(found: Found, { text, limits }: Turn): boolean {
  const subjects = keywords(text);
  if (found.coverage < limits.enough) return false;
  if (found.isInTitle) return true;
  // Several subjects must occur in the same sentence.
  const counts = sentencesOf(found.text).map((sentence) => {
    const terms = new Set(keywords(sentence));
    return subjects.filter((term) => terms.has(term)).length;
  });
  const maxCount = Math.max(0, ...counts);
  return subjects.length === 1 ? counts.filter((count) => count > 0).length >= 2 : maxCount >= 2;
}

/** Quotes the best result with an introduction that fits its kind. */
export function quote(turn: Turn, best: Found, others: Found[]): Reply {
  if (best.kind === 'team_members') return describePerson(turn, best);
  if (best.kind === 'faq') return quoteEntry(best.item);
  if (best.kind === 'reviews') return quoteReviews(turn, [best.item]);
  const related = others.filter(({ coverage }) => coverage >= turn.limits.near).slice(0, 2);
  const more = related.length > 0 && say(turn, 'more', { pages: listed(turn, related) });
  if (best.kind === 'services') {
    const reply = describeService(turn, best);
    const sentence = bestSentences(best.text, turn.text);
    return {
      ...reply,
      text: [
        reply.text[0],
        sentence && `> ${escapeMarkdown(sentence)}`,
        ...reply.text.slice(1, -1),
        more,
        say(turn, 'talk'),
      ],
    };
  }
  const page = best.kind === 'projects' ? nameOf(best) : link(best.title, best.url);
  const isExact = best.coversAll || best.url === turn.named.project?.url;
  return {
    text: [
      say(turn, isExact ? 'quote' : 'nearestIntro', { page }),
      `> ${escapeMarkdown(bestSentences(best.text, turn.text) || best.title)}`,
      more,
      say(turn, 'talk'),
    ],
    sources: [best],
    subject: best.kind === 'other' ? turn.subject : best,
    asked: 'shall we talk',
  };
}

/** Joins links to pages as a list in the language. */
export function listed({ language }: Turn, pages: readonly { title: string; url: string }[]): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(pages.map(({ title, url }) => link(title, url)));
}

/** Returns the editors' answer unchanged. */
export function quoteEntry({ question, answer }: FaqEntry): Reply {
  return { text: [answer.trim()], sources: [{ title: question, url: '/contact#questions' }], asked: 'anything else' };
}

export function answerArticles(turn: Turn): Reply {
  const matching = turn.found.flatMap((found) => (found.kind === 'posts' ? [found.item] : []));
  const posts = (matching.length > 0 ? matching : turn.content.posts).slice(0, 3);
  if (posts.length === 0) return admitNotKnowing(turn);
  return {
    text: [
      say(turn, 'quote', { page: pageLink(turn, 'news') }),
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

/** Returns more about the subject of the conversation. */
export function describeMore(turn: Turn): Reply | null {
  const { subject } = turn;
  if (!subject) return null;
  if (subject.kind === 'team_members') return describePerson(turn, subject);
  const text = plainText(subject.texts.toSorted((a, b) => b.length - a.length)[0] ?? '');
  if (!text) return null;
  const page = subject.kind === 'projects' ? nameOf(subject) : link(subject.title, subject.url);
  return {
    text: [say(turn, 'quote', { page }), `> ${escapeMarkdown(shorten(text, 480))}`, say(turn, 'talk')],
    sources: [subject],
    asked: 'shall we talk',
  };
}
