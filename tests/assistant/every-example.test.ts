/** Each example sentence gets a complete answer, with and without content on the site. */
import { expect, test } from 'vitest';
import { EXAMPLES } from '../../supabase/functions/ai-chat/built-in/intents.ts';
import { answerFromContent } from '../../supabase/functions/ai-chat/built-in-assistant.ts';
import { LANGUAGES, type Language } from '../../supabase/functions/ai-chat/languages.ts';
import { createSearchIndex } from '../../supabase/functions/ai-chat/search.ts';
import { groupPublished, type PublishedRow, type SiteContent } from '../../supabase/functions/ai-chat/site-content.ts';

function row(kind: string, public_path: string, text_columns: string[], item: Record<string, unknown>): PublishedRow {
  return { kind, public_path, text_columns, item, title: String(item['title'] ?? item['name'] ?? item['question']) };
}

const ROWS = [
  row('services', '/services', ['short_description'], {
    title: 'AI Chatbots',
    slug: 'chatbots',
    short_description: 'An assistant for {site} & $1 of yours.',
    long_description: '',
    timeline: '',
    pricing: '',
    deliverables: [],
  }),
  row('projects', '/projects?case={slug}', ['full_content'], {
    title: 'An empty project',
    slug: 'nothing',
    company: 'Fjordline',
    metric: '',
    description: '',
    full_content: '',
  }),
  row('posts', '/news/{slug}', ['content'], { title: 'A post', slug: 'post', excerpt: '', content: '', category: '' }),
  row('team_members', '/about', ['bio'], { name: 'Kari {book}', position: '', bio: '' }),
];

function createContent(rows: PublishedRow[]): SiteContent {
  return {
    ...groupPublished(rows),
    sections: new Map(),
    settings: new Map(),
    languages: LANGUAGES,
    takesLeads: false,
    instructions: '',
    allowedOrigins: 'any',
    isSwitchedOff: false,
  };
}

test.each([
  ['without content', [], ['en' as const]],
  ['with little content', ROWS, LANGUAGES],
])(
  'On a site %s, each example is answered in complete sentences',
  (_title, rows: PublishedRow[], languages: readonly Language[]) => {
    const site = createContent(rows);
    const index = createSearchIndex(site);
    for (const language of languages) {
      const content = { ...site, languages: [language] };
      for (const example of EXAMPLES.flatMap(({ sentences }) => sentences)) {
        const message = example
          .replace('{service}', 'chatbot')
          .replace('{person}', 'Kari')
          .replace('{case}', 'Fjordline')
          .replace(/\{\w+\}/g, 'Sweden');
        const answer = answerFromContent(content, index, [{ role: 'user', content: message }]);
        const plainAnswer = answer
          .replace(/\]\([^)]*\)/g, ']')
          .replaceAll('{book}', '')
          .replaceAll('{site}', '');
        expect(plainAnswer.trim().length, message).toBeGreaterThan(20);
        expect(plainAnswer, message).not.toMatch(/[{}]|undefined|null|\*\*\*\*|\(\)|: *$|\n\n\n/);
        expect((plainAnswer.match(/\?/g) ?? []).length, `${message}: ${plainAnswer}`).toBeLessThanOrEqual(1);
      }
    }
  },
);
