import { expect, test } from 'vitest';
import { visitorsApart } from './chunks.ts';

/** Runs the check on a build of those files: what they are made of, and what each imports. @returns its error */
function check(files: Record<string, { from: string; imports: string[] }>): string | undefined {
  const bundle = Object.fromEntries(
    Object.entries(files).map(([name, { from, imports }]) => [name, { type: 'chunk', facadeModuleId: from, imports }]),
  );
  const errors: string[] = [];
  const { generateBundle } = visitorsApart();
  if (typeof generateBundle !== 'function') throw new Error('The check is no function.');
  Reflect.apply(generateBundle, { error: (text: string) => errors.push(text) }, [{}, bundle]);
  return errors[0];
}

const SHARED = { 'assets/list-1.js': { from: '', imports: ['assets/signed-in-1.js'] } };

test('A page of visitors that would load what is behind the sign-in stops the build, which names the way', () => {
  const error = check({
    ...SHARED,
    'assets/news-1.js': { from: '/app/site/news/news.route.tsx', imports: ['assets/site-1.js', 'assets/list-1.js'] },
  });
  expect(error).toContain('assets/news-1.js imports assets/list-1.js imports assets/signed-in-1.js');
});

test('A screen of the admin area may load it, and a page of visitors what imports none of it', () => {
  const files = {
    ...SHARED,
    'assets/in-1.js': { from: '/app/admin/leads/leads.route.tsx', imports: ['assets/list-1.js'] },
    'assets/news-1.js': { from: '/app/site/news/news.route.tsx', imports: ['assets/site-1.js'] },
  };
  expect(check(files)).toBeUndefined();
});
