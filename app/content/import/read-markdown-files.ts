/** Reads Markdown files with YAML front matter, as used by Hugo, Jekyll and other generators. */
import { LineCounter, parseDocument } from 'yaml';
import { normalizeAlias } from './alias.ts';
import { type ImportFile, readText } from './import-files.ts';
import { fileError, type ImportNote, isoTime, type Source, type SourcePost, toSlug } from './source.ts';

/** Templates and themes of generators. */
const IGNORED_PATHS = /(^|\/)(archetypes|themes|layouts|_layouts|_includes)\//;

/** @throws UserError with the line if the front matter of a file is malformed */
export async function readMarkdownFiles(files: readonly ImportFile[]): Promise<Source> {
  const posts: SourcePost[] = [];
  const notes: ImportNote[] = [];
  for (const file of files) {
    if (!/\.(md|markdown)$/i.test(file.path) || IGNORED_PATHS.test(file.path)) continue;
    const text = (await readText(file)).replaceAll('\r\n', '\n');
    const [all, yaml] = /^---[ \t]*\n([\s\S]*?\n)?---[ \t]*(?:\n|$)/.exec(text) ?? [];
    const note = (reason: string) => notes.push({ title: file.path, text: reason });
    if (all === undefined) note(missingFrontMatterReason(text));
    else {
      const fields = readFields(yaml ?? '', file.path);
      if (fields.text('layout') === 'page' || fields.text('type') === 'page')
        note('Not imported, because it is a page.');
      else if (/(^|\/)_index\.(md|markdown)$/i.test(file.path))
        note('Not imported, because it is a list of other pages.');
      else posts.push(readPost(file.path, fields, text.slice(all.length), note));
    }
  }
  return { system: 'Markdown', posts, notes, hosts: [], alts: new Map() };
}

function missingFrontMatterReason(text: string): string {
  return text.startsWith('+++')
    ? 'Not imported, because its front matter is TOML. Convert it to YAML first, with "hugo convert toYAML".'
    : 'Not imported, because it has no front matter.';
}

interface Fields {
  /** Returns the value of the first field that is set, as text. */
  text: (...names: string[]) => string;
  list: (...names: string[]) => string[];
}

function readFields(yaml: string, path: string): Fields {
  const lineCounter = new LineCounter();
  const document = parseDocument(yaml, { lineCounter, logLevel: 'silent' });
  const [error] = document.errors;
  // The front matter begins in line 2.
  if (error) {
    const reason = error.message.split(/ at line|\n/)[0];
    throw fileError(
      path,
      lineCounter.linePos(error.pos[0]).line + 1,
      `the front matter is not valid YAML (${reason}).`,
      error,
    );
  }
  let values: unknown;
  try {
    // Nested aliases could expand to an unlimited size.
    values = document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw fileError(path, 2, 'the front matter contains too many aliases.', cause);
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw fileError(path, 2, 'the front matter has no fields.');
  const fields = new Map<string, unknown>(Object.entries(values));
  const find = (names: string[]) =>
    names.map((name) => fields.get(name)).find((value) => value !== undefined && value !== null && value !== '');
  const list = (...names: string[]) => {
    const value = find(names);
    return (Array.isArray(value) ? value : [value]).map(toText).filter(Boolean);
  };
  return { list, text: (...names) => list(...names)[0] ?? '' };
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  // Some Hugo themes store the URL as cover.image.
  return typeof value === 'object' && value !== null && 'image' in value ? toText(value.image) : '';
}

function readPost(path: string, fields: Fields, markdown: string, note: (text: string) => void): SourcePost {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  const name = (path.split('/').at(-1) ?? '').replace(/\.\w+$/, '');
  // A Hugo bundle is named after its folder.
  const base = name === 'index' ? (folder.split('/').at(-1) ?? name) : name;
  const [, day = '', slugPart = base] = /^(\d{4}-\d\d-\d\d)-(.+)$/.exec(base) ?? [];
  const title = fields.text('title') || slugPart;
  const slug = toSlug(fields.text('slug') || slugPart, title);
  const categories = fields.list('categories', 'category');
  const tags = fields.list('tags');
  if (categories.length > 1) note(`Categories not imported: ${categories.slice(1).join(', ')}.`);
  if (tags.length > 0) note(`Tags not imported: ${tags.join(', ')}.`);
  const isDraft =
    fields.text('draft') === 'true' ||
    fields.text('published') === 'false' ||
    fields.text('status') === 'draft' ||
    /(^|\/)_drafts\//.test(path);
  return {
    title,
    slug,
    date: isoTime(fields.text('date', 'publishDate')) || isoTime(day),
    isPublished: !isDraft,
    category: categories[0] ?? '',
    excerpt: fields.text('excerpt', 'description', 'summary'),
    text: { markdown: markdown.trim() },
    cover: fields.text('featured_image', 'featureImage', 'cover', 'image', 'thumbnail'),
    aliases: [
      ...fields.list('aliases'),
      ...fields.list('redirect_from'),
      ...defaultUrls(path, fields, day, slugPart),
    ].map(normalizeAlias),
    folder,
  };
}

/** Returns the URLs at which a generator publishes a file by default. */
function defaultUrls(path: string, fields: Fields, day: string, name: string): string[] {
  const permalink = fields.text('permalink', 'url');
  // Only the generator can fill in placeholders such as /:year/:title/.
  if (permalink) return permalink.includes(':') && !/^https?:/.test(permalink) ? [] : [permalink];
  if (day && /(^|\/)_posts\//.test(path)) {
    return [
      [
        ...fields.list('categories', 'category').map((category) => category.toLowerCase()),
        ...day.split('-'),
        `${name}.html`,
      ].join('/'),
    ];
  }
  const [, inContent] = /(?:^|\/)content\/(.+?)(?:\/index)?\.\w+$/.exec(path) ?? [];
  if (!inContent) return [];
  const slug = fields.text('slug');
  return [slug ? inContent.replace(/[^/]+$/, slug) : inContent];
}
