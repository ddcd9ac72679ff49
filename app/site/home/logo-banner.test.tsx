import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { logoBannerDefaults } from '../../content/pages/logo-banner.ts';
import { LogoBanner } from './logo-banner.tsx';

/** Returns the fill and path of the generated icon of each logo. */
function renderIcons(names: string[]) {
  const logos = names.map((name, index) => ({ id: name, name, imageUrl: '', order: index + 1 }));
  const html = renderToStaticMarkup(<LogoBanner logos={logos} />);
  return [...html.matchAll(/<svg[^>]* fill="(\w+)"[^>]*><path d="([^"]+)"/g)]
    .slice(0, names.length)
    .map(([, fill, mark]) => `${fill} ${mark}`);
}

test('Generated logos differ for the built-in companies and for 28 others', () => {
  const names = logoBannerDefaults.logos.map(({ name }) => name);
  expect(new Set(renderIcons(names)).size).toBe(names.length);
  const companies = Array.from({ length: 28 }, (_, index) => `Company ${index}`);
  expect(new Set(renderIcons(companies)).size).toBe(companies.length);
});
