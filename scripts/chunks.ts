import { globSync } from 'node:fs';
import type { Plugin, Rolldown } from 'vite';

/** Screens that need a signed-in user. The portal's layout is shared with the sign-in page. */
export const SIGNED_IN_SCREENS = /\/app\/(clients\/reports\/report\.route|(.+\/)?(admin|portal)\/(?!portal\.route))/;

/** Component of a route, or a section of the home page that hydrates later. */
const PAGE = /\?(tsr-split=component|tss-hydrate=)/;

/**
 * Returns a test for modules by the end of their path, without the extension.
 * @throws Error for a missing file of the application, because a renamed module would silently get its own file
 */
function modules(...names: string[]): (id: string) => boolean {
  const missing = names.find((name) => name.startsWith('app/') && globSync(`${name}.{ts,tsx}`).length === 0);
  if (missing) throw new Error(`scripts/chunks.ts names ${missing}, which does not exist.`);
  return (id) => {
    const path = id.replace(/\.\w+$/, '');
    return names.some((name) => path.endsWith(`/${name}`));
  };
}

/** Tiny modules that nearly every public page needs. Each would cost more in HTTP headers than in code. */
const TINY_MODULES = modules(
  ...['useSuspenseQuery', 'arrow-left', 'arrow-right', 'pause', 'play', 'paging', 'use-site-zone'],
  ...['app/ui/cover', 'app/ui/drawing', 'app/ui/lib/format-date', 'app/ui/lib/seeded-random'],
  ...['app/ui/lib/use-media-query', 'app/ui/lib/use-on-screen'],
);

/** Header, lists and fields, which most public pages share. */
const SHARED_LAYOUT = modules(
  ...['app/site/closing-band', 'app/site/list-state', 'app/site/page-header', 'app/ui/empty-state', 'app/ui/field'],
  ...['app/ui/form', 'app/ui/input', 'app/ui/privacy-note'],
);

/** Code of buttons that send a request, which every page linked from an email needs. */
const ACTIONS = modules(
  ...['useMutation', 'mutationObserver', 'mutationOptions', 'app/api/gate/grant', 'app/api/idempotency-key'],
  ...['app/ui/card', 'app/ui/show-error', 'app/ui/lib/plain-error', 'app/ui/use-mutation-with-toasts'],
);

/** Small parts of signed-in screens that the calendar and other lazy-loaded parts for visitors also need. */
const SHARED_PARTS = modules(
  ...['app/ui/badge', 'app/ui/callout', 'app/ui/load-error', 'app/ui/pagination', 'app/ui/relative-time'],
  ...['app/ui/search-box', 'app/ui/select', 'app/ui/lib/format-ago', 'app/ui/lib/format-bytes'],
  ...['app/ui/lib/format-time', 'app/ui/lib/user-error', 'app/ui/lib/today', 'app/api/as-signed-in'],
  ...['app/clients/approvals/criteria', 'app/clients/leads/lead-schema'],
  ...['app/api/device-clock', 'app/api/rejected-writes', 'chevron-down', 'chevron-left', 'chevron-right', 'info'],
  ...['lightbulb', 'circle-exclamation-point', 'octagon-exclamation-point', 'triangle-exclamation-point'],
);

/** Small parts that a few signed-in screens share, fewer than MIN_SCREENS. */
const SIGNED_IN_PARTS = modules(
  ...['app/accounts/use-sign-out', 'app/admin/shell/use-sign-in-again', 'app/ui/sheet', 'app/ui/form/local-time'],
);

const ICON = /\/lucide-react\/.+\/icons\/([\w-]+)\.\w+$/;

/** Forms of page sections and of items, which the admin area shares with editing on the page. */
const SECTION_FORMS = /\/app\/admin\/pages\/(?!.+\.route\.tsx)/;
const ITEM_FORMS =
  /\/app\/(content\/admin\/(content-form|(edit|new)-item|item-actions)|ui\/form\/(slug|status)-field|editing\/previews\/item-preview)\.tsx$/;

/** Minimum number of screens that share a module in the common chunk of signed-in screens. */
const MIN_SCREENS = 7;

type Context = Pick<Rolldown.PluginContext, 'getModuleInfo'>;

/**
 * JavaScript files of the site. By default, Rolldown creates one for each set of screens that share a module, so an admin
 * form would load more than 100 files.
 */
