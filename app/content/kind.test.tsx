import { Suspense } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { lazyFields } from './kind.ts';

const draw = (Fields: ReturnType<typeof lazyFields>) =>
  renderToStaticMarkup(
    <Suspense fallback="Loading">
      <Fields />
    </Suspense>,
  );

test('Fields that are there are drawn at once, others when they have come', async () => {
  const Fields = lazyFields(async () => ({ default: () => <p>Title</p> }));
  expect(draw(Fields)).toContain('Loading');
  await Fields.preload();
  expect(draw(Fields)).toBe('<p>Title</p>');
});

test('Fields that cannot be had now do not keep the form away, and are asked for again', async () => {
  let isOnline = false;
  const Fields = lazyFields(async () => {
    if (!isOnline) throw new Error('Offline');
    return { default: () => <p>Title</p> };
  });
  await Fields.preload();
  expect(draw(Fields)).toContain('Loading');
  isOnline = true;
  await Fields.preload();
  expect(draw(Fields)).toBe('<p>Title</p>');
});
