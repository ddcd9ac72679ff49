/** Reads the files of an import and converts its posts. Writes nothing to the database. */
import type { z } from 'zod';
import { randomName } from '../../media/media-file.ts';
import { UserError } from '../../ui/lib/user-error.ts';
import { postSchema } from '../posts/schema.ts';
import { emptyValues } from '../schema-fields.ts';
import { MAX_ALIAS_LENGTH, normalizeAlias } from './alias.ts';
import { createFileFinder } from './find-file.ts';
import { lexicalToHtml, mobiledocToHtml } from './ghost-text.ts';
import { type ConvertContext, htmlToMarkdown } from './html-to-markdown.ts';
import { type ImportFile, MAX_TEXT_BYTES, readText, unpackArchives } from './import-files.ts';
import { convertMarkdown } from './markdown-text.ts';
import { readGhost } from './read-ghost.ts';
import { readMarkdownFiles } from './read-markdown-files.ts';
import { readWordpress } from './read-wordpress.ts';
import type { ImportNote, Source, SourcePost } from './source.ts';

export interface PlannedPost extends z.output<typeof postSchema> {
  /** UUID without hyphens. */
  id: string;
  aliases: string[];
  /** Indexes of the files that the post uses. Its text refers to the file with index n as /import-file/n. */
  files: number[];
}

export interface PlannedFile {
  file: ImportFile;
  alt: string;
}

export interface ImportPlan {
  system: Source['system'];
  posts: PlannedPost[];
  /** Pictures, documents and other files for the media library. */
  files: PlannedFile[];
  /** Notes about content that is left out or changed. */
  notes: ImportNote[];
}

/**
 * @param chosen files and ZIP archives. Paths of files in a folder begin with the folder name
 * @throws UserError if a file is malformed or there are no posts
 */
export async function planImport(chosen: readonly ImportFile[]): Promise<ImportPlan> {
  const files = await unpackArchives(chosen);
  const source = await readSource(chosen, files);
  if (source.posts.length === 0 && source.notes.length === 0) throw new UserError('This export contains no posts.');
  const plan: ImportPlan = { system: source.system, posts: [], files: [], notes: [...source.notes] };
  const convert = createConverter(source, files, plan);
  for (const [index, post] of makeSlugsUnique(source.posts).entries()) {
    convert(post);
    // Keeps the page responsive.
    if (index % 20 === 19) await new Promise((resolve) => setTimeout(resolve));
  }
  return plan;
}

async function readSource(chosen: readonly ImportFile[], files: readonly ImportFile[]): Promise<Source> {
  const isData = ({ path }: ImportFile) => /\.(xml|json)$/i.test(path);
  // Folders and archives can contain other data, such as a package.json.
  let exports = chosen.filter((file) => isData(file) && !file.path.includes('/'));
  if (exports.length === 0) {
    exports = [];
    for (const file of files.filter(isData)) if (await isExport(file)) exports.push(file);
  }
  const sources: Source[] = [];
  for (const file of exports) {
    const text = await readText(file);
    sources.push(/\.xml$/i.test(file.path) ? readWordpress(text, file.path) : readGhost(text, file.path));
  }
  const [firstSource] = sources;
  if (!firstSource) {
    if (files.some(({ path }) => /\.(md|markdown)$/i.test(path))) return readMarkdownFiles(files);
    throw new UserError(
      'No posts found. Choose a WordPress export (.xml), a Ghost export (.json) or Markdown files (.md), alone or in a ZIP archive.',
    );
  }
  return {
    system: firstSource.system,
    posts: sources.flatMap(({ posts }) => posts),
    notes: sources.flatMap(({ notes }) => notes),
    hosts: sources.flatMap(({ hosts }) => hosts),
    alts: new Map(sources.flatMap(({ alts }) => [...alts])),
  };
}

