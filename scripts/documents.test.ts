import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const documents = globSync(['*.md', 'docs/**/*.md', '{bench,tests,supabase}/**/README.md'], { cwd: ROOT });

test.for(documents)('Every link in %s leads to a file', (document) => {
  const text = readFileSync(join(ROOT, document), 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(([, target = '']) => target);
  expect(links.filter((target) => !existsSync(join(ROOT, dirname(document), target)))).toEqual([]);
});

/** Returns the anchors of a page's headings, as the viewers of Markdown make them. */
function anchorsOf(path: string): string[] {
  const headings = readFileSync(path, 'utf8').matchAll(/^#{1,6} (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.for(documents)('Every link in %s to a heading finds it', (document) => {
  const text = readFileSync(join(ROOT, document), 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*\.md)?#([^)\s]+)\)/g)];
  const lost = links.filter(([, page, anchor = '']) => {
    const path = page === undefined ? join(ROOT, document) : join(ROOT, dirname(document), page);
    return !anchorsOf(path).includes(anchor);
  });
  expect(lost.map(([link]) => link)).toEqual([]);
});

test('Every file that the architecture names is there', () => {
  const text = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const paths = [...text.matchAll(/`((?:app|packages|server|supabase|scripts|tests|bench)\/[^`<]*)`/g)].map(
    ([, path = '']) => path,
  );
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
