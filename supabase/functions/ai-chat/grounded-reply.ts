/** A reply of a language model as visitors get it: guarded, with its sources under it. */
import type { ReplyGuard } from './guard/guard.ts';
import { isRefusal } from './guard/promises.ts';
import { readingOf } from './guard/text.ts';
import { HONEST } from './guard/wording.ts';
import { languageOfReply } from './guard/words.ts';
import type { Excerpt, Retrieved } from './retrieve.ts';
import { keywords } from './search.ts';
import type { SiteContent } from './site-content.ts';
import { sourceLines } from './sources.ts';
import { sentencesOf } from './wording.ts';

/** All that the model was told: what it says must stand in it. The editors' instructions are the owner's word too. */
export function evidenceOf({ instructions }: SiteContent, { basics, passages }: Retrieved) {
  return [...basics, ...passages, { title: '', url: '', text: instructions }];
}

export async function* closeReply(
  guard: ReplyGuard,
  reply: { first: string; rest: AsyncGenerator<string, void, void> },
  retrieved: Retrieved,
  left: AbortSignal,
): AsyncGenerator<string, void, void> {
  yield* guard.check(afterFirst(reply), left);
  const shown = guard.shown();
  if (isOnlyRefusal(shown)) return;
  const lines = sourceLines(sourcesOf(shown, retrieved), languageOfReply(shown) ?? 'en');
  if (lines) yield `\n\n${lines}`;
}

/** Tells whether a reply only declines: it was taken from no source. */
function isOnlyRefusal(shown: string): boolean {
  let rest = shown;
  for (const words of Object.values(HONEST))
    for (const sentence of Object.values(words)) rest = rest.replaceAll(sentence, ' ');
  const sentences = sentencesOf(rest).filter((sentence) => /\p{L}/u.test(sentence));
  return sentences.every((sentence) => isRefusal(readingOf(sentence)) || INVITES.test(sentence));
}

/** The way to a person, which follows most refusals. */
const INVITES = /\]\(\/(?:#booking|contact(?:#person)?)\)/;

async function* afterFirst({ first, rest }: { first: string; rest: AsyncGenerator<string, void, void> }) {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return();
  }
}

/** Words of a reply that one sentence of a source must have: words from all over a long text are in most of them. */
const SHARED = 3;

/** Returns the texts that support the reply. A reply that links the pages itself has named its sources. */
function sourcesOf(shown: string, { basics, passages }: Retrieved): Excerpt[] {
  const texts = [...passages, ...basics.filter(({ url }) => url === '/services')];
  if (texts.some(({ url }) => shown.includes(`](${url})`))) return [];
  const claims = sentencesOf(shown).filter((sentence) => !COURTESY.test(sentence) && !isOnlyRefusal(sentence));
  const said = new Set(keywords(claims.join(' ')));
  return texts.filter(({ title, text }) => {
    const named = keywords(title);
    const isNamed = named.length > 1 && named.every((word) => said.has(word));
    return sentencesOf(text).some((sentence) => {
      const shared = keywords(sentence).filter((word) => said.has(word));
      return shared.length >= SHARED || (isNamed && shared.some((word) => !named.includes(word)));
    });
  });
}

/** Thanks, greetings and questions back state nothing that a text could support. */
const COURTESY =
  /\?\s*$|^\W*(?:thanks?|thank you|hello|hi|hey|welcome|glad|happy to|takk|hei|hyggelig|tak|hej|tack|danke|hallo)(?!\p{L})/iu;
