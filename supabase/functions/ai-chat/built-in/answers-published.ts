/** Answers questions about our way of working with the closest text of the site. */

import { keywords, type SearchMatch } from '../search.ts';
import { bestSentences, escapeMarkdown, link, list } from '../wording.ts';
import { formatLinks } from './answers-articles.ts';
import { admitUnpublished } from './answers-unknown.ts';
import { translateToEnglish } from './dictionary.ts';
import type { Intent } from './intents.ts';
import { formatPhrase, type Reply, type Turn } from './turn.ts';

/** Words to search for in addition to the words of the question, by intent. */
const ADDED_WORDS: Partial<Record<Intent, string>> = {
  ownership: 'own accounts domains mailboxes data keep',
  integrations: 'CRM HubSpot Pipedrive Salesforce calendar',
  legal: 'GDPR legitimate interest consent opt-outs law',
  compliance: 'GDPR legitimate interest opt-outs personal data',
  cancel: 'leave notice cancel contract',
  volume: 'mailbox messages day',
};

/** Quotes the closest text, marks it as exact or close, and offers a person. */
export function answerFromClosestText(turn: Turn, intent: Intent): Reply {
  const [closestText, ...otherTexts] = findClosestTexts(turn, ADDED_WORDS[intent] ?? '');
  if (!closestText) return admitUnpublished(turn);
  const match = turn.matches.find(({ id }) => id === closestText.match.id);
  const isExact = match !== undefined && match.coverage >= turn.limits.near;
  return quoteClosestText(turn, closestText, otherTexts, isExact);
}

/** Quotes a published text about a tool. Without one, quotes the text about the tools that we use. */
export function answerTool(turn: Turn): Reply {
  const tool = turn.entities.tool;
  if (!tool) return answerFromClosestText(turn, 'integrations');
  const [toolText, ...otherTexts] = findClosestTexts(turn, tool).filter(({ quotation }) => quotation.includes(tool));
  if (toolText) return quoteClosestText(turn, toolText, otherTexts, true);
  const [closestText] = findClosestTexts(turn, ADDED_WORDS.integrations ?? '');
  const relatedList =
    closestText &&
    list([`${link(closestText.match.title, closestText.match.url)}: ${escapeMarkdown(closestText.quotation)}`]);
  return admitUnpublished(turn, tool, relatedList);
}

interface ClosestText {
  match: SearchMatch;
  quotation: string;
  /** Number of matching search words, and of matching words including the question's, in title and quote. */
  searchCount: number;
  sharedCount: number;
}

/** Returns matching texts, closest first. Projects and reviews do not describe our way of working. */
function findClosestTexts(turn: Turn, searchWords: string): ClosestText[] {
  const query = `${searchWords} ${translateToEnglish(turn.text, turn.language)}`;
  const searchTerms = keywords(searchWords);
  const queryTerms = keywords(query);
  return turn.index
    .search(query)
    .filter(({ kind, isAbout }) => isAbout && kind !== 'projects' && kind !== 'reviews')
    .slice(0, 8)
    .map((match) => {
      const quotation = bestSentences(match.text, query) || match.title;
      const quotedWords = new Set(keywords(`${match.title} ${quotation}`));
      const count = (terms: readonly string[]) => terms.filter((word) => quotedWords.has(word)).length;
      return { match, quotation, searchCount: count(searchTerms), sharedCount: count(queryTerms) };
    })
    .filter(({ searchCount }) => searchCount >= (searchTerms.length > 2 ? 2 : 1))
    .sort((a, b) => b.sharedCount - a.sharedCount);
}

function quoteClosestText(
  turn: Turn,
  { match, quotation, sharedCount }: ClosestText,
  otherTexts: readonly ClosestText[],
  isExact: boolean,
): Reply {
  const related = otherTexts
    .filter((other) => other.match.kind !== 'other' && other.sharedCount * 2 > sharedCount)
    .slice(0, 2);
  return {
    text: [
      formatPhrase(turn, isExact ? 'quote' : 'nearestIntro', { page: link(match.title, match.url) }),
      `> ${escapeMarkdown(quotation)}`,
      related.length > 0 &&
        formatPhrase(turn, 'more', {
          pages: formatLinks(
            turn,
            related.map((other) => other.match),
          ),
        }),
      formatPhrase(turn, 'next'),
    ],
    ...(isExact ? { sources: [match] } : { isUnanswered: true as const }),
    closingQuestion: 'about the visitor',
  };
}
