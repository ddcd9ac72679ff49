import { createMemoryHistory, createRootRoute, createRouter, useRouter } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { insertParts } from './insert-parts.tsx';
import { markedParts, type PagePart } from './page-parts.ts';

function newRouter(parts: PagePart[]) {
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  markedParts.set(router, parts);
  return router;
}

/** The page with one part in it, as text. */
const pageWith = (part: PagePart, page = '<main><!--part 0--></main>') =>
  Buffer.concat(insertParts(newRouter([part]), page)).toString();

let rendered = 0;
function Count() {
  rendered += 1;
  return <p>{rendered}</p>;
}

test('A part stands where its mark was, with the router around it', () => {
  function Path() {
    return <b>{useRouter().history.location.pathname}</b>;
  }
  expect(pageWith({ name: 'path', by: [], content: <Path /> }, 'ø<!--part 0-->“')).toBe('ø<b>/</b>“');
  expect(Buffer.concat(insertParts(newRouter([]), '<p>no parts</p>')).toString()).toBe('<p>no parts</p>');
});

test('It is rendered again only when something it depends on is another value', () => {
  const posts = ['one'];
  expect(pageWith({ name: 'posts', by: [posts, 3], content: <Count /> })).toBe('<main><p>1</p></main>');
  expect(pageWith({ name: 'posts', by: [posts, 3], content: <Count /> })).toBe('<main><p>1</p></main>');
  expect(pageWith({ name: 'posts', by: [['one'], 3], content: <Count /> })).toBe('<main><p>2</p></main>');
  expect(pageWith({ name: 'posts', by: [['one']], content: <Count /> })).toBe('<main><p>3</p></main>');
});

test('What could not be read is not kept as missing', () => {
  const before = rendered;
  pageWith({ name: 'failed', by: [undefined], content: <Count /> });
  pageWith({ name: 'failed', by: [undefined], content: <Count /> });
  expect(rendered).toBe(before + 2);
});
