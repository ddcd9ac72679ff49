import { expect, test } from 'vitest';
import { plainText } from './search.ts';

test('Videos, callouts, tasks and footnotes leave their words only', () => {
  const text = [
    'It grew[^1] fast.',
    '',
    'https://youtu.be/dQw4w9WgXcQ',
    '/storage/v1/object/public/content-media/film.mp4',
    '',
    '> [!NOTE]',
    '> Mind *this*.',
    '',
    '- [x] done',
    '- [ ] open',
    '',
    'See https://a.example and /about.',
    '',
    '[^1]: By half.',
  ].join('\n');
  expect(plainText(text)).toBe('It grew fast. Mind this. done open See https://a.example and /about. By half.');
});
