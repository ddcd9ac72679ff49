/**
 * Writes the built-in texts of page sections where the assistant reads them, because a Supabase project takes its folder
 * alone. Left out are sections that are off, the foot of the pages, what the content itself has, and invented samples.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sections } from '../app/data/pages/sections.ts';

const FILE = join(import.meta.dirname, '../supabase/functions/ai-chat/section-defaults.json');

const LEFT_OUT = /footer|usps|testimonials|logo-banner|team|booking/;

/** Returns the built-in sections by "page/section", as the file has them. */
export function sectionTexts(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(sections).flatMap(([page, ofPage]) =>
      Object.entries(ofPage).flatMap(([name, { defaults }]) =>
        LEFT_OUT.test(name) || ('isShown' in defaults && !defaults.isShown) ? [] : [[`${page}/${name}`, defaults]],
      ),
    ),
  );
}

if (import.meta.main) writeFileSync(FILE, `${JSON.stringify(sectionTexts(), null, 2)}\n`);
