/**
 * Checks the direction of imports: the arrows between rooms, what visitors load, and that no file or room imports itself
 * through others. Part of `npm run check`. Packages from npm and node: modules are restricted in biome.json.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Rooms of app/ and of packages/backend/src/, in the order in which they build on each other, with what each may import. */
const ROOMS: Record<string, readonly string[]> = {
  'app/api': [],
  'app/ui': ['app/api'],
  'app/accounts': ['app/api', 'app/ui'],
  'app/visits': ['app/api', 'app/ui', 'app/accounts'],
  'app/media': ['app/api', 'app/ui', 'app/accounts'],
  'app/editing': ['app/api', 'app/ui', 'app/accounts', 'app/media'],
  'app/settings': ['app/api', 'app/ui', 'app/media', 'app/editing'],
  'app/bookings': ['app/api', 'app/ui', 'app/editing'],
  'app/leads': ['app/api', 'app/ui', 'app/accounts', 'app/editing', 'app/settings'],
  'app/chat': ['app/api', 'app/ui', 'app/accounts', 'app/editing', 'app/settings', 'app/bookings', 'app/leads'],
  'app/clients': ['app/api', 'app/ui', 'app/accounts', 'app/media', 'app/editing', 'app/settings', 'app/leads'],
  'app/content': ['app/api', 'app/ui', 'app/accounts', 'app/media', 'app/editing', 'app/settings', 'app/clients'],
  'app/site': [
    ...['app/api', 'app/ui', 'app/accounts', 'app/media', 'app/editing', 'app/settings', 'app/bookings', 'app/leads'],
    'app/content',
  ],
  'app/portal': ['app/api', 'app/ui', 'app/accounts', 'app/settings', 'app/bookings', 'app/leads', 'app/clients'],
  // Editors preview the sections of the site that they change.
  'app/admin': [
    ...['app/api', 'app/ui', 'app/accounts', 'app/visits', 'app/media', 'app/editing', 'app/settings', 'app/bookings'],
    ...['app/leads', 'app/chat', 'app/content', 'app/site'],
  ],
  app: ['app/*'],
  'backend/fairness': [],
  'backend/database': ['backend/fairness'],
  'backend/http': ['backend', 'backend/database', 'backend/fairness'],
  'backend/postgres': ['backend/database'],
  'backend/jobs': ['backend/database'],
  'backend/mail': ['backend', 'backend/database', 'backend/http', 'backend/jobs'],
  'backend/auth': ['backend', 'backend/database', 'backend/fairness', 'backend/http', 'backend/jobs', 'backend/mail'],
  'backend/rest': ['backend', 'backend/database', 'backend/fairness', 'backend/http'],
  'backend/storage': ['backend', 'backend/database', 'backend/fairness', 'backend/http', 'backend/jobs'],
  'backend/point-in-time': ['backend', 'backend/database', 'backend/http', 'backend/postgres', 'backend/storage'],
  'backend/moving': ['backend', 'backend/database', 'backend/http', 'backend/storage', 'backend/point-in-time'],
  backend: ['backend/*'],
  supabase: [],
  // The package is imported by its name.
  server: ['supabase', 'app'],
};

/** Modules of functions that the application shares with them. */
const SHARED_WITH_FUNCTIONS = new Set([
  'supabase/functions/ai-chat/built-in-texts.ts',
  'supabase/functions/ai-chat/event-stream.ts',
  'supabase/functions/ai-chat/judge-answer.ts',
  'supabase/functions/ai-chat/origins.ts',
  'supabase/functions/ai-chat/site-name.ts',
  'supabase/functions/metrics.ts',
  'supabase/functions/report-summary/figures-schema.ts',
  'supabase/picture-widths.ts',
]);

/** Modules of the application that the server imports. */
const SHARED_WITH_SERVER = /^app\/(api|settings|content|site|editing\/previews)\//;

