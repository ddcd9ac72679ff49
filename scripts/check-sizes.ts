/**
 * Refuses a function of 80 lines or more, more casts (`value as Type`) than there are today, each of which is a place at
 * which the compiler believes instead of checking, and a folder above its bound in docs/rooms.md. Part of `npm run check`;
 * tests are left out.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ESTree, parseSync, Visitor } from 'vite';

/** Lines of a function, its first and its last included. */
const MOST_LINES = 79;

/** Casts in all files together. Whoever takes one out lowers it. */
const MOST_CASTS = 54;

const GENERATED_TYPES = 'app/data/database.types.ts';

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

interface SourceFile {
  /** Relative to the project. */
  path: string;
  lines: number;
}

/**
 * Returns a sentence for each folder that is above its bound or has none.
 * @param page docs/rooms.md, with a row `| folder | most lines | what it earns |` for each folder
 */
export function roomProblems(page: string, files: readonly SourceFile[]): string[] {
  const rows = page.matchAll(/^\| `(?<room>[^`]+)` \| (?<most>[\d,]+) \|/gm);
  const bounds = new Map([...rows].map(({ groups }) => [groups?.['room'] ?? '', toNumber(groups?.['most'])]));
  const parents = new Set([...bounds.keys()].map((folder) => dirname(folder)));
  const lines = new Map<string, number>();
  const problems: string[] = [];
  for (const file of files) {
    const room = [...bounds.keys()].find((folder) => file.path.startsWith(`${folder}/`));
    if (room !== undefined) lines.set(room, (lines.get(room) ?? 0) + file.lines);
    else if (!parents.has(dirname(file.path))) problems.push(`${file.path}: its folder has no row in docs/rooms.md`);
  }
  for (const [room, most] of bounds) {
    const all = lines.get(room) ?? 0;
    if (all > most) problems.push(`${room}: ${all} lines, and docs/rooms.md allows ${most}; take something out`);
  }
  return problems;
}

function toNumber(text = ''): number {
  return Number(text.replaceAll(',', ''));
}

/** Tells `as const` apart, which makes the compiler look closer. */
function isConst(type: ESTree.TSType): boolean {
  return type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === 'const';
}

if (import.meta.main) {
  const files = globSync('{app,backend,server,scripts,supabase/functions}/**/*.{ts,tsx,mjs}', {
    exclude: ['**/*.test.{ts,tsx}', '**/*.gen.ts'],
  }).map((path) => ({ path, source: readFileSync(path, 'utf8') }));
  const sizes = files.map(({ path, source }) => sizesOf(path, source));
  const counted = files
    .filter(({ path }) => path !== GENERATED_TYPES)
    .map(({ path, source }) => ({ path, lines: source.split('\n').length - 1 }));
  const problems = [
    ...sizes.flatMap(({ tooLong }) => tooLong),
    ...roomProblems(readFileSync('docs/rooms.md', 'utf8'), counted),
  ];
  const casts = sizes.flatMap(({ casts }) => casts);
  if (process.argv.includes('--list')) console.log(casts.join('\n'));
  if (casts.length > MOST_CASTS)
    problems.push(`${casts.length} casts, and ${MOST_CASTS} are allowed: type it where it comes from`);
  for (const problem of problems) console.error(problem);
  process.exit(problems.length > 0 ? 1 : 0);
}
