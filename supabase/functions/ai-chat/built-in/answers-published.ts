/** Answers questions about our way of working with the closest text of the site. */

import { type Found, keywords } from '../search.ts';
import { bestSentences, escapeMarkdown, link, list } from '../wording.ts';
import { listed } from './answers-articles.ts';
import { admitUnpublished } from './answers-unknown.ts';
import { inEnglish } from './dictionary.ts';
import type { Intent } from './intents.ts';
import { type Reply, say, type Turn } from './turn.ts';

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
export function answerFromNearestText(turn: Turn, intent: Intent): Reply {
  const [best, ...others] = nearestTo(turn, ADDED_WORDS[intent] ?? '');
  if (!best) return admitUnpublished(turn);
  const found = turn.found.find(({ id }) => id === best.found.id);
  const isExact = found !== undefined && found.coverage >= turn.limits.near;
  return quoteNearest(turn, best, others, isExact);
}

/** Quotes a published text about a tool. Without one, quotes the text about the tools that we use. */
export function answerTool(turn: Turn): Reply {
  const tool = turn.named.tool;
  if (!tool) return answerFromNearestText(turn, 'integrations');
  const [best, ...others] = nearestTo(turn, tool).filter(({ quoted }) => quoted.includes(tool));
  if (best) return quoteNearest(turn, best, others, true);
  const [near] = nearestTo(turn, ADDED_WORDS.integrations ?? '');
  const nearby = near && list([`${link(near.found.title, near.found.url)}: ${escapeMarkdown(near.quoted)}`]);
  return admitUnpublished(turn, tool, nearby);
}

interface Near {
  found: Found;
  quoted: string;
  /** Number of matching search words, and of matching words including the question's, in title and quote. */
  sought: number;
  shared: number;
}

/** Returns matching texts, closest first. Projects and reviews do not describe our way of working. */
function nearestTo(turn: Turn, sought: string): Near[] {
  const query = `${sought} ${inEnglish(turn.text, turn.language)}`;
  const words = { sought: keywords(sought), all: keywords(query) };
  return turn.index
    .search(query)
    .filter(({ kind, isAbout }) => isAbout && kind !== 'projects' && kind !== 'reviews')
    .slice(0, 8)
    .map((found) => {
      const quoted = bestSentences(found.text, query) || found.title;
      const quotedWords = new Set(keywords(`${found.title} ${quoted}`));
      const count = (searched: readonly string[]) => searched.filter((word) => quotedWords.has(word)).length;
      return { found, quoted, sought: count(words.sought), shared: count(words.all) };
    })
    .filter((near) => near.sought >= (words.sought.length > 2 ? 2 : 1))
    .sort((a, b) => b.shared - a.shared);
}

function quoteNearest(turn: Turn, { found, quoted, shared }: Near, others: readonly Near[], isExact: boolean): Reply {
  const related = others.filter((other) => other.found.kind !== 'other' && other.shared * 2 > shared).slice(0, 2);
  return {
    text: [
      say(turn, isExact ? 'quote' : 'nearestIntro', { page: link(found.title, found.url) }),
      `> ${escapeMarkdown(quoted)}`,
      related.length > 0 &&
        say(turn, 'more', {
          pages: listed(
            turn,
            related.map((other) => other.found),
          ),
        }),
      say(turn, 'next'),
    ],
    ...(isExact ? { sources: [found] } : { isUnanswered: true as const }),
    asked: 'about the visitor',
  };
}
