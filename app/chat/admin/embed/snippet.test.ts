import { expect, test } from 'vitest';
import { embedSnippet } from './snippet.ts';

const ORIGIN = 'https://site.example';

test('The script tag has no data attributes if no options are set', () => {
  expect(embedSnippet(ORIGIN, { position: 'right', color: null, greeting: '  ' })).toBe(
    '<script async src="https://site.example/embed.js"></script>',
  );
});

test('A greeting cannot close the attribute or the tag', () => {
  expect(embedSnippet(ORIGIN, { position: 'left', color: '#00aa55', greeting: '"></script><b>Hi & bye' })).toBe(
    '<script async src="https://site.example/embed.js" data-position="left" data-color="#00aa55" ' +
      'data-greeting="&quot;&gt;&lt;/script&gt;&lt;b&gt;Hi &amp; bye"></script>',
  );
});
