/** Server-rendered routes receive only the query parameters they declare. This test checks which ones they read. */
import type { AnyRoute } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { QUERY_NAMES } from './api/host/query-names.ts';
import { routeTree } from './routeTree.gen.ts';

interface Reader {
  path: string;
  readSearch: (search: Record<string, unknown>) => unknown;
  isClientRendered: boolean;
}

/** Lists routes in this subtree that read the query. */
function readersIn({ options, children }: AnyRoute, isInside = false): Reader[] {
  const isClientRendered = isInside || options.ssr === false;
  const readSearch = options.validateSearch;
  return [
    ...(readSearch ? [{ path: 'path' in options ? String(options.path) : '', readSearch, isClientRendered }] : []),
    ...Object.values<AnyRoute>(children ?? {}).flatMap((child) => readersIn(child, isClientRendered)),
  ];
}

const readers = readersIn(routeTree);

test('Each server-rendered route declares the query parameters that it reads', () => {
  const names = readers
    .filter(({ isClientRendered }) => !isClientRendered)
    .map(({ path, readSearch }) => {
      const parameters = new Set<string>();
      readSearch(new Proxy({}, { get: (_, name) => void parameters.add(String(name)) }));
      return [path, [...parameters].sort()];
    });
  const declaredNames = (['/news', '/projects'] as const).map((path) => [path, Object.keys(QUERY_NAMES[path]).sort()]);
  expect(names.sort()).toEqual(declaredNames);
});

test('Client-rendered routes add no query parameters to a URL, because the server would redirect to it', () => {
  const inBrowser = readers.filter(({ isClientRendered }) => isClientRendered);
  expect(inBrowser.length).toBeGreaterThan(10);
  for (const { path, readSearch } of inBrowser) expect([path, JSON.stringify(readSearch({}))]).toEqual([path, '{}']);
});