/** Folders that only people who are signed in load. */
const SIGNED_IN = /^app\/(.+\/)?(admin|portal)\//;

/** Files of the package, its tests and its example. They import files of the package only. */
const PACKAGE_FILE = /^packages\/backend\//;

/** Lists the forbidden imports of a file. `path` is relative to the project. */
export function forbiddenImports(path: string, source: string): string[] {
  if (PACKAGE_FILE.test(path)) {
    const outside = importsOf(path, source).filter((target) => !target.startsWith('packages/backend/'));
    if (outside.length > 0) {
      return outside.map((target) => `${path} must not import ${target}: it is outside the package`);
    }
    if (!path.startsWith('packages/backend/src/') || /\.test\.ts$/.test(path)) return [];
  }
  const from = roomOf(path);
  const allowed = ROOMS[from];
  if (!allowed) return [`${path}: add the room ${from}/ to scripts/check-boundaries.ts`];
  return importsOf(path, source).flatMap((target) => {
    if (SIGNED_IN.test(target) && !SIGNED_IN.test(path)) {
      return [`${path} must not import ${target}: visitors may load it`];
    }
    const to = roomOf(target);
    const isAllowed =
      to === from ||
      allowed.includes(to) ||
      (from === 'app' && to.startsWith('app/')) ||
      (from === 'backend' && to.startsWith('backend/')) ||
      (from === 'server' && SHARED_WITH_SERVER.test(target)) ||
      (from.startsWith('app') && SHARED_WITH_FUNCTIONS.has(target));
    if (isAllowed) return [];
    return [`${path} must not import ${target}: ${from}/ may import ${allowed.join(', ') || 'nothing'}`];
  });
}

/** Lists the arrows of ROOMS that lead back to where they begin. */
export function circlesOfRooms(rooms: Readonly<Record<string, readonly string[]>> = ROOMS): string[] {
  const sources = Object.entries(rooms).map(
    ([room, targets]) => [room, targets.filter((target) => target.includes('/') && !target.endsWith('*'))] as const,
  );
  return findCircles(new Map(sources));
}

/**
 * Lists the circles of imports, those of types included: a type that both files need belongs into one below them.
 * @param sources the text of each file by its path
 */
export function circles(sources: ReadonlyMap<string, string>): string[] {
  return findCircles(new Map([...sources].map(([path, source]) => [path, importsOf(path, source)])));
}

function findCircles(targets: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, way: readonly string[]): void => {
    const begin = way.indexOf(path);
    if (begin >= 0) found.push(`Circular imports: ${[...way.slice(begin), path].join(' -> ')}`);
    if (done.has(path)) return;
    done.add(path);
    for (const target of targets.get(path) ?? []) visit(target, [...way, path]);
  };
  for (const path of targets.keys()) visit(path, []);
  return found;
}

/** Lists the files that a file imports: for types, for their effect or on demand. */
function importsOf(path: string, source: string): string[] {
  const targets = source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g);
  return [...targets].map(([, target = '']) => normalize(join(dirname(path), target)));
}

/** Returns the room of a file: its folder in app/ or in packages/backend/src/, or the folder at the top. */
function roomOf(path: string): string {
  const [top = '', second, ...rest] = path.replace(/^packages\/backend\/src\//, 'backend/').split('/');
  return (top === 'app' || top === 'backend') && second && rest.length > 0 ? `${top}/${second}` : top;
}

if (import.meta.main) {
  const files = globSync('{app,server,supabase}/**/*.{ts,tsx}', {
    exclude: ['**/*.test.{ts,tsx}', '**/*.gen.ts'],
  });
  files.push(...globSync('packages/*/{src,tests,scripts,example}/**/*.{ts,js}'));
  const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const problems = [...sources]
    .flatMap(([file, source]) => forbiddenImports(file, source))
    .concat(circles(sources), circlesOfRooms());
  for (const problem of problems) console.error(problem);
  process.exit(problems.length > 0 ? 1 : 0);
}
