/**
 * Rejects forbidden imports between folders, imports of signed-in code by public pages, and import cycles. Part of
 * `npm run check`. biome.json restricts npm packages and node: modules.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Folders of app/ and packages/backend/src/ from lowest to highest, with the folders that each may import. */
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
  // Editors preview the site sections that they edit.
  'app/admin': [
    ...['app/api', 'app/ui', 'app/accounts', 'app/visits', 'app/media', 'app/editing', 'app/settings', 'app/bookings'],
    ...['app/leads', 'app/chat', 'app/clients', 'app/content', 'app/site'],
  ],
  app: ['app/*'],
  'backend/limits': [],
  'backend/database': ['backend/limits'],
  'backend/http': ['backend', 'backend/database', 'backend/limits'],
  'backend/postgres': ['backend/database'],
  'backend/jobs': ['backend/database'],
  'backend/mail': ['backend', 'backend/database', 'backend/http', 'backend/jobs'],
  'backend/auth': ['backend', 'backend/database', 'backend/limits', 'backend/http', 'backend/jobs', 'backend/mail'],
  'backend/rest': ['backend', 'backend/database', 'backend/limits', 'backend/http'],
  'backend/storage': ['backend', 'backend/database', 'backend/limits', 'backend/http', 'backend/jobs'],
  'backend/point-in-time': ['backend', 'backend/database', 'backend/http', 'backend/postgres', 'backend/storage'],
  'backend/export-import': ['backend', 'backend/database', 'backend/http', 'backend/storage', 'backend/point-in-time'],
  backend: ['backend/*'],
  supabase: [],
  // The package is imported by name.
  server: ['supabase', 'app'],
};

/** Modules that Edge Functions share with the application. */
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

/** Modules of the application that the server may import. */
const SHARED_WITH_SERVER = /^app\/(api|settings|content|site|editing\/previews)\//;

/** Folders that are loaded only after sign-in. */
const SIGNED_IN = /^app\/(.+\/)?(admin|portal)\//;

/** Files of the package, including its tests and its example. They may import only files of the package. */
const PACKAGE_FILE = /^packages\/backend\//;

/** Lists the forbidden imports of a file. `path` is relative to the project. */
export function forbiddenImports(path: string, source: string): string[] {
  if (PACKAGE_FILE.test(path)) {
    const outsideImports = importsOf(path, source).filter((target) => !target.startsWith('packages/backend/'));
    if (outsideImports.length > 0) {
      return outsideImports.map((target) => `${path} must not import ${target}: it is outside the package`);
    }
    if (!path.startsWith('packages/backend/src/') || /\.test\.ts$/.test(path)) return [];
  }
  const from = roomOf(path);
  const allowed = ROOMS[from];
  if (!allowed) return [`${path}: add the room ${from}/ to scripts/check-boundaries.ts`];
  return importsOf(path, source).flatMap((target) => {
    if (SIGNED_IN.test(target) && !SIGNED_IN.test(path) && !isLazyFromRoute(path, source, target)) {
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

/** Lists cycles in ROOMS. */
export function findRoomCycles(rooms: Readonly<Record<string, readonly string[]>> = ROOMS): string[] {
  const sources = Object.entries(rooms).map(
    ([room, targets]) => [room, targets.filter((target) => target.includes('/') && !target.endsWith('*'))] as const,
  );
  return findCyclesAmong(new Map(sources));
}

/**
 * Lists import cycles, including type imports. A type that both files need belongs in a third file.
 * @param sources text of each file by path
 */
export function findCycles(sources: ReadonlyMap<string, string>): string[] {
  return findCyclesAmong(new Map([...sources].map(([path, source]) => [path, importsOf(path, source)])));
}

/** Returns true for a dynamic import in a layout of app/, whose code is loaded only for signed-in users. */
function isLazyFromRoute(path: string, source: string, target: string): boolean {
  const isStatic = importsOf(path, source.replaceAll(/\bimport\s*\(\s*['"][^'"]+['"]/g, '')).includes(target);
  return roomOf(path) === 'app' && !isStatic;
}

function findCyclesAmong(targets: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, chain: readonly string[]): void => {
    const start = chain.indexOf(path);
    if (start >= 0) cycles.push(`Circular imports: ${[...chain.slice(start), path].join(' -> ')}`);
    if (done.has(path)) return;
    done.add(path);
    for (const target of targets.get(path) ?? []) visit(target, [...chain, path]);
  };
  for (const path of targets.keys()) visit(path, []);
  return cycles;
}

/** Lists all imported files, including type, side-effect and dynamic imports. */
function importsOf(path: string, source: string): string[] {
  const targets = source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g);
  return [...targets].map(([, target = '']) => normalize(join(dirname(path), target)));
}

/** Returns the folder of a file in app/ or packages/backend/src/, or its top-level folder. */
function roomOf(path: string): string {
  const [top = '', second, ...segments] = path.replace(/^packages\/backend\/src\//, 'backend/').split('/');
  return (top === 'app' || top === 'backend') && second && segments.length > 0 ? `${top}/${second}` : top;
}

if (import.meta.main) {
  const files = globSync('{app,server,supabase}/**/*.{ts,tsx}', {
    exclude: ['**/*.test.{ts,tsx}', '**/*.gen.ts'],
  });
  files.push(...globSync('packages/*/{src,tests,scripts,example}/**/*.{ts,js}'));
  const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const problems = [...sources]
    .flatMap(([file, source]) => forbiddenImports(file, source))
    .concat(findCycles(sources), findRoomCycles());
  for (const problem of problems) console.error(problem);
  process.exit(problems.length > 0 ? 1 : 0);
}
