/**
 * Generates the built-in texts of the site for the assistant: all page sections, and the services that are shown while
 * no service is published. A generated file is needed because a Supabase project deploys only the folder of the function.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sections } from '../app/content/pages/sections.ts';
import { defaultServices } from '../app/content/services/published-defaults.ts';

const FILE = join(import.meta.dirname, '../supabase/functions/ai-chat/section-defaults.json');

/** Sections without a fact that the assistant could repeat. */
const WITHOUT_FACTS = new Set(['home/headings', 'home/order', 'services/domain-check', 'contact/questions']);

/** Returns the built-in sections by "page/section" and the built-in services. */
export function sectionTexts() {
  const editable = Object.entries(sections).flatMap(([page, pageSections]) =>
    Object.entries(pageSections).map(([name, { defaults }]): [string, object] => [`${page}/${name}`, defaults]),
  );
  return {
    sections: Object.fromEntries(editable.filter(([key]) => !WITHOUT_FACTS.has(key))),
    services: defaultServices,
  };
}

if (import.meta.main) writeFileSync(FILE, `${JSON.stringify(sectionTexts(), null, 2)}\n`);
