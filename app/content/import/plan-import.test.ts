import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js';
import { describe, expect, test } from 'vitest';
import { UserError } from '../../ui/lib/user-error.ts';
import ghostExport from './fixtures/ghost/site.ghost.2026-11-02.json?raw';
import wordpressExport from './fixtures/wordpress/export.xml?raw';
import type { ImportFile } from './import-files.ts';
import { type ImportPlan, planImport } from './plan-import.ts';

const BLOG = import.meta.glob<string>('./fixtures/blog/**/*.*', { query: '?raw', import: 'default', eager: true });

const toFile = (path: string, content: string | Blob): ImportFile => {
  const blob = new Blob([content]);
  return { path, size: blob.size, read: async () => blob };
};
const pictures = (...paths: string[]) => paths.map((path) => toFile(path, 'bytes'));

const blogFolder = () => Object.entries(BLOG).map(([path, text]) => toFile(path.replace('./fixtures/', ''), text));

async function zip(entries: Record<string, string>, name = 'archive.zip'): Promise<ImportFile> {
  const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
  for (const [path, text] of Object.entries(entries)) await writer.add(path, new TextReader(text));
  return toFile(name, await writer.close());
}

const postIn = ({ posts }: ImportPlan, slug: string) => posts.find((post) => post.slug === slug);
const notesOn = ({ notes }: ImportPlan, title: string) =>
  notes.filter((note) => note.title === title).map(({ text }) => text);
const readRejection = (files: ImportFile[]) =>
  planImport(files).then(
    () => 'not rejected',
    (error: unknown) => (error instanceof UserError ? error.message : error),
  );

describe('A WordPress export', () => {
  const plan = async () =>
    planImport([
      toFile('export.xml', wordpressExport),
      ...pictures('uploads/2024/03/ferry-deck.png', 'uploads/2022/02/lost.jpg'),
    ]);

  test('keeps the text fields, date, status, cover and old URLs of a block post', async () => {
    const post = postIn(await plan(), 'subject-lines');
    expect(post).toMatchObject({
      title: 'Subject lines & silence',
      published_date: '2024-03-11T07:30:00.000Z',
      status: 'published',
      category: 'Cold email',
      excerpt: 'Why the quiet ones get replies.',
      featured_image: '/import-file/0',
      aliases: ['2024/03/subject-lines', 'quiet-subject-lines'],
    });
  });

  test('is converted to Markdown without scripts, forms, unsafe links or pictures on other hosts', async () => {
    expect(postIn(await plan(), 'subject-lines')?.content).toBe(
      `A **short** subject line wins. See [our follow-ups](/news/follow-ups) and [this study](https://other.example/study).

## What we measured

- Opens
- Replies

![Deck of a ferry at dawn](/import-file/0)

*The first boat*

[A lost picture](https://www.old-blog.example/wp-content/uploads/2022/01/lost.jpg)

https://www.youtube.com/watch?v=dQw4w9WgXcQ

Click`,
    );
  });

  test('keeps the paragraphs and captions of the classic editor', async () => {
    expect(postIn(await plan(), 'follow-ups')?.content).toBe(`Written in the **classic** editor \\[sic].\\
On two lines.

Second paragraph.

![](/import-file/0)

*On deck*

\`\`\`
if (replied) {

  stop();
}
\`\`\`

![](/import-file/0)`);
  });

  test('imports a draft as a draft, and adds a note for everything that is left out', async () => {
    const imported = await plan();
    expect(postIn(imported, 'half-an-idea')).toMatchObject({
      status: 'draft',
      aliases: [],
      published_date: '2026-10-30T10:00:00.000Z',
    });
    expect(imported.posts).toHaveLength(3);
    expect(notesOn(imported, 'About')).toEqual(['Not imported, because it is a page.']);
    expect(notesOn(imported, 'Audit package')).toEqual(['Not imported: content of the type "product".']);
    expect(notesOn(imported, 'Main menu')).toEqual([]);
    expect(notesOn(imported, 'Subject lines & silence')).toEqual([
      'Categories not imported: Research.',
      'Tags not imported: subject.',
      'Comments not imported: 1.',
      'Shortcode removed: [contact-form-7].',
      'Picture not found: https://www.old-blog.example/wp-content/uploads/2022/01/lost.jpg.',
      'Contained embedded HTML. Check the result.',
      'Removed: <form>.',
      'Removed: <script>.',
      'Link removed: javascript:alert(1).',
    ]);
  });

  test('uses the alt text of an attachment for its picture', async () => {
    const { files } = await plan();
    expect(files).toMatchObject([{ file: { path: 'uploads/2024/03/ferry-deck.png' }, alt: 'Deck of a ferry at dawn' }]);
  });
});

