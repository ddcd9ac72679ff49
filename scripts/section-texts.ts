/**
 * Generates the built-in site texts for the assistant, because a Supabase project deploys its function folder alone:
 * all page sections, and the services shown while none is published.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { featureTiles } from '../app/content/pages/feature-tiles.ts';
import { sections } from '../app/content/pages/sections.ts';
import { storyChapters } from '../app/content/pages/story.ts';
import { defaultServices } from '../app/content/services/published-defaults.ts';

const FILE = join(import.meta.dirname, '../supabase/functions/ai-chat/section-defaults.json');

/** Returns the built-in sections by "page/section" and the built-in services. */
export function sectionTexts() {
  const editable = Object.entries(sections).flatMap(([page, ofPage]) =>
    Object.entries(ofPage).map(([name, { defaults }]): [string, object] => [`${page}/${name}`, defaults]),
  );
  return {
    sections: {
      ...Object.fromEntries(editable),
      'home/features': { tiles: featureTiles },
      'about/story': { heading: 'Our story', chapters: storyChapters },
    },
    services: defaultServices,
  };
}

if (import.meta.main) writeFileSync(FILE, `${JSON.stringify(sectionTexts(), null, 2)}\n`);
