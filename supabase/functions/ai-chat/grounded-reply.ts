/** Replies of a language model as visitors receive them: checked by the guard, followed by their sources. */
import type { ReplyGuard } from './guard/guard.ts';
import { isRefusal } from './guard/promises.ts';
import { readingOf } from './guard/text.ts';
import { REPLACEMENTS } from './guard/wording.ts';
import { languageOfReply } from './guard/words.ts';
import type { Excerpt, RetrievedContent } from './retrieve.ts';
import { keywords } from './search.ts';
import type { SiteContent } from './site-content.ts';
import { sourceLines } from './sources.ts';
import { sentencesOf } from './wording.ts';

/** Returns all texts that support a reply, including the editors' instructions. */
export function evidenceOf({ instructions }: SiteContent, { basics, passages }: RetrievedContent) {
  return [...basics, ...passages, { title: '', url: '', text: instructions }];
}

/** Yields the checked reply, followed by its sources. */
export async function* closeReply(
  guard: ReplyGuard,
  reply: { first: string; rest: AsyncGenerator<string, void, void> },
  content: RetrievedContent,
  disconnected: AbortSignal,
): AsyncGenerator<string, void, void> {
  yield* guard.check(withFirstPiece(reply), disconnected);
  const shown = guard.shown();
  if (isOnlyRefusal(shown)) return;
  const lines = sourceLines(sourcesOf(shown, content), languageOfReply(shown) ?? 'en');
  if (lines) yield `\n\n${lines}`;
}

/** Checks whether a reply only declines. Such a reply has no source. */
function isOnlyRefusal(shown: string): boolean {
  let remainingText = shown;
  for (const replacements of Object.values(REPLACEMENTS))
    for (const sentence of Object.values(replacements)) remainingText = remainingText.replaceAll(sentence, ' ');
  const sentences = sentencesOf(remainingText).filter((sentence) => /\p{L}/u.test(sentence));
  return sentences.every((sentence) => isRefusal(readingOf(sentence)) || CONTACT_LINK.test(sentence));
}

/** Link to booking or contact, which most refusals end with. */
const CONTACT_LINK = /\]\(\/(?:#booking|contact(?:#person)?)\)/;

async function* withFirstPiece({ first, rest }: { first: string; rest: AsyncGenerator<string, void, void> }) {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return();
  }
}

/** Minimum words of a reply that a single sentence of a source must contain. A whole text contains most words by chance. */
const MIN_SHARED_WORDS = 3;

/** Returns the texts that support the reply. Empty if the reply itself links to pages. */
function sourcesOf(shown: string, { basics, passages }: RetrievedContent): Excerpt[] {
  const texts = [...passages, ...basics.filter(({ url }) => url === '/services')];
  if (texts.some(({ url }) => shown.includes(`](${url})`))) return [];
  const claims = sentencesOf(shown).filter((sentence) => !COURTESY.test(sentence) && !isOnlyRefusal(sentence));
  const claimWords = new Set(keywords(claims.join(' ')));
  return texts.filter(({ title, text }) => {
    const titleWords = keywords(title);
    const isNamed = titleWords.length > 1 && titleWords.every((word) => claimWords.has(word));
    return sentencesOf(text).some((sentence) => {
      const shared = keywords(sentence).filter((word) => claimWords.has(word));
      return shared.length >= MIN_SHARED_WORDS || (isNamed && shared.some((word) => !titleWords.includes(word)));
    });
  });
}

/** Thanks, greetings and questions contain no facts that need a source. */
const COURTESY =
  /\?\s*$|^\W*(?:thanks?|thank you|hello|hi|hey|welcome|glad|happy to|takk|hei|hyggelig|tak|hej|tack|danke|hallo)(?!\p{L})/iu;
