import { expect, test } from 'vitest';
import { MAX_BYTES, readVisit } from './read-visit.ts';

const SITE = { pages: new Set(['/', '/about']), host: 'signalfjord.example:3000' };

const told = { page: '/about', from: 'google.com', device: 'phone', seconds: 12 };

function read(changes: Record<string, unknown> = {}) {
  return readVisit(JSON.stringify({ ...told, ...changes }), SITE);
}

test('A page of the site is a view; its time counts for articles alone', () => {
  expect(read()).toEqual({ page: '/about', referrer: 'google.com', device: 'phone', seconds: null });
  expect(read({ page: '/news/hello' })).toMatchObject({ page: '/news/hello', seconds: 12 });
  expect(read({ page: '/news/bl%C3%A5b%C3%A6r' })).toMatchObject({ page: '/news/blåbær' });
  expect(read({ page: '/news/hello', seconds: 86_400 * 365 })).toMatchObject({ seconds: 1800 });
  expect(readVisit('{"chat":true}', SITE)).toBe('chat');
});

test.each([
  ['a page that is not public', { page: '/admin/dashboard' }],
  ['a page that is invented', { page: '/buy-cheap-pills' }],
  ['an address elsewhere', { page: 'https://elsewhere.example/' }],
  ['more than a page', { page: '/about?utm=1' }],
  ['a page below an article', { page: '/news/a/b' }],
  ['a page that no text can hold', { page: '/news/%00' }],
  ['a page that is not decoded', { page: '/news/%E0%A4%A' }],
  ['negative time', { page: '/news/a', seconds: -1 }],
  ['time that is no number', { page: '/news/a', seconds: '12' }],
  ['parts of a second', { page: '/news/a', seconds: 0.5 }],
  ['another device', { device: 'fridge' }],
  ['more than is asked', { visitor: 'john@acme.com' }],
])('%s is no visit', (_what, changes) => {
  expect(read(changes)).toBeNull();
});

test.each(['', '{', 'null', '[]', '7', '"/"', '{"chat":false}'])('%j is no visit', (body) => {
  expect(readVisit(body, SITE)).toBeNull();
});

test('Of a referrer the host is kept, and of what is no host that there was one', () => {
  const hosts: [given: string | undefined, kept: string | null][] = [
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
