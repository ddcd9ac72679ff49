/** Answers questions about how we work with whatever text of the site is nearest, before anything is denied. */

import { type Found, keywords } from '../search.ts';
import { bestSentences, escapeMarkdown, link, list } from '../wording.ts';
import { listed } from './answers-articles.ts';
import { admitUnpublished } from './answers-unknown.ts';
import { inEnglish } from './dictionary.ts';
import type { Intent } from './intents.ts';
import { type Reply, say, type Turn } from './turn.ts';

/** Words that a text has which answers a question of the intent, the words of the question aside. */
const SOUGHT: Partial<Record<Intent, string>> = {
  ownership: 'own accounts domains mailboxes data keep',
  integrations: 'CRM HubSpot Pipedrive Salesforce calendar',
  legal: 'GDPR legitimate interest consent opt-outs law',
  compliance: 'GDPR legitimate interest opt-outs personal data',
  cancel: 'leave notice cancel contract',
  volume: 'mailbox messages day',
};

/** Quotes the nearest text, says how near it is, and offers a person. */
export function tellSought(turn: Turn, intent: Intent): Reply {
  const [best, ...others] = nearestTo(turn, SOUGHT[intent] ?? '');
  if (!best) return admitUnpublished(turn);
  const own = turn.found.find(({ id }) => id === best.found.id);
  const isExact = own !== undefined && own.coverage >= turn.limits.near;
  return quoteNearest(turn, best, others, isExact);
}

/** Tells what is published about a tool or a channel; about another one, which are named here. */
export function tellTool(turn: Turn): Reply {
  const tool = turn.named.tool;
  if (!tool) return tellSought(turn, 'integrations');
  const [best, ...others] = nearestTo(turn, tool).filter(({ quoted }) => quoted.includes(tool));
  if (best) return quoteNearest(turn, best, others, true);
  const [other] = nearestTo(turn, SOUGHT.integrations ?? '');
  const nearby = other && list([`${link(other.found.title, other.found.url)}: ${escapeMarkdown(other.quoted)}`]);
  return admitUnpublished(turn, tool, nearby);
}

interface Near {
  found: Found;
  quoted: string;
  /** Number of the sought words, and of those with the words of the question, in the title and the quote. */
  sought: number;
  shared: number;
}

/** Returns texts with the sought words, nearest first. Projects and reviews say nothing about how we work. */
function nearestTo(turn: Turn, sought: string): Near[] {
  const wanted = `${sought} ${inEnglish(turn.text, turn.language)}`;
  const words = { sought: keywords(sought), all: keywords(wanted) };
  return turn.index
    .search(wanted)
    .filter(({ kind, isAbout }) => isAbout && kind !== 'projects' && kind !== 'reviews')
    .slice(0, 8)
    .map((found) => {
      const quoted = bestSentences(found.text, wanted) || found.title;
      const said = new Set(keywords(`${found.title} ${quoted}`));
      const count = (asked: readonly string[]) => asked.filter((word) => said.has(word)).length;
      return { found, quoted, sought: count(words.sought), shared: count(words.all) };
    })
    .filter((near) => near.sought >= (words.sought.length > 2 ? 2 : 1))
    .sort((a, b) => b.shared - a.shared);
}

function quoteNearest(turn: Turn, { found, quoted, shared }: Near, others: readonly Near[], isExact: boolean): Reply {
  const also = others.filter((other) => other.found.kind !== 'other' && other.shared * 2 > shared).slice(0, 2);
  return {
    text: [
      say(turn, isExact ? 'quote' : 'nearestIntro', { page: link(found.title, found.url) }),
      `> ${escapeMarkdown(quoted)}`,
      also.length > 0 &&
        say(turn, 'more', {
          pages: listed(
            turn,
            also.map((other) => other.found),
          ),
        }),
      say(turn, 'next'),
    ],
    ...(isExact ? { sources: [found] } : { isUnanswered: true as const }),
    asked: 'about the visitor',
  };
}
