import type { z } from 'zod';
import { fillSiteName } from '../../settings/site-name.ts';
import { type Footer, footerDefaults, footerSchema } from './footer.ts';
import {
  getSection,
  type PageContent,
  type PageSlug,
  type Section,
  type SectionContent,
  type SectionName,
  sections,
} from './sections.ts';

/** Messages already logged by this process, so that an invalid row does not flood the log. */
const reported = new Set<string>();

/** Reads all sections of a page from its rows in page_content. {site} is replaced with the site name. */
export function readPageContent<Page extends PageSlug>(
  page: Page,
  rows: readonly { section_name: string; content: string }[],
  siteName: string,
): PageContent<Page> {
  const saved = new Map(rows.map((row) => [row.section_name, row.content]));
  const content = Object.entries<Section>(sections[page])
    .filter(([name]) => name !== 'footer')
    .map(([name, section]) => [name, readSection(`${page}/${name}`, section, saved.get(name))] as const)
    .map(([name, values]) => [name, values['isShown'] === false ? { isShown: false } : fillSiteName(values, siteName)]);
  // The entries come from sections[page], but Object.entries loses their types.
  return { sections: Object.fromEntries(content), saved: [...saved.keys()] } as PageContent<Page>;
}

export function readFooter(saved: string | undefined, siteName: string): Footer {
  return fillSiteName(readSection('home/footer', { schema: footerSchema, defaults: footerDefaults }, saved), siteName);
}

/** Reads one section from its saved text. The {site} placeholder is kept, so that editors can see and change it. */
export function readSectionContent<Page extends PageSlug, Name extends SectionName<Page>>(
  page: Page,
  name: Name,
  saved: string | undefined,
): SectionContent<Page, Name> {
  // getSection() returns the entry of sections[page][name], but TypeScript cannot infer its type.
  return readSectionValues(page, name, saved) as SectionContent<Page, Name>;
}

/** Reads a section for a form, whose values are untyped. */
export function readSectionValues(page: PageSlug, name: string, saved: string | undefined): Record<string, unknown> {
  return readSection(`${page}/${name}`, getSection(page, name), saved);
}

/**
 * Parses the saved content of one section. Falls back to all defaults if it is not a JSON object, and to the default of
 * each missing or invalid field group. Logs each problem once.
 */
function readSection<Schema extends z.ZodObject>(
  name: string,
  { schema, defaults }: Section<Schema>,
  saved: string | undefined,
): z.infer<Schema> {
  if (!saved?.trim()) return defaults;
  const parsed = parseObject(saved);
  if (!parsed) {
    warnOnce(`The saved content of ${name} is not valid JSON. Using its defaults.`);
    return defaults;
  }
  const content: Record<string, unknown> = { ...defaults };
  for (const [group, groupSchema] of Object.entries<z.ZodType>(schema.shape)) {
    if (parsed[group] === undefined) continue;
    const result = groupSchema.safeParse(parsed[group]);
    if (result.success) content[group] = result.data;
    else warnOnce(`The saved ${group} of ${name} is not valid. Using its default.`);
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

function warnOnce(message: string): void {
  if (reported.has(message)) return;
  reported.add(message);
  console.warn(message);
}
