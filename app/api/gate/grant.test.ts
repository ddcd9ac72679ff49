import { expect, test } from 'vitest';
import { parseGrant } from './grant.ts';

test('Reads a stored grant', () => {
  expect(parseGrant('{"granted":true,"expiry":1790000000000}')).toEqual({ granted: true, expiry: 1790000000000 });
  expect(parseGrant('{"granted":false,"expiry":0}')).toEqual({ granted: false, expiry: 0 });
  expect(parseGrant('{"granted":true,"expiry":1,"version":"a"}')).toEqual({ granted: true, expiry: 1, version: 'a' });
});

test.for([
  '',
  'true',
  'null',
  '[]',
  '{',
  '{"granted":true}',
  '{"granted":"true","expiry":1}',
  '{"granted":true,"expiry":"soon"}',
])('Rejects %s as a grant', (text) => {
  expect(parseGrant(text)).toBeNull();
});
