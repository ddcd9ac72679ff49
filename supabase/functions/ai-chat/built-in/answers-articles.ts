/** Answers that quote texts: editors' answers, articles and other search results. */

import { keywords, plainText, type SearchMatch } from '../search.ts';
import type { FaqEntry } from '../site-content.ts';
import { bestSentences, escapeMarkdown, link, list, sentencesOf, shorten } from '../wording.ts';
import { describePerson } from './answers-company.ts';
import { nameOf, quoteReviews } from './answers-projects.ts';
import { describeService } from './answers-services.ts';
import { admitNotKnowing } from './answers-unknown.ts';
import { formatPhrase, pageLink, pageSource, type Reply, type Turn } from './turn.ts';

/** Checks whether a search result can be quoted as an answer. */
export function isQuotable(match: SearchMatch, { text, limits }: Turn): boolean {
  const subjects = keywords(text);
  if (match.coverage < limits.enough) return false;
  if (match.isInTitle) return true;
  // Several subjects must occur in the same sentence.
  const sharedCounts = sentencesOf(match.text).map((sentence) => {
    const terms = new Set(keywords(sentence));
    return subjects.filter((term) => terms.has(term)).length;
  });
  const maxCount = Math.max(0, ...sharedCounts);
  return subjects.length === 1 ? sharedCounts.filter((count) => count > 0).length >= 2 : maxCount >= 2;
}

/** Quotes the best result with an introduction that fits its kind. */
export function quote(turn: Turn, bestMatch: SearchMatch, otherMatches: SearchMatch[]): Reply {
  if (bestMatch.kind === 'team_members') return describePerson(turn, bestMatch);
  if (bestMatch.kind === 'faq') return quoteEntry(bestMatch.item);
  if (bestMatch.kind === 'reviews') return quoteReviews(turn, [bestMatch.item]);
  const related = otherMatches.filter(({ coverage }) => coverage >= turn.limits.near).slice(0, 2);
  const moreLinks = related.length > 0 && formatPhrase(turn, 'more', { pages: formatLinks(turn, related) });
  if (bestMatch.kind === 'services') {
    const reply = describeService(turn, bestMatch);
    const sentence = bestSentences(bestMatch.text, turn.text);
    return {
      ...reply,
      text: [
        reply.text[0],
        sentence && `> ${escapeMarkdown(sentence)}`,
        ...reply.text.slice(1, -1),
        moreLinks,
        formatPhrase(turn, 'talk'),
      ],
    };
  }
  const page = bestMatch.kind === 'projects' ? nameOf(bestMatch) : link(bestMatch.title, bestMatch.url);
  const isExact = bestMatch.coversAll || bestMatch.url === turn.entities.project?.url;
  return {
    text: [
      formatPhrase(turn, isExact ? 'quote' : 'nearestIntro', { page }),
      `> ${escapeMarkdown(bestSentences(bestMatch.text, turn.text) || bestMatch.title)}`,
      moreLinks,
      formatPhrase(turn, 'talk'),
    ],
    sources: [bestMatch],
    subject: bestMatch.kind === 'other' ? turn.subject : bestMatch,
    closingQuestion: 'shall we talk',
  };
}

/** Joins links to pages as a list in the language. */
export function formatLinks({ language }: Turn, pages: readonly { title: string; url: string }[]): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(pages.map(({ title, url }) => link(title, url)));
}

/** Returns the editors' answer unchanged. */
export function quoteEntry({ question, answer }: FaqEntry): Reply {
  return {
    text: [answer.trim()],
    sources: [{ title: question, url: '/contact#questions' }],
    closingQuestion: 'anything else',
  };
}

export function answerArticles(turn: Turn): Reply {
  const matchingPosts = turn.matches.flatMap((match) => (match.kind === 'posts' ? [match.item] : []));
  const posts = (matchingPosts.length > 0 ? matchingPosts : turn.content.posts).slice(0, 3);
  if (posts.length === 0) return admitNotKnowing(turn);
  return {
    text: [
      formatPhrase(turn, 'quote', { page: pageLink(turn, 'news') }),
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
      formatPhrase(turn, 'next'),
    ],
    sources: [pageSource(turn, 'news')],
    closingQuestion: 'about the visitor',
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
    text: [
      formatPhrase(turn, 'quote', { page }),
      `> ${escapeMarkdown(shorten(text, 480))}`,
      formatPhrase(turn, 'talk'),
    ],
    sources: [subject],
    closingQuestion: 'shall we talk',
  };
}