describe('A Ghost export', () => {
  const plan = async () =>
    planImport([
      toFile('site.ghost.json', ghostExport),
      ...pictures(
        'content/images/2025/01/chart.png',
        'content/images/2025/01/cover.png',
        'content/files/2025/02/plan.pdf',
        'content/media/2025/02/call.mp3',
        'content/media/2025/02/demo.mp4',
      ),
    ]);

  test('converts rendered HTML with its cards', async () => {
    const imported = await plan();
    expect(postIn(imported, 'reply-rates')).toMatchObject({
      category: 'Outreach',
      excerpt: 'How we tripled them.',
      published_date: '2025-01-08T09:30:00.000Z',
      aliases: ['reply-rates'],
      content: `Replies went from **2%** to 9%.

![Chart of replies](/import-file/1)

*Weekly*

https://www.youtube.com/watch?v=dQw4w9WgXcQ

[The guide](https://other.example/guide)

https://widgets.example/poll

\`\`\`sql
select 1;
\`\`\``,
    });
    expect(imported.files.slice(0, 2).map(({ file, alt }) => [file.path.split('/').at(-1), alt])).toEqual([
      ['cover.png', 'A lighthouse'],
      ['chart.png', 'Chart of replies'],
    ]);
    expect(notesOn(imported, 'Reply rates')).toEqual([
      'Tags not imported: Numbers.',
      'Contained embedded HTML. Check the result.',
      'Replaced <iframe> with a link: https://widgets.example/poll.',
    ]);
  });

  test('links posts to each other at their new URLs', async () => {
    expect(postIn(await plan(), 'old-editor')?.content).toBe(
      '## Older editor\n\n**Bold** and [linked](https://other.example/) and [ours](/news/reply-rates)',
    );
  });

  test('converts posts that are stored only as Lexical', async () => {
    const imported = await plan();
    expect(postIn(imported, 'drafted')).toMatchObject({
      status: 'draft',
      content: `## Only Lexical

Plain, **_bold italic_** & [a link](/news/reply-rates)\\
next \`x < y\`

1. First
   - Nested

> A quote

![Chart of replies](/import-file/1)

*Weekly*

![](/import-file/1)

> 💡 **Tip:** call early.

#### Why?

Because.

[Book a demo](https://other.example/demo)

[The guide](https://other.example/guide)

https://www.youtube.com/watch?v=dQw4w9WgXcQ

| A | B |
| - | - |
| 1 | 2 |

[The plan](/import-file/2)

A lost file

\`\`\`js
let a = 1 < 2;
\`\`\`

---`,
    });
    expect(notesOn(imported, 'Drafted in Lexical')).toEqual([
      'Removed: code injection.',
      'Removed: a section for members only.',
      'Removed: signup card.',
      'Removed: paywall card.',
      'Picture not found: __GHOST_URL__/content/images/2025/01/lost.png.',
      'File not found: __GHOST_URL__/content/files/2025/02/lost.pdf.',
    ]);
  });

  test('converts posts that are stored only as mobiledoc', async () => {
    const imported = await plan();
    expect(postIn(imported, 'only-mobiledoc')?.content).toBe(`## Only mobiledoc

**Bold _both_** and [linked](https://other.example/)\\
next line

![Chart of replies](/import-file/1)

*In May*

1. One
2. Two

> Aside

---

Some *Markdown*`);
    expect(notesOn(imported, 'Only in mobiledoc')).toEqual(['Removed: email card.']);
  });

  test('keeps the content of cards, but not their controls or sections for members', async () => {
    const imported = await plan();
    expect(postIn(imported, 'all-cards')?.content).toBe(`> 💡 **Tip:** call [early](/news/reply-rates).

#### Why?

Because.

[The plan](/import-file/2)

[A call](/import-file/3)

/import-file/4

*The demo*

SPONSORED

Try it

[Start](https://other.example/try)`);
    expect(notesOn(imported, 'All cards')).toEqual(['Removed: a section for members only.', 'Removed: signup card.']);
  });

  test('omits a damaged text, and rejects a text that is nested too deeply', async () => {
    const post = (lexical: string) =>
      toFile('site.json', JSON.stringify({ data: { posts: [{ id: 1, title: 'A', slug: 'a', lexical }] } }));
    const damaged = await planImport([post('{"root":')]);
    expect(postIn(damaged, 'a')?.content).toBe('');
    expect(notesOn(damaged, 'A')).toEqual(['Imported without its text, because the text is damaged.']);
    const quotes = `{"root":{"children":[${'{"type":"quote","children":['.repeat(50_000)}${']}'.repeat(50_000)}]}}`;
    expect(await readRejection([post(quotes)])).toBe('"A" is nested too deeply to be converted.');
  });

  test('keeps scheduled dates, makes posts for members drafts, and omits pages and emails', async () => {
    const imported = await plan();
    expect(postIn(imported, 'for-members')?.status).toBe('draft');
    expect(postIn(imported, 'next-year')).toMatchObject({
      status: 'published',
      published_date: '2999-01-01T00:00:00.000Z',
    });
    expect(notesOn(imported, 'Contact')).toEqual(['Not imported, because it is a page.']);
    expect(notesOn(imported, 'Newsletter 12')).toEqual(['Not imported, because it was only sent by email.']);
  });
});

