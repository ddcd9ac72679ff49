import { expect, test } from 'vitest';
import { MAX_BYTES, readVisit } from './read-visit.ts';

const SITE = { pages: new Set(['/', '/about']), host: 'signalfjord.example:3000' };

const REPORT = { page: '/about', from: 'google.com', device: 'phone', seconds: 12 };

function read(changes: Record<string, unknown> = {}) {
  return readVisit(JSON.stringify({ ...REPORT, ...changes }), SITE);
}

test('A public page is a view, and its reading time counts only for articles', () => {
  expect(read()).toEqual({ page: '/about', referrer: 'google.com', device: 'phone', seconds: null });
  expect(read({ page: '/news/hello' })).toMatchObject({ page: '/news/hello', seconds: 12 });
  expect(read({ page: '/news/bl%C3%A5b%C3%A6r' })).toMatchObject({ page: '/news/blåbær' });
  expect(read({ page: '/news/hello', seconds: 86_400 * 365 })).toMatchObject({ seconds: 1800 });
  expect(readVisit('{"chat":true}', SITE)).toBe('chat');
});

test.each([
  ['a private page', { page: '/admin/dashboard' }],
  ['an unknown page', { page: '/buy-cheap-pills' }],
  ['a URL of another site', { page: 'https://elsewhere.example/' }],
  ['a page with a query', { page: '/about?utm=1' }],
  ['a page below an article', { page: '/news/a/b' }],
  ['a page with NUL', { page: '/news/%00' }],
  ['a page with invalid encoding', { page: '/news/%E0%A4%A' }],
  ['a negative time', { page: '/news/a', seconds: -1 }],
  ['a time that is not a number', { page: '/news/a', seconds: '12' }],
  ['a fraction of a second', { page: '/news/a', seconds: 0.5 }],
  ['an unknown device', { device: 'fridge' }],
  ['an additional field', { visitor: 'john@acme.com' }],
])('A report with %s is rejected', (_title, changes) => {
  expect(read(changes)).toBeNull();
});

test.each(['', '{', 'null', '[]', '7', '"/"', '{"chat":false}'])('%j is rejected', (body) => {
  expect(readVisit(body, SITE)).toBeNull();
});

test('Only the host of a referrer is stored, or "other" for an invalid host', () => {
  const hosts: [host: string | undefined, stored: string | null][] = [
    ['', ''],
    [undefined, null],
    ['www.Google.com', 'google.com'],
    ['signalfjord.example', null],
    ['www.signalfjord.example', null],
    ['com.google.android.gm', 'com.google.android.gm'],
    ['192.168.0.10', 'other'],
    ['localhost', 'other'],
    ['google.com/search?q=me', 'other'],
    [`${'a'.repeat(100)}.com`, 'other'],
    ['<script>.com', 'other'],
  ];
  for (const [from, referrer] of hosts) expect(read({ from })).toMatchObject({ referrer });
});

test('A page with a long name and a long referrer fits into a beacon', () => {
  const beacon = { page: `/news/${'a'.repeat(100)}`, from: `${'b'.repeat(96)}.com`, device: 'desktop', seconds: 1800 };
  expect(Buffer.byteLength(JSON.stringify(beacon))).toBeLessThan(MAX_BYTES);
});
