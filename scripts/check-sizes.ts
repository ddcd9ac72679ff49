/**
 * Rejects functions of 80 lines or more, and too many lines in total. Also rejects more casts (`value as Type`) than
 * allowed, because the compiler does not check casts. Part of `npm run check`. Tests and generated files are not
 * counted.
 */
import { globSync, readFileSync } from 'node:fs';
import { type ESTree, parseSync, Visitor } from 'vite';

/** Maximum lines of a function, first and last line included. */
const MAX_LINES = 79;

/** Maximum casts in all files. Lower it when you remove a cast. */
const MAX_CASTS = 39;

/** Maximum lines of all files, without tests and generated files. Raise it only with a reason in the commit. */
const MAX_TOTAL_LINES = 122_100;

const GENERATED_TYPES = 'app/api/database.types.ts';

interface Sizes {
  /** A message for each function that is too long. */
  tooLong: string[];
  /** Locations of casts as `path:line`. */
  casts: string[];
}

/** Measures a file. `path` is relative to the project. */
export function measureFile(path: string, source: string): Sizes {
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length;
  const sizes: Sizes = { tooLong: [], casts: [] };
  const measure = ({ start, end }: ESTree.Span) => {
    const [first, last] = [lineAt(start), lineAt(end)];
    if (last - first < MAX_LINES) return;
    sizes.tooLong.push(`${path}:${first}: ${last - first + 1} lines in one function; split it`);
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

/** Checks for `as const`, which makes types stricter. */
function isConst(type: ESTree.TSType): boolean {
  return type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === 'const';
}

if (import.meta.main) {
  const files = globSync('{app,packages/*/src,server,scripts,supabase/functions}/**/*.{ts,tsx,mjs}', {
    exclude: ['**/*.test.{ts,tsx}', '**/*.gen.ts'],
  }).map((path) => ({ path, source: readFileSync(path, 'utf8') }));
  const sizes = files.map(({ path, source }) => measureFile(path, source));
  const lines = files
    .filter(({ path }) => path !== GENERATED_TYPES)
    .reduce((sum, { source }) => sum + source.split('\n').length - 1, 0);
  const problems = sizes.flatMap(({ tooLong }) => tooLong);
  if (lines > MAX_TOTAL_LINES) problems.push(`${lines} lines in total; the maximum is ${MAX_TOTAL_LINES}`);
  const casts = sizes.flatMap(({ casts }) => casts);
  if (process.argv.includes('--list')) console.log(casts.join('\n'));
  if (casts.length > MAX_CASTS)
    problems.push(`${casts.length} casts; the maximum is ${MAX_CASTS}. Type the value at its source`);
  for (const problem of problems) console.error(problem);
  process.exit(problems.length > 0 ? 1 : 0);
}
