import { expect, test } from 'vitest';
import { negotiateMediaType } from './parse-media-type.ts';

const visitor = { allowsPlans: false, isRoot: false };
const serviceRole = { allowsPlans: true, isRoot: false };

test.each([
  [null, 'application/json'],
  ['*/*', 'application/json'],
  ['text/html, */*;q=0.8', 'application/json'],
  ['text/csv;q=0.5, application/json', 'application/json'],
  ['application/vnd.pgrst.array+json', 'application/json'],
  ['application/vnd.pgrst.object;nulls=stripped', 'application/vnd.pgrst.object+json;nulls=stripped'],
  ['application/geo+json', 'application/geo+json'],
])('%s returns %s', (accept, type) => {
  expect(negotiateMediaType(accept, visitor).contentType).toBe(`${type}; charset=utf-8`);
});

test.each([
  ['application/vnd.pgrst.plan', 'text', [], 'application/vnd.pgrst.plan+text; for="application/json"'],
  [
    'application/vnd.pgrst.plan+json; for="text/csv"; options=wal|analyze|x;',
    'json',
    ['analyze', 'wal'],
    'application/vnd.pgrst.plan+json; for="text/csv"; options=analyze|wal',
  ],
] as const)('%s returns a query plan, but not to visitors', (accept, format, options, type) => {
  expect(negotiateMediaType(accept, serviceRole)).toMatchObject({
    plan: { format, options },
    contentType: `${type}; charset=utf-8`,
  });
  expect(() => negotiateMediaType(accept, visitor)).toThrow('None of these media types are available');
});

test("The Accept header of the official client's explain() is supported", () => {
  const accept = 'application/vnd.pgrst.plan+text; for="application/vnd.pgrst.object+json"; options=analyze|verbose;';
  expect(negotiateMediaType(accept, serviceRole)).toMatchObject({
    kind: 'object',
    plan: { options: ['analyze', 'verbose'] },
  });
});

test.each(['image/png', 'constructor', 'application/vnd.pgrst.plan+xml', 'application/openapi+json'])(
  '%s is rejected',
  (accept) => {
    expect(() => negotiateMediaType(accept, serviceRole)).toThrow(`None of these media types are available: ${accept}`);
  },
);

test('The root serves only the OpenAPI description', () => {
  const root = { allowsPlans: true, isRoot: true };
  for (const accept of [null, '*/*', 'application/json', 'application/openapi+json']) {
    expect(negotiateMediaType(accept, root).contentType).toBe('application/openapi+json; charset=utf-8');
  }
  for (const accept of ['text/csv', 'application/vnd.pgrst.plan']) {
    expect(() => negotiateMediaType(accept, root)).toThrow('None of these media types are available');
  }
});
