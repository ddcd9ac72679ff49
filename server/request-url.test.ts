import { describe, expect, test } from 'vitest';
import { createQueryReader, hasExtraSlashes, parseRequestUrl } from './request-url.ts';

test.each([
  ['/', '/'],
  ['/news/an-article', '/news/an-article'],
  ['/.well-known/openid-configuration/auth/v1', '/.well-known/openid-configuration/auth/v1'],
  ['/%6eews', '/news'],
  ['/%6Eews/%7Ea%2Db', '/news/~a-b'],
  ['/./news', '/news'],
  ['/a/../news', '/news'],
  ['/a/%2e%2E/news', '/news'],
  ['/../../news', '/news'],
  ['//news', '/news'],
  ['///news//a', '/news/a'],
  [String.raw`/\news`, '/news'],
  ['/news/', '/news/'],
  ['/news/%c3%a6', '/news/%C3%A6'],
  ['/news/a%2fb', '/news/a%2Fb'],
  ['/news/%252e%252e', '/news/%252e%252e'],
  ['/news/100%25', '/news/100%25'],
  ['/News', '/News'],
])('%s is normalised to %s', (url, path) => {
  expect(parseRequestUrl(url)).toEqual({ path, search: '' });
  expect(parseRequestUrl(path)).toEqual({ path, search: '' });
  expect(parseRequestUrl(`${url}?q=1`)).toEqual({ path, search: '?q=1' });
});

test('A URL without a path, with invalid percent-encoding or with NUL is rejected', () => {
  for (const url of [
    '',
    '*',
    'news',
    'http://evil.example/news',
    '/%',
    '/%zz',
    '/news/%E0%A4',
    '/%00',
    '/news?q=%00',
  ]) {
    expect(parseRequestUrl(url)).toBeNull();
  }
});

test('Repeated and trailing slashes are extra slashes', () => {
  for (const url of ['//news', '/news/', '/news//a', '/news/?q=1', '/news/#a']) expect(hasExtraSlashes(url)).toBe(true);
  for (const url of ['/', '/?q=1', '/news', '/news?q=//', '/news?q=/', '/news/a'])
    expect(hasExtraSlashes(url)).toBe(false);
});

describe('createQueryReader()', () => {
  const readQuery = createQueryReader({ '/news': { page: 3, q: 5 }, '/icon/$name': { v: 0 } });
  test.each([
    ['/news', '?q=word', '?q=word'],
    ['/news', '?utm_source=x&q=word&page=2&fbclid=y', '?page=2&q=word'],
    ['/news', '?q=a%20b', '?q=a+b'],
    ['/news', '?q=long+words', '?q=long+'],
    ['/news', '?q=one&q=two', ''],
    ['/news', '?Q=word', ''],
    ['/news', '?', ''],
    ['/news/article', '?q=word', ''],
    ['/icon/192.png', '?v=1a2b3c', '?v='],
    ['/about', '?__proto__=1&x=2', ''],
  ])('reduces %s%s to %o', (path, search, read) => expect(readQuery({ path, search })).toBe(read));
});
