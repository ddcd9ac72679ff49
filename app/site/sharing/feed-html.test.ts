import { expect, test } from 'vitest';
import { feedHtml } from './feed-html.ts';

function html(markdown: string): string {
  return feedHtml(markdown, 'https://site.example/news/a').replaceAll('\n', '');
}

test('Makes URLs absolute and removes unsafe ones', () => {
  expect(html('[a](/b) ![c](d.png)')).toBe(
    '<p><a href="https://site.example/b">a</a> <img src="https://site.example/news/d.png" alt="c"></p>',
  );
  expect(html('[a](javascript:alert(1)) ![b](data:image/png,x)')).toBe('<p>a b</p>');
  expect(html('[a](/b?c=1&d="e)')).toBe('<p><a href="https://site.example/b?c=1&#38;d=%22e">a</a></p>');
});

test('HTML is shown as typed', () => {
  expect(html('a <script>alert(1)</script>')).toBe('<p>a &#60;script&#62;alert(1)&#60;/script&#62;</p>');
  expect(html('<iframe src=x></iframe>')).not.toContain('<iframe');
});

test('Renders a video as a link', () => {
  expect(html('https://youtu.be/dQw4w9WgXcQ')).toBe(
    '<p><a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ">Watch the video on YouTube</a></p>',
  );
  expect(html('/storage/v1/object/public/m/a.mp4')).toBe(
    '<p><a href="https://site.example/storage/v1/object/public/m/a.mp4">Watch the video</a></p>',
  );
});

test('Footnotes, tasks, callouts and tables work without styles or scripts', () => {
  expect(html('x[^1] y[^2]\n\n[^1]: The *note*')).toBe(
    '<p>x<sup>1</sup> y[^2]</p><hr><ol><li><p>The <em>note</em></p></li></ol>',
  );
  expect(html('- [x] a\n- [ ] b')).toContain('<li>☑ a</li><li>☐ b</li>');
  expect(html('> [!TIP]\n> Do.')).toBe('<blockquote><p><strong>Tip</strong></p><p>Do.</p></blockquote>');
  expect(html('| a |\n|--:|\n| 1 |')).toContain('<td align="right">1</td>');
});
