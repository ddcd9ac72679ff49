import { getSchema } from '@tiptap/core';
import { fromHtml } from 'hast-util-from-html';
import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { editorExtensions } from '../extensions.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';

const origin = 'https://site.example';
const schema = getSchema(editorExtensions());

function convert(html: string, plain = '', used = { footnotes: 0, pictures: 0 }) {
  return htmlToMarkdown({ html, root: fromHtml(html, { fragment: true }) }, plain, { schema, origin, used });
}

const FIXTURES = import.meta.glob<string>('./fixtures/*', { query: '?raw', import: 'default', eager: true });

describe('Clipboard HTML', () => {
  it.each([
    ['Google Docs', 'google-docs'],
    ['Word', 'word'],
    ['Outlook', 'outlook'],
    ['Notion', 'notion'],
    ['Apple Pages', 'apple-pages'],
    ['Excel', 'excel'],
    ['Google Sheets', 'google-sheets'],
    ['a web page', 'web-page'],
    ['GitHub', 'github'],
    ['Slack', 'slack'],
  ])('of %s becomes clean Markdown', (_, name) => {
    const markdown = FIXTURES[`./fixtures/${name}.md`] ?? '';
    expect(`${convert(FIXTURES[`./fixtures/${name}.html`] ?? '')?.markdown}\n`).toBe(markdown);
    // The page parser must find no leftover markup and nothing unsafe.
    const page = marked.parse(markdown, { async: false });
    expect(page).not.toMatch(/\*\*|<script|javascript:/);
  });
});

describe('Pasted pictures', () => {
  it('from other sites are listed once, with their placeholders', () => {
    const data = 'data:image/png;base64,iVBORw0KGgo=';
    const html = `<p><img src="${data}" alt="A"><img src="${data}"><img src="https://a.example/b.png" alt="B"><img src="file:///C:/c.png"></p>`;
    expect(convert(html)).toEqual({
      markdown: '![A](#pasted-picture-1)![](#pasted-picture-1)![B](https://a.example/b.png)![](#pasted-picture-3)',
      pictures: [
        { url: '#pasted-picture-1', source: data, alt: 'A' },
        { url: 'https://a.example/b.png', source: 'https://a.example/b.png', alt: 'B' },
        { url: '#pasted-picture-3', source: null, alt: '' },
      ],
    });
  });

  it('get numbers that are unused in the text', () => {
    const html = '<p><b>a</b><img src="file:///C:/c.png"></p>';
    expect(convert(html, '', { footnotes: 0, pictures: 2 })?.markdown).toBe('**a**![](#pasted-picture-3)');
  });

  it('from this site are kept, without the origin', () => {
    const html = `<img src="${origin}/storage/v1/object/public/content-media/a.png" alt="Ours">`;
    expect(convert(html)).toEqual({ markdown: '![Ours](/storage/v1/object/public/content-media/a.png)', pictures: [] });
  });
});

describe('Unsupported formatting', () => {
  it.each([
    ['text with a colour', '<span style="color: red">Only words_here</span>', 'Only words_here'],
    ['a script', '<script>x()</script>', 'x'],
    ['an asterisk', '<p>2 * 3 * 4</p>', '2 * 3 * 4'],
  ])('is pasted as plain text: %s', (_, html, plain) => {
    expect(convert(html, plain)).toBeNull();
  });
});

describe('Pasted footnotes', () => {
  const note =
    '<p>Word<a href="#_ftn1" name="_ftnref1">[1]</a></p><div id="ftn1"><p><a href="#_ftnref1">[1]</a> Note.</p></div>';

  it('get numbers that are unused in the text', () => {
    expect(convert(note, '', { footnotes: 4, pictures: 0 })?.markdown).toBe('Word[^5]\n\n[^5]: Note.');
  });

  it('are not converted if their note is missing', () => {
    expect(convert('<p><b>Word</b><a href="#_ftn1">[1]</a></p>')?.markdown).toBe('**Word**\\[1]');
  });
});

describe('Pasted marks', () => {
  it.each([
    ['<b>a </b><b>b</b> c', '**a b** c'],
    ['<p><b>bold </b>plain</p>', '**bold** plain'],
    ['<b style="font-weight:normal">plain</b> <i>x</i>', 'plain *x*'],
    ['<span style="font-weight:bold;font-style:italic">x</span>', '**_x_**'],
    ['<a href="https://a.example"><b>all</b></a>', '**[all](https://a.example)**'],
    ['<a href="https://a.example/x"><code>f()</code></a>', '[`f()`](https://a.example/x)'],
    ['<a href="https://a.example/x_y">https://a.example/x_y</a>', 'https://a.example/x_y'],
    ['<p>a <a href="mailto:a@b.example">mail </a>b</p>', 'a [mail](mailto:a@b.example) b'],
    ['<h2><b>Bold</b> heading</h2>', '## Bold heading'],
    ['<div><div>one</div><div><br></div><div>two</div></div><i>x</i>', 'one\n\ntwo\n\n*x*'],
    ['<code>a`b</code>', '``a`b``'],
  ])('are converted: %s', (html, markdown) => {
    expect(convert(html)?.markdown).toBe(markdown);
  });
});

describe('Pasted lists', () => {
  it('from Word on the web are nested by their levels', () => {
    const item = (level: number, text: string) =>
      `<div class="ListContainerWrapper SCXW1"><ul><li data-aria-level="${level}"><p><span class="TextRun" style="font-weight:bold">${text}</span></p></li></ul></div>`;
    expect(convert(item(1, 'a') + item(2, 'b') + item(1, 'c'))?.markdown).toBe('- **a**\n  - **b**\n- **c**');
  });

  it('with checkboxes become task lists', () => {
    const html =
      '<ul><li><input type="checkbox" checked> done</li><li><label><input type="checkbox"> open</label></li></ul>';
    expect(convert(html)?.markdown).toBe('- [x] done\n- [ ] open');
  });
});

it('Deeply nested HTML and invalid markup are converted', () => {
  expect(convert(`${'<div>'.repeat(400)}<b>deep`)?.markdown).toBe('**deep**');
  expect(convert('<ul><li><table><tr><td>a<td>b</ul><b>c')?.markdown).toBe('- | a | bc |\n  | - | - |');
});
