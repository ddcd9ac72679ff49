import type { z } from 'zod';
import { withSiteName } from '../../settings/site-name.ts';
import { type Footer, footerDefaults, footerSchema } from './footer.ts';
import {
  type PageContent,
  type PageSlug,
  type Section,
  type SectionContent,
  type SectionName,
  sectionOf,
  sections,
} from './sections.ts';

/** Faults already logged in this process, so that a busy page does not fill the log with one bad row. */
const reported = new Set<string>();

/** Reads the content of every section of a page from its rows of page_content, {site} being the site's name. */
export function readPageContent<Page extends PageSlug>(
  page: Page,
  rows: readonly { section_name: string; content: string }[],
  siteName: string,
): PageContent<Page> {
  const saved = new Map(rows.map((row) => [row.section_name, row.content]));
  const content = Object.entries<Section>(sections[page])
    .filter(([name]) => name !== 'footer')
    .map(([name, section]) => [name, readSection(`${page}/${name}`, section, saved.get(name))] as const)
    .map(([name, values]) => [name, values['isShown'] === false ? { isShown: false } : withSiteName(values, siteName)]);
  // Built from the very entries of sections[page], which TypeScript cannot follow through Object.entries.
  return { sections: Object.fromEntries(content), saved: [...saved.keys()] } as PageContent<Page>;
}

export function readFooter(saved: string | undefined, siteName: string): Footer {
  return withSiteName(readSection('home/footer', { schema: footerSchema, defaults: footerDefaults }, saved), siteName);
}

/** Reads the content of any one section from its saved text as editors write it, with {site}. */
export function readSectionContent<Page extends PageSlug, Name extends SectionName<Page>>(
  page: Page,
  name: Name,
  saved: string | undefined,
): SectionContent<Page, Name> {
  // sectionOf() finds the very entry of sections[page][name], whose type TypeScript cannot follow.
  return readSectionValues(page, name, saved) as SectionContent<Page, Name>;
}

/** Reads the content of a section for a form, which takes any values. */
export function readSectionValues(page: PageSlug, name: string, saved: string | undefined): Record<string, unknown> {
  return readSection(`${page}/${name}`, sectionOf(page, name), saved);
}

/**
 * Reads the saved content of one section. Text that is not a JSON object gives the defaults; a field group that is
 * missing or does not fit gives its own default and leaves the others as they were saved. Faults are logged once.
 */
function readSection<Schema extends z.ZodObject>(
  name: string,
  { schema, defaults }: Section<Schema>,
  saved: string | undefined,
): z.infer<Schema> {
  if (!saved?.trim()) return defaults;
  const parsed = parseObject(saved);
  if (!parsed) {
    reportOnce(`The saved content of ${name} is not valid JSON; its defaults are shown.`);
    return defaults;
  }
  const content: Record<string, unknown> = { ...defaults };
  for (const [group, groupSchema] of Object.entries<z.ZodType>(schema.shape)) {
    if (parsed[group] === undefined) continue;
    const result = groupSchema.safeParse(parsed[group]);
    if (result.success) content[group] = result.data;
    else reportOnce(`The saved ${group} of ${name} does not fit; its default is shown.`);
  }
  return content as z.infer<Schema>;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null;
  } catch {
    return null;
  }
}

function reportOnce(fault: string): void {
  if (reported.has(fault)) return;
  reported.add(fault);
  console.warn(fault);
}
