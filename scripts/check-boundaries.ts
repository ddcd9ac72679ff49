/**
 * The dependency direction, checked: which folder may import from which, and that no file imports itself by way of others.
 * Part of `npm run check`. Outside packages and node: modules are Biome's business (biome.json).
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Modules of the kinds of content that visitors read, without the forms and the words of the admin area. */
const PUBLISHED = 'app/content/*/published*';

const APP_BASE = ['app/lib', 'app/host', 'app/ui', 'app/brand', 'app/data', 'app/theme'];
const SITE_BASE = [...APP_BASE, PUBLISHED];
/** Pieces that forms are made of, below the kinds of content. */
const FORM_PIECES = ['app/form', 'app/pictures', 'app/writer'];
const ADMIN_BASE = [...SITE_BASE, ...FORM_PIECES, 'app/admin/list', 'app/admin/co-editing', 'app/content'];
const BACKEND_BASE = ['backend', 'backend/database', 'backend/fairness', 'backend/http', 'backend/mail'];

/**
 * A folder may import itself and what stands here; a screen of the admin area that does not stand here, its shared pieces.
 * Files directly in app/ and packages/backend/src/ (here `backend`) put everything together. server/ imports the package by its name.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  'app/lib': ['supabase'],
  // The process that renders a page, and the page, tell each other.
  'app/host': ['app/lib'],
  'app/ui': ['app/lib', 'app/host'],
  'app/brand': ['app/lib', 'app/ui'],
  'app/data': ['app/lib', 'app/host', 'app/ui', 'app/brand', 'supabase'],
  'app/theme': ['app/lib', 'app/ui', 'app/brand', 'app/data'],
  [PUBLISHED]: APP_BASE,
  'app/form': APP_BASE,
  'app/pictures': [...APP_BASE, 'app/form'],
  // The bar for links knows where items are shown.
  'app/writer': [...SITE_BASE, 'app/form'],
  'app/content': [...SITE_BASE, ...FORM_PIECES],
  'app/sharing': [...SITE_BASE, 'app/content'],
  'app/gate': APP_BASE,
  'app/startup': APP_BASE,
  // Pages that the server draws for holders of preview links.
  'app/preview': APP_BASE,
  'app/navigation': APP_BASE,
  'app/footer': APP_BASE,
  // Booking a call, on the home page, behind the link in a mail, and in the chat.
  'app/booking': APP_BASE,
  'app/chat': [...APP_BASE, 'app/booking', 'supabase'],
  // The second step of signing in, on the sign-in page, above the admin area, and before an account is deleted.
  'app/factors': APP_BASE,
  // Following up a lead, in the admin area and on the team dashboard.
  'app/leads': [...APP_BASE, 'app/form'],
  // The rooms of clients, in the admin area and on both dashboards.
  'app/clients': [...APP_BASE, 'app/form', 'app/figures', 'app/reports', 'app/sources'],
  // Figures of clients: brought in the admin area and on the team dashboard, and read there and on the client's.
  'app/figures': [...APP_BASE, 'app/form'],
  // Events of campaigns and what is wrong with them, for those who work for a client.
  'app/sources': APP_BASE,
  // Reports to clients, beside their figures; the sheet on which a report of the client dashboard is drawn.
  'app/reports': [...APP_BASE, 'app/form'],
  'app/auth': [...APP_BASE, 'app/factors'],
  'app/portal': [...APP_BASE, 'app/factors', 'app/leads', 'app/clients', 'app/figures', 'app/reports'],
  // /chat-embed is a page that shows nothing but the chat.
  // Pages behind mailed links open the gate once their token has proved valid.
  'app/site': [...SITE_BASE, 'app/booking', 'app/chat', 'app/gate'],
  // Editors preview the very section of the site that they change.
  'app/admin/pages': [...ADMIN_BASE, 'app/admin/document', 'app/site', 'app/footer'],
  'app/admin/list': APP_BASE,
  'app/admin/co-editing': [...APP_BASE, 'app/form'],
  // Earlier versions of an item, beside every form.
  'app/admin/history': ADMIN_BASE,
  // Changes that wait to be published together; every form can save to one.
  'app/admin/releases': [...ADMIN_BASE, 'app/admin/history'],
  // The form of whatever is edited, with everything that attaches to it.
  'app/admin/document': [...ADMIN_BASE, 'app/admin/history', 'app/admin/releases'],
  'app/admin/clients': [...ADMIN_BASE, 'app/clients', 'app/figures'],
  'app/admin/content': [...ADMIN_BASE, 'app/admin/document', 'app/admin/previews', 'app/admin/releases'],
  // The latest changes are told in the words of the history.
  'app/admin/dashboard': [...ADMIN_BASE, 'app/admin/history', 'app/leads', 'app/gate'],
  'app/admin/leads': [...ADMIN_BASE, 'app/leads'],
  'app/admin/previews': [...ADMIN_BASE, 'app/preview'],
  'app/admin/settings': [...ADMIN_BASE, 'app/admin/document', 'app/admin/history'],
  'app/admin/shell': [...ADMIN_BASE, 'app/admin', 'app/factors'],
  'app/admin': [...ADMIN_BASE, 'app/admin/shell'],
  app: ['app/*'],
  // Turns, rooms and budgets that strangers share.
  'backend/fairness': [],
  'backend/database': ['backend/fairness'],
  'backend/http': ['backend/database', 'backend/fairness', 'backend'],
  // Starts and stops the built-in Postgres server.
  'backend/postgres': ['backend/database'],
  'backend/mail': ['backend', 'backend/database', 'backend/http'],
  'backend/auth': BACKEND_BASE,
  'backend/rest': BACKEND_BASE,
  'backend/storage': BACKEND_BASE,
  // Archives that move a site between homes.
  'backend/moving': [...BACKEND_BASE, 'backend/storage', 'backend/point-in-time'],
  // The log of the built-in database in a second place, and the way back to a moment.
  'backend/point-in-time': [...BACKEND_BASE, 'backend/postgres', 'backend/storage'],
  backend: ['backend/*'],
  supabase: [],
  server: ['supabase', 'app/host', 'app/gate', 'app/preview', 'app/data'],
};

/** Lists the forbidden imports of a file; `path` is relative to the project. */
export function forbiddenImports(path: string, source: string): string[] {
  const from = folderOf(path);
  const allowed = MAY_IMPORT[from] ?? (from.startsWith('app/admin/') ? ADMIN_BASE : undefined);
  if (!allowed) return [`${path}: name the folder ${from}/ in scripts/check-boundaries.ts`];
  return importsOf(path, source).flatMap((target) => {
    const to = folderOf(target);
    const isAllowed = to === from || allowed.includes(to) || allowed.includes(`${to.split('/')[0]}/*`);
    return isAllowed
      ? []
      : [`${path} must not import ${target}: ${from}/ may import ${allowed.join(', ') || 'nothing'}`];
  });
}

