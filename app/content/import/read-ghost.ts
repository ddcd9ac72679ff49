/** Reads Ghost exports (JSON). */
import { z } from 'zod';
import { jsonErrorLine } from './json-error-line.ts';
import { fileError, type ImportNote, isoTime, type Source, type SourcePost, toSlug } from './source.ts';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const id = z.union([z.string(), z.number()]).transform(String);

const ghostPost = z.object({
  id,
  title: text,
  slug: text,
  html: text,
  lexical: text,
  mobiledoc: text,
  feature_image: text,
  codeinjection_head: text,
  codeinjection_foot: text,
  status: text,
  visibility: text,
  published_at: z
    .union([z.string(), z.number()])
    .nullish()
    .transform((value) => (typeof value === 'number' ? new Date(value).toISOString() : (value ?? ''))),
  custom_excerpt: text,
  type: text,
  page: z.union([z.boolean(), z.number()]).nullish(),
});

const tables = z.object({
  posts: z.array(ghostPost),
  tags: z.array(z.object({ id, name: text })).default([]),
  posts_tags: z.array(z.object({ post_id: id, tag_id: id, sort_order: z.number().nullish() })).default([]),
  posts_meta: z.array(z.object({ post_id: id, feature_image_alt: text })).default([]),
});

const ghostExport = z.union([
  z.object({ db: z.tuple([z.object({ data: tables })]) }).transform(({ db: [{ data }] }) => data),
  z.object({ data: tables }).transform(({ data }) => data),
]);

/** @throws UserError with the line if the file is malformed */
export function readGhost(json: string, path: string): Source {
  const result = ghostExport.safeParse(parseJson(json, path));
  if (!result.success)
    throw fileError(
      path,
      undefined,
      'this is not a Ghost export. In Ghost, choose Settings > Import/Export > Export.',
      result.error,
    );
  const { posts, tags, posts_tags, posts_meta } = result.data;
  const tagNames = new Map(tags.map((tag) => [tag.id, tag.name]));
  const tagsByPost = Map.groupBy(
    posts_tags.toSorted((first, second) => (first.sort_order ?? 0) - (second.sort_order ?? 0)),
    ({ post_id }) => post_id,
  );
  const notes: ImportNote[] = [];
  const sourcePosts = posts.flatMap((post) => {
    const note = (reason: string) => notes.push({ title: post.title, text: reason });
    if (post.type === 'page' || post.page) {
      note('Not imported, because it is a page.');
      return [];
    }
    if (post.status === 'sent') {
      note('Not imported, because it was only sent by email.');
      return [];
    }
    // Tags that begin with # are internal.
    const names = (tagsByPost.get(post.id) ?? [])
      .map(({ tag_id }) => tagNames.get(tag_id) ?? '')
      .filter((name) => name && !name.startsWith('#'));
    if (names.length > 1) note(`Tags not imported: ${names.slice(1).join(', ')}.`);
    return [readPost(post, names[0] ?? '', note)];
  });
  const pictures = new Map(posts.map((post) => [post.id, post.feature_image]));
  const alts = new Map(posts_meta.map((meta) => [pictures.get(meta.post_id) ?? '', meta.feature_image_alt]));
  return { system: 'Ghost', posts: sourcePosts, notes, hosts: [], alts };
}

function readPost(post: z.output<typeof ghostPost>, category: string, note: (text: string) => void): SourcePost {
  const isRestricted = post.visibility !== '' && post.visibility !== 'public';
  if (isRestricted) note('Imported as a draft, because only members could read it.');
  if (post.codeinjection_head || post.codeinjection_foot) note('Removed: code injection.');
  const slug = toSlug(post.slug, post.title);
  return {
    title: post.title || 'Untitled',
    slug,
    date: isoTime(post.published_at),
    isPublished: !isRestricted && (post.status === 'published' || post.status === 'scheduled'),
    category,
    excerpt: post.custom_excerpt,
    text: selectText(post),
    cover: post.feature_image,
    aliases: [slug],
    folder: '',
  };
}

/** Ghost renders HTML when a post is saved. Exports of migration tools may only contain Lexical or mobiledoc. */
function selectText({ html, lexical, mobiledoc }: z.output<typeof ghostPost>): SourcePost['text'] {
  if (html || !(lexical || mobiledoc)) return { html };
  return lexical ? { lexical } : { mobiledoc };
}

function parseJson(json: string, path: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw fileError(path, jsonErrorLine(json), 'the file is not valid JSON. Export it again.', error);
  }
}
