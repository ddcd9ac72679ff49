/** A reply of a language model as visitors get it: guarded, with its sources under it. */
import type { ReplyGuard } from './guard/guard.ts';
import { languageOfReply } from './guard/words.ts';
import type { Excerpt, Retrieved } from './retrieve.ts';
import { keywords } from './search.ts';
import type { SiteContent } from './site-content.ts';
import { sourceLines } from './sources.ts';

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
  const lines = sourceLines(sourcesOf(shown, retrieved), languageOfReply(shown) ?? 'en');
  if (lines) yield `\n\n${lines}`;
}

async function* afterFirst({ first, rest }: { first: string; rest: AsyncGenerator<string, void, void> }) {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return();
  }
}

/** Words that a reply and a source must share. */
const SHARED = 3;

/** Lists the texts that the reply was taken from. A reply that links the pages itself has named its sources. */
function sourcesOf(shown: string, { basics, passages }: Retrieved): Excerpt[] {
  const texts = [...passages, ...basics.filter(({ url }) => url === '/services')];
  if (texts.some(({ url }) => shown.includes(`](${url})`))) return [];
  const said = new Set(keywords(shown));
  return texts.filter(({ title, text }) => {
    const named = keywords(title);
    if (named.length > 1 && named.every((word) => said.has(word))) return true;
    return keywords(text).filter((word) => said.has(word)).length >= SHARED;
  });
}
