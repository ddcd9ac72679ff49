/**
 * Returns the pattern that answers the address of a request: one of a small number of names, none of which tells who
 * asked for what.
 */

/** Pattern of all other addresses, such as those that scanners try. */
export const OTHER = 'other';

const OWN = [
  '/healthz',
  '/readyz',
  '/visits',
  '/domain-check',
  '/preview/:id',
  '/preview/:id/:path{.+}',
  '/assets/:file{.+}',
];
/** Address at which clients look for the documents of an issuer with a path (packages/backend/src/create-backend.ts). */
const WELL_KNOWN = '/.well-known/:document/auth/v1';

/**
 * @param patterns paths with parameters as :name, :name{.+} or $name
 * @param files paths of files, which count as one
 */
export function createRouteNames(patterns: readonly string[], files: Iterable<string>): (url: string) => string {
  const exact = new Map<string, string>();
  const matched: { matches: RegExp; name: string }[] = [];
  for (const file of files) if (!file.startsWith('/assets/')) exact.set(file, '/:file');
  for (const pattern of [...OWN, WELL_KNOWN, ...patterns]) {
    const name = nameOf(pattern);
    if (name.includes(':')) matched.push({ matches: toRegExp(pattern), name });
    else exact.set(name, name);
  }
  // /admin/:kind/new is more than /admin/:kind/:page would be: what has fewer parameters is asked first.
  matched.sort((one, other) => parameters(one.name) - parameters(other.name));
  return (url) => {
    const end = url.indexOf('?');
    const path = end < 0 ? url : url.slice(0, end);
    const found = exact.get(path) ?? matched.find(({ matches }) => matches.test(path))?.name;
    // The site answers an address with a slash at its end with a redirect to the one without.
    return found ?? (path.length > 1 ? exact.get(path.replace(/\/$/, '')) : undefined) ?? OTHER;
  };
}

/** Tells the paths that one of the patterns answers. */
export function createRouteTest(patterns: readonly string[]): (path: string) => boolean {
  const matching = patterns.map(toRegExp);
  return (path) => matching.some((matches) => matches.test(path));
}

const PARAMETER = /:\w+(\{[^}]*\})?|\$\w+/g;

function nameOf(pattern: string): string {
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

const parameters = (name: string) => name.split(':').length;