describe('A folder of Markdown files', () => {
  const plan = async () =>
    planImport([
      ...blogFolder(),
      ...pictures(
        'blog/content/posts/first-call/cover.png',
        'blog/content/posts/first-call/notes.png',
        'blog/static/img/desk.png',
        'blog/assets/desk.png',
      ),
    ]);

  test('reads the front matter, pictures and shortcodes of Hugo', async () => {
    const imported = await plan();
    const post = postIn(imported, 'first-call');
    expect(post).toMatchObject({
      title: 'The first call',
      published_date: '2024-05-06T07:00:00.000Z',
      category: 'Calls',
      excerpt: 'Ask before you pitch.',
      aliases: ['old/first-call', 'posts/first-call'],
    });
    const names = imported.files.map(({ file }) => file.path);
    const url = (path: string) => `/import-file/${names.indexOf(path)}`;
    expect(post?.featured_image).toBe(url('blog/content/posts/first-call/cover.png'));
    expect(post?.content).toBe(`Ask **one** question. Then https://www.youtube.com/watch?v=dQw4w9WgXcQ

![Notes](${url('blog/content/posts/first-call/notes.png')} "Our notes")
Gone

See [the follow-up](/posts/voicemail/) or [run](#).

\`\`\`md
![kept](as-code.png) {{< youtube kept >}}
\`\`\`

![Desk](${url('blog/static/img/desk.png')})

*Where calls happen*

Embedded **HTML**

Line with Esc and \`<kbd>\` in code.`);
    expect(notesOn(imported, 'The first call')).toEqual([
      'Picture not found: /img/gone.png.',
      'Link removed: javascript:alert(1).',
      'Shortcode removed: tweet.',
      'Contained embedded HTML. Check the result.',
    ]);
  });

  test('reads the file names, URLs and tags of Jekyll', async () => {
    const post = postIn(await plan(), 'jekyll-post');
    expect(post).toMatchObject({
      published_date: '2022-02-03T00:00:00.000Z',
      category: 'Notes',
      aliases: ['notes/jekyll', 'notes/2022/02/03/jekyll-post.html'],
    });
    expect(post?.content).toMatch(/^!\[Desk\]\(\/import-file\/\d\)\n\n```ruby\nputs 1\n```$/);
  });

  test('lists files that are not posts', async () => {
    const imported = await plan();
    expect(imported.posts.map(({ slug }) => slug).sort()).toEqual(['first-call', 'jekyll-post', 'leave-a-voicemail']);
    expect(notesOn(imported, 'blog/README.md')).toEqual(['Not imported, because it has no front matter.']);
    expect(notesOn(imported, 'blog/content/posts/toml.md')[0]).toMatch(/TOML/);
    expect(notesOn(imported, 'blog/content/posts/_index.md')).toEqual([
      'Not imported, because it is a list of other pages.',
    ]);
  });
});