export const CHUNKS: Rolldown.CodeSplittingGroup[] = [
  { name: 'site', tags: ['$initial'] },
  { name: 'small', test: TINY_MODULES, includeDependenciesRecursively: false },
  { name: 'headed', test: SHARED_LAYOUT, includeDependenciesRecursively: false },
  { name: 'actions', test: ACTIONS, includeDependenciesRecursively: false },
  { name: 'dialogs', test: /\/app\/ui\/(confirm-)?dialog\.tsx$/ },
  { name: 'zod', test: /\/(node_modules\/zod\/|app\/ui\/lib\/(email-pattern|one-line)\.)/ },
  { name: 'forms', test: /\/node_modules\/(react-hook-form|@hookform)\// },
  { name: 'pieces', test: SHARED_PARTS, includeDependenciesRecursively: false },
  {
    name: (id, context) => (ICON.test(id) ? nameSignedIn(id, context) && 'icons' : null),
    debugName: 'icons',
    minShareCount: 2,
  },
  { name: 'section-forms', test: SECTION_FORMS, includeDependenciesRecursively: false },
  { name: 'item-forms', test: ITEM_FORMS, includeDependenciesRecursively: false },
  { name: 'signed-in-parts', test: SIGNED_IN_PARTS, includeDependenciesRecursively: false },
  { name: nameSignedIn, debugName: 'signed-in', minShareCount: MIN_SCREENS, includeDependenciesRecursively: false },
  { name: nameByUse, debugName: 'by use', minShareCount: 2, includeDependenciesRecursively: false },
];

/** Names the chunk of code that only signed-in users load. */
function nameSignedIn(id: string, context: Context): string | null {
  return isForVisitors(id, context) ? null : 'signed-in';
}

const namesByUse = new Map<string, string>();

/** Names the chunk of modules that the same public pages, or else the same lazy-loaded parts, need. */
function nameByUse(id: string, context: Context): string | null {
  if (id.includes('/node_modules/') && !ICON.test(id)) return null;
  const entries = visitorEntriesOf(id, context);
  const pages = entries.filter((entry) => PAGE.test(entry));
  const key = (pages.length > 0 ? pages : entries).join();
  if (!key) return null;
  const name = namesByUse.get(key) ?? `shared-${namesByUse.size}`;
  namesByUse.set(key, name);
  return name;
}

/** Answers of `isForVisitors`. They stay valid, because a process builds once. */
const visitorModules = new Map<string, boolean>();

/** Returns true if visitors can load the module, through an import chain without screens that need a sign-in. */
function isForVisitors(id: string, context: Context): boolean {
  const visited = new Set([id]);
  for (const importer of visited) {
    const known = visitorModules.get(importer);
    const { isEntry, dynamicImporters } = linksOf(importer, context);
    if (known || isEntry) {
      visitorModules.set(id, true);
      return true;
    }
    if (known === false || SIGNED_IN_SCREENS.test(importer)) continue;
    for (const next of [...importersOf(importer, context), ...dynamicImporters]) visited.add(next);
  }
  for (const importer of visited) visitorModules.set(importer, false);
  return false;
}

/** Returns the pages and lazy-loaded parts for visitors that need the module when they load. */
function visitorEntriesOf(id: string, context: Context): string[] {
  const visited = new Set([id]);
  const entries: string[] = [];
  for (const importer of visited) {
    if (linksOf(importer, context).dynamicImporters.length > 0) entries.push(importer);
    else for (const next of importersOf(importer, context)) visited.add(next);
  }
  return entries.filter((entry) => isForVisitors(entry, context)).sort();
}

type Links = Pick<Rolldown.ModuleInfo, 'importers' | 'dynamicImporters' | 'isEntry'>;

/** Links of each module. `getModuleInfo` copies the code of the module, which took a sixth of the build. */
const links = new Map<string, Links>();

function linksOf(id: string, context: Context): Links {
  let found = links.get(id);
  if (!found) {
    const { importers = [], dynamicImporters = [], isEntry = false } = context.getModuleInfo(id) ?? {};
    found = { importers, dynamicImporters, isEntry };
    links.set(id, found);
  }
  return found;
}

/** Returns the static importers. For an icon, these are the modules that use it and not the index of all icons. */
function importersOf(id: string, context: Context): readonly string[] {
  const { importers } = linksOf(id, context);
  const icon = ICON.exec(id)?.[1];
  if (!icon) return importers;
  const name = icon.replaceAll(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase());
  const isImported = new RegExp(`\\b${name}\\b[^}]*\\} from ["']lucide-react`);
  const users = importers.flatMap((index) => linksOf(index, context).importers);
  const matches = users.filter((importer) => isImported.test(context.getModuleInfo(importer)?.code ?? ''));
  // The icon is imported by an alias.
  return matches.length > 0 ? matches : users;
}

/** Stops the build if a page or lazy-loaded part for visitors imports the code of signed-in screens. */
export function separateVisitorCode(): Plugin {
  return {
    name: 'separate-visitor-code',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    generateBundle(_options, bundle) {
      for (const [file, chunk] of Object.entries(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.facadeModuleId || !isForVisitors(chunk.facadeModuleId, this)) continue;
        const path = findSignedInPath(file, bundle);
        if (path) this.error(`${path.join(' imports ')}, which visitors must not load. See scripts/chunks.ts.`);
      }
    },
  };
}

/** Returns the import path from a file to the code of signed-in screens, or undefined. */
function findSignedInPath(
  file: string,
  bundle: Rolldown.OutputBundle,
  visited = new Set<string>(),
): string[] | undefined {
  if (file.startsWith('assets/signed-in-')) return [file];
  const chunk = bundle[file];
  if (visited.has(file) || chunk?.type !== 'chunk') return undefined;
  visited.add(file);
  for (const imported of chunk.imports) {
    const path = findSignedInPath(imported, bundle, visited);
    if (path) return [file, ...path];
  }
  return undefined;
}
