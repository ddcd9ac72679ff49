/**
 * Refuses a function of 80 lines or more, and more casts (`value as Type`) than there are today: each one is a place at
 * which the compiler believes instead of checking. Part of `npm run check`; tests are left out.
 */
import { globSync, readFileSync } from 'node:fs';
import { type ESTree, parseSync, Visitor } from 'vite';

/** Lines of a function, its first and its last included. */
const MOST_LINES = 79;

/** Casts in all files together. Whoever takes one out lowers it. */
const MOST_CASTS = 54;

interface Sizes {
  /** A sentence for each function that is too long. */
  tooLong: string[];
  /** The places of casts, as `path:line`. */
  casts: string[];
}

/** Measures a file; `path` is relative to the project. */
export function sizesOf(path: string, source: string): Sizes {
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length;
  const sizes: Sizes = { tooLong: [], casts: [] };
  const measure = ({ start, end }: ESTree.Span) => {
    const [first, last] = [lineAt(start), lineAt(end)];
    if (last - first < MOST_LINES) return;
    sizes.tooLong.push(`${path}:${first}: ${last - first + 1} lines in one function; split it by what it does`);
  };
  new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
    TSAsExpression({ start, typeAnnotation }) {
      if (!isConst(typeAnnotation)) sizes.casts.push(`${path}:${lineAt(start)}`);
    },
  }).visit(parseSync(path, source).program);
  return sizes;
}

/** Tells `as const` apart, which makes the compiler look closer. */
function isConst(type: ESTree.TSType): boolean {
  return type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === 'const';
}

if (import.meta.main) {
  const files = globSync('{app,backend,server,scripts,supabase/functions}/**/*.{ts,tsx,mjs}', {
    exclude: ['**/*.test.{ts,tsx}', '**/*.gen.ts'],
  });
  const sizes = files.map((file) => sizesOf(file, readFileSync(file, 'utf8')));
  const problems = sizes.flatMap(({ tooLong }) => tooLong);
  const casts = sizes.flatMap(({ casts }) => casts);
  if (process.argv.includes('--list')) console.log(casts.join('\n'));
  if (casts.length > MOST_CASTS)
    problems.push(`${casts.length} casts, and ${MOST_CASTS} are allowed: type it where it comes from`);
  for (const problem of problems) console.error(problem);
  process.exit(problems.length > 0 ? 1 : 0);
}
