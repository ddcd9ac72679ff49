import { expect, test } from 'vitest';
import { en } from '../../supabase/functions/ai-chat/built-in/phrases/en.ts';
import { nb } from '../../supabase/functions/ai-chat/built-in/phrases/nb.ts';
import { sourceLines } from '../../supabase/functions/ai-chat/sources.ts';
import { splitReply } from './split-reply.ts';

const SERVICES = { title: 'Our [two] services', url: '/services' };

test.each([
  ['en', 'Sources', en],
  ['nb', 'Kilder', nb],
] as const)('Shows the page of a quote once, as a source (%s)', (language, heading, phrases) => {
  const introduction = phrases.quote.replace('{page}', '[Our \\[two\\] services](/services)');
  const text = `Gladly.\n\n${introduction}\n\n> We build it.`;
  const reply = `${text}\n\n${sourceLines([SERVICES], language)}`;
  expect(splitReply(reply)).toEqual({ body: 'Gladly.\n\n> We build it.', heading, sources: [SERVICES] });
  // A stopped reply that has no sources yet keeps its only link.
  expect(splitReply(text)).toMatchObject({ body: text, sources: [] });
  const opening = reply.slice('Gladly.\n\n'.length);
  for (let length = introduction.indexOf(' ['); length <= opening.length; length++)
    expect(opening.slice(0, length)).not.toBe(splitReply(opening.slice(0, length), true).body);
});

test('Omits sources that the text already links to, and keeps lists with external links unchanged', () => {
  const linked = 'See [News](/news).';
  const news = sourceLines([{ title: 'News', url: '/news' }]);
  expect(splitReply(`${linked}\n\n${news}`)).toMatchObject({ body: linked, sources: [] });
  for (const url of ['https://other.example', '//other.example', '/\\other.example', 'javascript:alert(1)']) {
    const text = `Look.\n\nSources:\n\n- [News](/news)\n- [Other](${url})`;
    expect(splitReply(text)).toMatchObject({ body: text, sources: [] });
  }
});
