/** Reads WordPress exports (WXR). */
import { SaxesParser } from 'saxes';
import { UserError } from '../../ui/lib/user-error.ts';
import { normalizeAlias } from './alias.ts';
import { plainText } from './html-to-markdown.ts';
import { fileError, type ImportNote, isoTime, type Source, type SourcePost, toSlug } from './source.ts';
import { wordpressHtml } from './wordpress-text.ts';

interface Item {
  fields: Map<string, string>;
  meta: [key: string, value: string][];
  categories: { domain: string; name: string }[];
  comments: number;
}

/** Post types that WordPress uses internally. */
const INTERNAL = /^(revision|nav_menu_item|custom_css|customize_changeset|oembed_cache|user_request|wp_\w+)$/;

/** @throws UserError with the line if the file is malformed */
export function readWordpress(xml: string, path: string): Source {
  const items = parseItems(xml, path);
  const attachments = new Map(
    items
      .filter((item) => readField(item, 'wp:post_type') === 'attachment')
      .map((item) => [readField(item, 'wp:post_id'), item]),
  );
  const notes: ImportNote[] = [];
  const posts: SourcePost[] = [];
  for (const item of items) {
    const type = readField(item, 'wp:post_type');
    const title = plainText(readField(item, 'title')) || 'Untitled';
    const status = readField(item, 'wp:status');
    if (type === 'post' && status !== 'trash' && status !== 'auto-draft')
      posts.push(readPost(item, title, attachments, notes));
    else if (type === 'post') notes.push({ title, text: 'Not imported, because it was in the trash.' });
    else if (type === 'page') notes.push({ title, text: 'Not imported, because it is a page.' });
    else if (type !== 'attachment' && !INTERNAL.test(type))
      notes.push({ title, text: `Not imported: content of the type "${type}".` });
  }
  const alts = [...attachments.values()].map(
    (item) => [readField(item, 'wp:attachment_url'), readMeta(item, '_wp_attachment_image_alt')[0] ?? ''] as const,
  );
  const hosts = items.map((item) => URL.parse(readField(item, 'link'))?.host ?? '');
  return { system: 'WordPress', posts, notes, hosts, alts: new Map(alts) };
}

function readPost(item: Item, title: string, attachments: ReadonlyMap<string, Item>, notes: ImportNote[]): SourcePost {
  const status = readField(item, 'wp:status');
  const slug = toSlug(readField(item, 'wp:post_name'), title);
  const findPictureUrl = (id: string) => readField(attachments.get(id), 'wp:attachment_url');
  const note = (text: string) => notes.push({ title, text });
  const categories = item.categories.filter(({ domain, name }) => domain === 'category' && name !== 'Uncategorized');
  const tags = item.categories.filter(({ domain }) => domain === 'post_tag');
  const isHidden = status === 'private' || readField(item, 'wp:post_password') !== '';
  if (isHidden) note('Imported as a draft, because it was private or password-protected.');
  if (categories.length > 1) note(`Categories not imported: ${list(categories.slice(1))}.`);
  if (tags.length > 0) note(`Tags not imported: ${list(tags)}.`);
  if (item.comments > 0) note(`Comments not imported: ${item.comments}.`);
  const link = readField(item, 'link');
  const content = readField(item, 'content:encoded');
  return {
    title,
    slug,
    date: isoTime(readField(item, 'wp:post_date_gmt')) || isoTime(readField(item, 'wp:post_date')),
    isPublished: !isHidden && (status === 'publish' || status === 'future'),
    category: categories[0]?.name ?? '',
    excerpt: plainText(readField(item, 'excerpt:encoded')),
    text: { html: wordpressHtml(content, { findPictureUrl, note }) },
    cover: findPictureUrl(readMeta(item, '_thumbnail_id')[0] ?? ''),
    aliases: [normalizeAlias(link), ...readMeta(item, '_wp_old_slug')],
    folder: '',
  };
}

function list(categories: Item['categories']): string {
  return categories.map(({ name }) => name).join(', ');
}

function readField(item: Item | undefined, field: string): string {
  return item?.fields.get(field)?.trim() ?? '';
}

function readMeta(item: Item, name: string): string[] {
  return item.meta.flatMap(([key, value]) => (key === name ? [value] : []));
}

function parseItems(xml: string, path: string): Item[] {
  const parser = new SaxesParser();
  const items: Item[] = [];
  const names: string[] = [];
  let text = '';
  let version = '';
  let domain = '';
  let metaKey = '';
  const fail = (reason: string) => fileError(path, parser.line, reason);
  parser.on('error', ({ message }) => {
    throw fail(`the file is not valid XML (${message.replace(/^\d+:\d+: |\.$/g, '')}). Export it again.`);
  });
  // Entities declared in a DOCTYPE could expand to an unlimited size. WordPress declares none.
  parser.on('doctype', () => {
    throw fail('the file contains a DOCTYPE. WordPress exports do not, so the file was rejected.');
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'item') items.push({ fields: new Map(), meta: [], categories: [], comments: 0 });
    names.push(name);
    text = '';
    domain = attributes['domain'] ?? '';
  });
  const append = (part: string) => {
    text += part;
  };
  parser.on('text', append);
  parser.on('cdata', append);
  parser.on('closetag', ({ name }) => {
    names.pop();
    const parent = names.at(-1);
    const item = names.includes('item') ? items.at(-1) : undefined;
    if (name === 'wp:wxr_version') version = text;
    else if (name === 'wp:comment' && item) item.comments += 1;
    else if (name === 'wp:meta_key' && parent === 'wp:postmeta') metaKey = text;
    else if (name === 'wp:meta_value' && parent === 'wp:postmeta') item?.meta.push([metaKey, text]);
    else if (name === 'category' && parent === 'item') item?.categories.push({ domain, name: plainText(text) });
    else if (parent === 'item') item?.fields.set(name, text);
    text = '';
  });
  // Some plugins add control characters, which XML does not allow, to texts.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters
  parser.write(xml.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')).close();
  if (!version) throw new UserError(`${path} is not a WordPress export. In WordPress, choose Tools > Export > Posts.`);
  return items;
}
