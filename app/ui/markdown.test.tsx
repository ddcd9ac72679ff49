import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DocumentPolicy } from '../api/host/page-policy.ts';
import { safeHref } from './lib/safe-href.ts';
import { Markdown } from './markdown.tsx';

beforeEach(() => stubPreviewBase(null));
afterEach(() => vi.unstubAllGlobals());

/** Stubs the preview base, which links read from the server. */
function stubPreviewBase(base: string | null) {
  vi.stubGlobal('signalfjordHost', () => ({ preview: base && { base, bar: '' } }));
}

function html(text: string) {
  return renderToStaticMarkup(<Markdown text={text} />).replaceAll(/ class="[^"]*"/g, '');
}

test('Renders paragraphs, emphasis, lists, quotes, code and tables as elements', () => {
  expect(html('Hello **there**, _you_ ~~all~~ and `x < y`')).toBe(
    '<div><p>Hello <strong>there</strong>, <em>you</em> <del>all</del> and <code>x &lt; y</code></p></div>',
  );
  expect(html('1. one\n2. two\n   - inner')).toContain('<ol><li><div><div>one</div></div></li>');
  expect(html('3. three')).toContain('<ol start="3">');
  expect(html('> quoted')).toContain('<blockquote><p>quoted</p></blockquote>');
  expect(html('```\na < b\n```')).toContain('<code>a &lt; b</code>');
  expect(html('| a | b |\n|---|--:|\n| 1 | 2 |')).toContain('<td>2</td>');
});

test('Headings in a text start one level below the heading above it', () => {
  expect(html('# One\n\n### Three')).toBe('<div><h2>One</h2><h3>Three</h3></div>');
  expect(renderToStaticMarkup(<Markdown text="## Two" topLevel={4} />)).toContain('<h4');
});

test('A caption is shown below its picture, outside the paragraph', () => {
  const picture = '![A harbour](/a.png "At dawn & \\"dusk\\"")';
  const figure =
    /<figure><img[^>]* alt="A harbour" src="\/a.png"\/><figcaption>At dawn &amp; &quot;dusk&quot;<\/figcaption><\/figure>/;
  expect(html(picture)).toMatch(new RegExp(`^<div>${figure.source}</div>$`));
  expect(html(`Before\n${picture} after`)).toMatch(new RegExp(`<p>Before\\s*</p>${figure.source}<p> after</p>`));
  expect(html('![A harbour](/a.png)')).toMatch(/^<div><p><img[^>]*><\/p><\/div>$/);
});

test('HTML in the text is shown as typed and never becomes an element', () => {
  expect(html('a <script>alert(1)</script> b')).toBe('<div><p>a &lt;script&gt;alert(1)&lt;/script&gt; b</p></div>');
  expect(html('<img src=x onerror=alert(1)>')).not.toContain('<img');
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  '//evil.example',
  '/\\evil.example',
  'file:///etc/passwd',
])('Does not link to %j', (href) => {
  expect(safeHref(href)).toBeNull();
});

test.each([
  'https://example.com/a?b#c',
  'http://example.com',
  'mailto:a@example.com',
  'tel:+4700',
  '/news',
  '#booking',
  'page',
])('Links to %j', (href) => {
  expect(safeHref(href)).toBe(href);
});

test('Renders only the text of an unsafe link', () => {
  expect(html('[click](javascript:alert(1))')).toBe('<div><p>click</p></div>');
  expect(html('[click](/news)')).toBe('<div><p><a href="/news" rel="noopener">click</a></p></div>');
});

test('In a preview, internal links stay in the preview and external ones do not', () => {
  stubPreviewBase('/preview/abc');
  expect(html('[click](/news) [web](https://example.com/news)')).toBe(
    '<div><p><a href="/preview/abc/news" rel="noopener">click</a> <a href="https://example.com/news" rel="noopener">web</a></p></div>',
  );
});

test('Pictures are loaded lazily, and only from the site or over HTTP', () => {
  expect(html('![A fjord](/f.jpg)')).toContain('<img loading="lazy" decoding="async" alt="A fjord" src="/f.jpg"');
  expect(html('![A fjord](data:image/svg+xml,x)')).toBe('<div><p>A fjord</p></div>');
});