describe('Malformed and hostile files', () => {
  const wxr = (items: string, head = '') =>
    toFile(
      'export.xml',
      `<?xml version="1.0"?>${head}\n<rss><channel><wp:wxr_version>1.2</wp:wxr_version>\n${items}\n</channel></rss>`,
    );
  const wxrPost = (content: string) =>
    wxr(
      `<item><title>A</title><wp:post_type>post</wp:post_type><wp:status>publish</wp:status><content:encoded><![CDATA[${content}]]></content:encoded></item>`,
    );

  test('are rejected with the line number of the error', async () => {
    expect(await readRejection([wxr('<item><title>A</item>')])).toMatch(
      /^export\.xml, line 3: the file is not valid XML \(.+\)\. Export it again\.$/,
    );
    expect(await readRejection([toFile('cut.xml', '<rss>\n<channel>\n<item>')])).toMatch(
      /^cut\.xml, line 3: .*unclosed tag/,
    );
    expect(await readRejection([toFile('a.json', '{\n"db": [\n}')])).toBe(
      'a.json, line 3: the file is not valid JSON. Export it again.',
    );
    expect(await readRejection([toFile('a.json', '{\n"db": [')])).toBe(
      'a.json, line 2: the file is not valid JSON. Export it again.',
    );
    expect(await readRejection([toFile('a.md', '---\ntitle: A\ntags: [a\n---\nText')])).toMatch(
      /^a\.md, line [34]: the front matter is not valid YAML/,
    );
    expect(await readRejection([toFile('a.xml', '<rss><channel/></rss>')])).toMatch(
      /^a\.xml is not a WordPress export/,
    );
    expect(await readRejection([toFile('a.json', '{"posts": []}')])).toMatch(/^a\.json: this is not a Ghost export/);
    expect(await readRejection([toFile('a.zip', 'PK nothing')])).toBe('a.zip is incomplete or not a ZIP archive.');
    expect(await readRejection(pictures('a.png'))).toMatch(/^No posts found/);
  });

  test('cannot expand entities or aliases', async () => {
    const entityExpansion = '<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>';
    expect(await readRejection([wxr('<item><title>&b;</title></item>', entityExpansion)])).toBe(
      'export.xml, line 1: the file contains a DOCTYPE. WordPress exports do not, so the file was rejected.',
    );
    const levels = Array.from(
      { length: 30 },
      (_item, level) => `a${level}: &a${level} [${level ? `*a${level - 1}, *a${level - 1}` : 'x'}]`,
    );
    expect(await readRejection([toFile('a.md', `---\n${levels.join('\n')}\n---\n`)])).toBe(
      'a.md, line 2: the front matter contains too many aliases.',
    );
  });

  test('cannot be larger than 50 MB', async () => {
    const largeFile = {
      path: 'export.xml',
      size: 100_000_000,
      read: () => Promise.reject(new Error('must not be read')),
    };
    expect(await readRejection([largeFile])).toMatch(
      /^export\.xml is 100 MB\. At most 50 MB can be imported at once\./,
    );
  });

  test('cannot exceed the size declared in their archive or have a path outside of it', async () => {
    expect(await readRejection([await zip({ '../../etc/passwd.md': 'x' })])).toBe(
      'archive.zip contains the path "../../etc/passwd.md", which points outside of the archive.',
    );
    const archive = await zip({ 'posts/a.md': `---\ntitle: A\n---\n${'a'.repeat(5_000_000)}` });
    const bytes = Buffer.from(await (await archive.read()).arrayBuffer());
    const directory = bytes.indexOf(Buffer.from('PK\u0001\u0002'));
    bytes.writeUInt32LE(100, directory + 24);
    expect(await readRejection([toFile('bomb.zip', new Blob([bytes]))])).toBe(
      '"posts/a.md" in the archive is damaged.',
    );
  });

  test('are imported without scripts or unsafe links', async () => {
    const { posts } = await planImport([
      wxrPost(
        '<!-- wp:x --><p onclick="steal()">Text<script>steal()</script></p><svg onload="steal()"></svg><a href=" java\nscript:steal()">a</a><a href="data:text/html,x">b</a>',
      ),
    ]);
    expect(posts[0]?.content).toBe('Text\n\nab');
  });

  test('are not imported if a text is too long or nested too deeply', async () => {
    const { posts, notes } = await planImport([wxrPost('a'.repeat(200_001))]);
    expect(posts).toEqual([]);
    expect(notes).toEqual([{ title: 'A', text: 'Not imported. Content must be at most 200000 characters.' }]);
    expect(await readRejection([wxrPost('<blockquote>'.repeat(50_000))])).toBe(
      '"A" is nested too deeply to be converted.',
    );
  });
});

test('Posts in an archive can use its pictures, and duplicate slugs get a number', async () => {
  const post = (title: string) => `---\ntitle: ${title}\nslug: same\n---\n![](a.png)`;
  const { posts, files } = await planImport([
    await zip({ 'x/one.md': post('One'), 'x/two.md': post('Two'), 'x/a.png': 'bytes' }),
  ]);
  expect(posts.map(({ slug, content }) => [slug, content])).toEqual([
    ['same', '![](/import-file/0)'],
    ['same-2', '![](/import-file/0)'],
  ]);
  expect(await (await files[0]?.file.read())?.text()).toBe('bytes');
});