/** True for exports. Also true for files that are too large to inspect, so that their size is reported as an error. */
async function isExport({ size, read }: ImportFile): Promise<boolean> {
  if (size > MAX_TEXT_BYTES) return true;
  const head = await (await read()).slice(0, 5000).text();
  return /wordpress\.org\/export|^\s*\{\s*"(db|meta|data)"/.test(head);
}

function makeSlugsUnique(posts: readonly SourcePost[]): SourcePost[] {
  const used = new Set<string>();
  return posts.map((post) => {
    let slug = post.slug;
    for (let number = 2; used.has(slug); number += 1) slug = `${post.slug}-${number}`;
    used.add(slug);
    return { ...post, slug };
  });
}

/** Returns a function that converts a post and adds it to the plan. */
function createConverter(source: Source, files: readonly ImportFile[], plan: ImportPlan) {
  const findFile = createFileFinder(files);
  const indexes = new Map<ImportFile, number>();
  const alts = new Map([...source.alts].map(([url, alt]) => [findFile(url, ''), alt]));
  const newUrl = createLinkMap(source);

  return (post: SourcePost) => {
    const postParts = { files: new Set<number>(), notes: new Set<string>() };
    const context: ConvertContext = {
      file: (url, alt = '') => {
        const file = url && findFile(url, post.folder);
        if (!file) return undefined;
        const index = indexes.get(file) ?? plan.files.push({ file, alt: '' }) - 1;
        indexes.set(file, index);
        const planned = plan.files[index];
        if (planned) planned.alt ||= alt || alts.get(file) || '';
        postParts.files.add(index);
        return `/import-file/${index}`;
      },
      link: newUrl,
      note: (text) => postParts.notes.add(text),
    };
    const row = convertPost(post, context);
    const result = postSchema.safeParse(row);
    if (!result.success)
      postParts.notes.add(`Not imported. ${result.error.issues.map(({ message }) => message).join('. ')}.`);
    else {
      const aliases = [...new Set(post.aliases)].filter(
        (alias) => alias && alias !== `news/${post.slug}` && alias.length <= MAX_ALIAS_LENGTH,
      );
      plan.posts.push({ ...result.data, id: randomName(''), aliases, files: [...postParts.files] });
    }
    for (const text of postParts.notes) plan.notes.push({ title: post.title, text });
  };
}

function convertPost(post: SourcePost, context: ConvertContext): z.input<typeof postSchema> {
  const cover = post.cover && context.file(post.cover);
  if (post.cover && !cover) context.note(`Cover not found: ${post.cover}.`);
  return {
    ...emptyValues(postSchema),
    title: clean(post.title).slice(0, 300),
    slug: post.slug,
    excerpt: clean(post.excerpt).slice(0, 2000),
    content: clean(convertContent(post, context)),
    category: clean(post.category).slice(0, 100),
    status: post.isPublished ? 'published' : 'draft',
    featured_image: cover ?? '',
    published_date: post.date,
  };
}

function convertContent({ title, text }: SourcePost, context: ConvertContext): string {
  try {
    if ('markdown' in text) return convertMarkdown(text.markdown, context);
    if ('html' in text) return htmlToMarkdown(text.html, context);
    const html =
      'lexical' in text ? lexicalToHtml(text.lexical, context.note) : mobiledocToHtml(text.mobiledoc, context.note);
    return htmlToMarkdown(html, context);
  } catch (error) {
    if (error instanceof RangeError)
      throw new UserError(`"${title}" is nested too deeply to be converted.`, { cause: error });
    throw error;
  }
}

/** Removes NUL characters, which Postgres cannot store. */
function clean(text: string): string {
  return text.replaceAll('\0', '');
}

/** Returns a function that maps links between posts to their new URLs. */
function createLinkMap({ posts, hosts }: Source): (href: string) => string {
  const slugs = new Map(posts.flatMap(({ aliases, slug }) => aliases.map((alias) => [alias, slug])));
  const oldHosts = new Set([...hosts, 'old.invalid']);
  return (href) => {
    const target = href.replace(/^__GHOST_URL__(?=\/|$)/, '') || '/';
    const url = URL.parse(target, 'https://old.invalid');
    const slug = url && oldHosts.has(url.host) ? slugs.get(normalizeAlias(url.pathname)) : undefined;
    return slug ? `/news/${encodeURIComponent(slug)}${url?.hash ?? ''}` : target;
  };
}