test('Decodes entities', () => {
  expect(html('A &amp; B &#8211; caf&eacute; &unknown;')).toBe('<div><p>A &amp; B – café &amp;unknown;</p></div>');
});

test('A column keeps its alignment without a style attribute', () => {
  const table = renderToStaticMarkup(<Markdown text={'| a | b |\n|:-:|--:|\n| 1 | 2 |'} />);
  expect(table).toMatch(/<td class="[^"]*text-center">1<\/td>/);
  expect(table).toMatch(/<td class="[^"]*text-right">2<\/td>/);
  expect(table).not.toContain('style=');
});

test('Only long cells wrap', () => {
  const short = ['1 200 000', 'NOK 1,200.50', '1,234,567,890 to 9,876,543,210', 'Companies contacted per month'];
  const long = ['Companies contacted per month and salesperson'];
  const table = renderToStaticMarkup(<Markdown text={`| a |\n|---|\n| ${[...short, ...long].join(' |\n| ')} |`} />);
  const unbroken = [...table.matchAll(/<td class="[^"]*whitespace-nowrap[^"]*">([^<]*)/g)].map(([, text]) => text);
  expect(unbroken).toEqual(short);
});

test.each([
  [['1 200 000', '+4.5 %', '€ 30', 'NOK 1,200.50', '12 kg', '3–4', '2026-03-01', ''], true],
  [['1,900', 'A4 paper'], false],
  [['2 weeks and a day'], false],
])('A column with the cells %j is right-aligned: %j', (cells, isRight) => {
  const table = (head: string) =>
    renderToStaticMarkup(
      <Markdown text={`| a | b |\n${head}\n${cells.map((cell) => `| x | ${cell} |`).join('\n')}`} />,
    );
  const count = (html: string) => html.match(/<t[hd][^>]*text-right/g)?.length ?? 0;
  expect(count(table('|---|---|'))).toBe(isRight ? cells.length + 1 : 0);
  expect(count(table('|---|:--|'))).toBe(0);
});

test('Footnotes link to the note and back, and ids are unique per page', () => {
  const note = 'One[^x] and again[^x].\n\n[^x]: The *note*.';
  const page = renderToStaticMarkup(
    <>
      <Markdown text={note} />
      <Markdown text={note} />
    </>,
  );
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  const links = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, target]) => target);
  expect(ids).toHaveLength(8);
  expect(new Set(ids).size).toBe(ids.length);
  expect(links.every((target) => ids.includes(target))).toBe(true);
  expect(html(note)).toContain('The <em>note</em>.');
  expect(html(note)).toContain('role="doc-backlink" aria-label="Back to reference 1-2"');
  expect(html('None[^y].')).toBe('<div><p>None[^y].</p></div>');
});

test('A task is a read-only checkbox with its line as the label', () => {
  expect(html('- [x] done\n- [ ] open\n  - [ ] inner')).toContain(
    '<label><input type="checkbox" disabled="" readOnly="" checked=""/>done</label>',
  );
  expect(html('- [ ] one\n\n- [x] two\n\n  more')).toContain('<p>more</p>');
  expect(html('- [ ] one\n\n- [x] two').match(/<label>/g)).toHaveLength(2);
});

test('Each kind of callout has a label, and an unknown kind is rendered as a quote', () => {
  for (const word of ['Note', 'Tip', 'Important', 'Warning', 'Caution']) {
    const box = html(`> [!${word.toUpperCase()}]\n> Mind **this**.\n>\n> - item`);
    expect(box).toContain(`</svg>${word}</p>`);
    expect(box).toContain('<p>Mind <strong>this</strong>.</p><ul>');
  }
  expect(html('> [!EVIL]\n> x')).toContain('<blockquote><p>[!EVIL]\nx</p>');
  expect(html('> see [!NOTE]')).toContain('<blockquote>');
});

const YOUTUBE = 'https://youtu.be/dQw4w9WgXcQ';
const FILM = '/storage/v1/object/public/content-media/a.mp4';

