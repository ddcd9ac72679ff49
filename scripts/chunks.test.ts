import { expect, test } from 'vitest';
import { separateVisitorCode } from './chunks.ts';

/** Runs the check on a bundle of these files, with their sources and imports. @returns the error */
function check(files: Record<string, { from: string; imports: string[] }>): string | undefined {
  const bundle = Object.fromEntries(
    Object.entries(files).map(([name, { from, imports }]) => [name, { type: 'chunk', facadeModuleId: from, imports }]),
  );
  const errors: string[] = [];
  const { generateBundle } = separateVisitorCode();
  if (typeof generateBundle !== 'function') throw new Error('The check is not a function.');
  const getModuleInfo = (id: string) => ({
    id,
    isEntry: id === '/app/client.tsx',
    importers: [],
    dynamicImporters: ['/app/client.tsx'],
  });
  Reflect.apply(generateBundle, { error: (text: string) => errors.push(text), getModuleInfo }, [{}, bundle]);
  return errors[0];
}

const SHARED = { 'assets/list-1.js': { from: '', imports: ['assets/signed-in-1.js'] } };

test('The build fails with the import path if a public page imports the code of signed-in screens', () => {
  const error = check({
    ...SHARED,
    'assets/news-1.js': { from: '/app/site/news/news.route.tsx', imports: ['assets/site-1.js', 'assets/list-1.js'] },
  });
  expect(error).toContain('assets/news-1.js imports assets/list-1.js imports assets/signed-in-1.js');
});

test('An admin screen may import the code of signed-in screens, and a public page may import other files', () => {
  const files = {
    ...SHARED,
    'assets/in-1.js': { from: '/app/admin/leads/leads.route.tsx', imports: ['assets/list-1.js'] },
    'assets/news-1.js': { from: '/app/site/news/news.route.tsx', imports: ['assets/site-1.js'] },
  };
  expect(check(files)).toBeUndefined();
});