/**
 * Lists the circles of imports, those of types included: a type that both files need belongs into one below them.
 * @param sources the text of each file by its path
 */
export function circles(sources: ReadonlyMap<string, string>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, way: readonly string[]): void => {
    const begin = way.indexOf(path);
    if (begin >= 0) found.push(`Imports in a circle: ${[...way.slice(begin), path].join(' -> ')}`);
    if (done.has(path)) return;
    done.add(path);
    for (const target of importsOf(path, sources.get(path) ?? '')) visit(target, [...way, path]);
  };
  for (const path of sources.keys()) visit(path, []);
  return found;
}

/** Lists the files that a file imports, be it for types, for their effect or on demand. */
function importsOf(path: string, source: string): string[] {
  const targets = source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g);
  return [...targets].map(([, target = '']) => normalize(join(dirname(path), target)));
}

function folderOf(path: string): string {
  const [top = '', second, ...rest] = path.replace(/^packages\/backend\/src\//, 'backend/').split('/');
  if (/^app\/content\/[^/]+\/published[^/]*$/.test(path)) return PUBLISHED;
  if (path.startsWith('app/admin/') && rest.length > 1) return `app/admin/${rest[0]}`;
  return (top === 'app' || top === 'backend') && second && rest.length > 0 ? `${top}/${second}` : top;
}

if (import.meta.main) {
  const files = globSync('{app,packages/*/src,server,supabase}/**/*.{ts,tsx}', {
    exclude: ['**/*.test.{ts,tsx}', '**/*.gen.ts'],
  });
  const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const problems = [...sources].flatMap(([file, source]) => forbiddenImports(file, source)).concat(circles(sources));
  for (const problem of problems) console.error(problem);
  process.exit(problems.length > 0 ? 1 : 0);
}
