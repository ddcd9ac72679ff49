/** Returns the route pattern of a URL: a small set of labels without personal data. */

/** Label for unknown paths, such as those that scanners request. */
export const OTHER = 'other';

const SERVER_ROUTES = [
  '/healthz',
  '/readyz',
  '/visits',
  '/domain-check',
  '/preview/:id',
  '/preview/:id/:path{.+}',
  '/assets/:file{.+}',
];
/** OAuth discovery path of an issuer with a path (packages/backend/src/create-backend.ts). */
const WELL_KNOWN = '/.well-known/:document/auth/v1';

/**
 * Creates the function that maps URLs to labels.
 * @param patterns paths with parameters as :name, :name{.+} or $name
 * @param files file paths, which share one label
 */
export function createRouteNames(patterns: readonly string[], files: Iterable<string>): (url: string) => string {
  const staticRoutes = new Map<string, string>();
  const withParameters: { matches: RegExp; name: string }[] = [];
  for (const file of files) if (!file.startsWith('/assets/')) staticRoutes.set(file, '/:file');
  for (const pattern of [...SERVER_ROUTES, WELL_KNOWN, ...patterns]) {
    const name = formatName(pattern);
    if (name.includes(':')) withParameters.push({ matches: toRegExp(pattern), name });
    else staticRoutes.set(name, name);
  }
  // Patterns with fewer parameters first: /admin/:kind/new is more specific than /admin/:kind/:page.
  withParameters.sort((a, b) => countParameters(a.name) - countParameters(b.name));
  return (url) => {
    const end = url.indexOf('?');
    const path = end < 0 ? url : url.slice(0, end);
    const route = staticRoutes.get(path) ?? withParameters.find(({ matches }) => matches.test(path))?.name;
    // Paths with a trailing slash are redirected.
    return route ?? (path.length > 1 ? staticRoutes.get(path.replace(/\/$/, '')) : undefined) ?? OTHER;
  };
}

/** Returns a function that checks whether a path matches one of the patterns. */
export function createRouteTest(patterns: readonly string[]): (path: string) => boolean {
  const matching = patterns.map(toRegExp);
  return (path) => matching.some((matches) => matches.test(path));
}

const PARAMETER = /:\w+(\{[^}]*\})?|\$\w+/g;

function formatName(pattern: string): string {
  const name = pattern.replaceAll(PARAMETER, (parameter) => `:${/\w+/.exec(parameter)?.[0]}`);
  return name.length > 1 && name !== '/rest/v1/' ? name.replace(/\/$/, '') : name;
}

function toRegExp(pattern: string): RegExp {
  const source = pattern
    .replace(/\/$/, '')
    .split(/(:\w+(?:\{[^}]*\})?|\$\w+)/)
    .map((part) => {
      if (part.includes('{')) return '.+';
      return /^[:$]\w/.test(part) ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    })
    .join('');
  return new RegExp(`^${source}/?$`);
}

const countParameters = (name: string) => name.split(':').length;
