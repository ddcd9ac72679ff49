import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Markdown, safeHref } from './markdown.tsx';

function html(text: string) {
  return renderToStaticMarkup(<Markdown text={text} />).replaceAll(/ class="[^"]*"/g, '');
}

test('Paragraphs, emphasis, lists, quotes, code and tables become elements', () => {
  expect(html('Hello **there**, _you_ ~~all~~ and `x < y`')).toBe(
    '<div><p>Hello <strong>there</strong>, <em>you</em> <del>all</del> and <code>x &lt; y</code></p></div>',
  );
  expect(html('1. one\n2. two\n   - inner')).toContain('<ol><li><div><div>one</div></div></li>');
  expect(html('3. three')).toContain('<ol start="3">');
  expect(html('> quoted')).toContain('<blockquote><p>quoted</p></blockquote>');
  expect(html('```\na < b\n```')).toContain('<code>a &lt; b</code>');
  expect(html('| a | b |\n|---|--:|\n| 1 | 2 |')).toContain('<td>2</td>');
});

test('Headings begin below the heading that stands above the text', () => {
  expect(html('# One\n\n### Three')).toBe('<div><h2>One</h2><h3>Three</h3></div>');
  expect(renderToStaticMarkup(<Markdown text="## Two" topLevel={4} />)).toContain('<h4');
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
])('The address %j is not followed', (href) => {
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
])('The address %j is followed', (href) => {
  expect(safeHref(href)).toBe(href);
});

test('An unsafe link keeps only its words, a safe one leads on', () => {
  expect(html('[click](javascript:alert(1))')).toBe('<div><p>click</p></div>');
  expect(html('[click](/news)')).toBe('<div><p><a href="/news" rel="noopener">click</a></p></div>');
});

test('Pictures load lazily and only from the web or the site', () => {
  expect(html('![A fjord](/f.jpg)')).toContain('<img src="/f.jpg" alt="A fjord" loading="lazy"');
  expect(html('![A fjord](data:image/svg+xml,x)')).toBe('<div><p>A fjord</p></div>');
});

test('Entities are shown as their characters', () => {
  expect(html('A &amp; B &#8211; caf&eacute; &unknown;')).toBe('<div><p>A &amp; B – café &amp;unknown;</p></div>');
});

test('A column keeps its alignment, without a style attribute', () => {
  const table = renderToStaticMarkup(<Markdown text={'| a | b |\n|:-:|--:|\n| 1 | 2 |'} />);
  expect(table).toMatch(/<td class="[^"]*text-center">1<\/td>/);
  expect(table).toMatch(/<td class="[^"]*text-right">2<\/td>/);
  expect(table).not.toContain('style=');
});
