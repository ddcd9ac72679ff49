/**
 * Checks the licences of all dependencies, direct and transitive, against an allowlist. Part of `npm run check`. The
 * licence comes from package.json, as recorded in the lock file.
 */
import { readFileSync } from 'node:fs';

/**
 * Licences that allow use and distribution with ours, open or closed source. The licences in the last line allow this
 * for unmodified parts.
 */
const ALLOWED = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Zlib'],
  ...['CC0-1.0', 'Unlicense', 'WTFPL', 'Python-2.0', 'CC-BY-4.0', 'OFL-1.1'],
  ...['MPL-2.0', 'LGPL-3.0', 'LGPL-3.0-or-later', 'CC BY-SA 4.0'],
]);

/** Licences that are declared elsewhere or in unusual wording. */
const MANUAL_LICENCES: Record<string, string> = {
  // Declared in its README.
  'combine-errors': 'MIT',
  'xml-escape': 'MIT',
};

interface LockFile {
  /** Packages by folder. The project itself is '', and workspaces are outside node_modules. */
  packages: Record<string, { license?: string; version?: string; link?: boolean }>;
}

/** Returns a message for each package with a licence that is not allowed. */
export function findRejectedLicences({ packages }: LockFile): string[] {
  return Object.entries(packages).flatMap(([folder, { license, version = '', link: isWorkspace }]) => {
    if (!folder.includes('node_modules/') || isWorkspace) return [];
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const licence = MANUAL_LICENCES[name] ?? license ?? 'no declared licence';
    if (isAllowed(licence)) return [];
    return [`${name} ${version} has ${licence}, which scripts/check-licences.ts does not allow.`];
  });
}

/** Checks 'A', 'A OR B' and 'A AND B' of SPDX expressions. Others are rejected. */
function isAllowed(licence: string): boolean {
  return licence
    .replace(/^\((.*)\)$/, '$1')
    .split(' AND ')
    .every((part) => part.split(' OR ').some((licence) => ALLOWED.has(licence)));
}

if (import.meta.main) {
  const lock: LockFile = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
  const problems = findRejectedLicences(lock);
  for (const problem of problems) console.error(problem);
  process.exit(problems.length > 0 ? 1 : 0);
}