test('An external video is a link with a generated picture and sends no request to its host', () => {
  const card = html(YOUTUBE);
  const link = '<a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ" rel="noopener"';
  expect(renderToStaticMarkup(<Markdown text={YOUTUBE} mayReload />)).toContain(`${link} aria-label="Play`);
  // Beside a form, the link opens in another tab.
  expect(card).toContain(`${link} target="_blank" aria-label="Play`);
  expect(card).not.toMatch(/<(?:iframe|img|video|link|script)/);
  expect(card).not.toContain('src=');
});

test('A video of the media library is embedded, and a file on another host is a link', () => {
  expect(html(FILM)).toContain(
    `<video src="${FILM}" controls="" preload="metadata" playsInline="" aria-label="Video">`,
  );
  expect(html(`https://other.example${FILM}`)).toContain(`<a href="https://other.example${FILM}" rel="noopener">`);
  const allowed = { pictures: [], frames: [], media: ['https://project.example'] };
  const page = renderToStaticMarkup(
    <DocumentPolicy value={allowed}>
      <Markdown text={`https://project.example${FILM}`} />
    </DocumentPolicy>,
  );
  expect(page).toContain(`<video src="https://project.example${FILM}"`);
});

test('Videos are links if media must not be loaded', () => {
  for (const url of [YOUTUBE, FILM]) {
    const page = renderToStaticMarkup(<Markdown text={url} images={false} />);
    expect(page).toContain(`href="${url}"`);
    expect(page).not.toMatch(/<(?:video|figure)/);
  }
});

test.each([
  '> [!NOTE]\n> [x](javascript:alert(1)) <img src=x onerror=alert(1)>',
  'x[^1]\n\n[^1]: <script>alert(1)</script> [y](javascript:alert(1))',
  'x[^"onmouseover=alert(1)]\n\n[^"onmouseover=alert(1)]: y',
  '- [x] <iframe src=https://evil.example> [y](data:text/html,x)',
  '| <svg onload=alert(1)> |\n|---|\n| [x](vbscript:x) |',
  'https://www.youtube.com/watch?v="><script>alert(1)</script>',
  '/storage/v1/object/public/m/"><script>alert(1)</script>.mp4',
  'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
])('%j adds no executable element or URL', (text) => {
  const page = html(text);
  expect(page).not.toMatch(/<(?:script|iframe|img|figure|video src="(?!\/storage))/);
  expect(page).not.toMatch(/href="(?!https?:|\/|#)/);
  expect(page).not.toMatch(/<[^>]* on\w+=/);
});

test.each(['__proto__', 'constructor', 'content', 'toString', 'person'])(
  'A footnote named %j does not collide with ids of the page',
  (label) => {
    const page = html(`x[^${label}]\n\n[^${label}]: y`);
    expect(page).toContain('>1</a></sup>');
    expect(page).not.toContain(`id="${label}"`);
  },
);

test('Labels the cells of a table of texts for phones, but not the cells of a table with numbers', () => {
  const labels = (text: string) =>
    [...renderToStaticMarkup(<Markdown text={text} />).matchAll(/data-label="([^"]*)"/g)].map(([, label]) => label);
  expect(labels('| Name | R&amp;D | Kept |\n|---|---|---|\n| a | b | c |')).toEqual(['R&amp;D', 'Kept']);
  expect(labels('| Name | Meetings |\n|---|---|\n| a | 12 |')).toEqual([]);
  expect(labels('| | Plan |\n|---|---|\n| a | b |')).toEqual([]);
});

test('Shows parts that are nested too deeply as source, and a long table in full', () => {
  const deep = html(Array.from({ length: 300 }, (_, n) => `${'  '.repeat(n)}- a${n}`).join('\n'));
  expect(deep).toContain('a299');
  expect(html('>'.repeat(5000))).toContain('&gt;&gt;');
  expect(html(`| a |\n|--:|\n${'| 1 |\n'.repeat(3000)}`).match(/<tr>/g)).toHaveLength(3001);
});
