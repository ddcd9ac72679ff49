import type { Plugin, Rolldown } from 'vite';

/** Screens that need a signed-in user. The portal's layout is shared with the sign-in page. */
export const SIGNED_IN_SCREENS = /\/app\/(clients\/reports\/report\.route|(.+\/)?(admin|portal)\/(?!portal\.route))/;

/** Component of a route, or a section of the home page that hydrates later. */
const PAGE = /\?(tsr-split=component|tss-hydrate=)/;

/** Tiny modules that nearly every public page needs. Each would cost more in HTTP headers than in code. */
const TINY_MODULES =
  /\/(useSuspenseQuery|arrow-(left|right)|pause|play|paging|use-site-zone|app\/ui\/(cover|drawing|lib\/(format-date|seeded-random|use-(media-query|on-screen))))\.\w+$/;

/** Header, lists and fields, which most public pages share. */
const SHARED_LAYOUT =
  /\/app\/(site\/(closing-band|list-state|page-header)|ui\/(empty-state|field|form|input|privacy-note))\.tsx$/;

/** Code of buttons that send a request, which every page linked from an email needs. */
const ACTIONS =
  /\/(useMutation|mutation(Observer|Options)|app\/(api\/(gate\/grant|idempotency-key)|ui\/(card|show-error|lib\/(plain-error|zoned-times)|use-mutation-with-toasts)))\.\w+$/;

/** Small parts of signed-in screens that the calendar and other lazy-loaded parts for visitors also need. */
const SHARED_PARTS =
  /\/(app\/(clients\/(approvals\/criteria|leads\/lead-schema)|ui\/(badge|callout|load-error|pagination|relative-time|search-box|select|lib\/(format-ago|format-bytes|format-time|refusal|today))|api\/(as-signed-in|device-clock|rejected-writes))|chevron-(down|left|right)|info|lightbulb|(circle|octagon|triangle)-exclamation-point)\.\w+$/;

/** Small parts that a few signed-in screens share, fewer than MIN_SCREENS. */
const SIGNED_IN_PARTS =
  /\/app\/(accounts\/use-sign-out|admin\/shell\/use-sign-in-again|ui\/(sheet|form\/local-time))\.\w+$/;

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
