import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { lazy } from './lazy.tsx';

const Loading = () => <p>Loading</p>;
const Title = () => <p>Title</p>;

test('Renders the placeholder until the code is loaded, and immediately if it is preloaded', async () => {
  const Fields = lazy(async () => ({ default: Title }), { Loading });
  expect(renderToStaticMarkup(<Fields />)).toBe('<p>Loading</p>');
  await Fields.preload();
  expect(renderToStaticMarkup(<Fields />)).toBe('<p>Title</p>');
});

test('A failed preload does not reject, and the next one retries', async () => {
  let isOnline = false;
  const Fields = lazy(
    async () => {
      if (!isOnline) throw new Error('Offline');
      return { default: Title };
    },
    { Loading },
  );
  await Fields.preload();
  expect(renderToStaticMarkup(<Fields />)).toBe('<p>Loading</p>');
  isOnline = true;
  await Fields.preload();
  expect(renderToStaticMarkup(<Fields />)).toBe('<p>Title</p>');
});

test('The server renders a component with `ssr` in a boundary that hydrates later', async () => {
  const Section = lazy(async () => ({ default: Title }), { ssr: true });
  await Section.preload();
  expect(renderToString(<Section />)).toBe('<!--$--><p>Title</p><!--/$-->');
});
