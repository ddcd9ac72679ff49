/**
 * The licences of all dependencies, those of dependencies too, held against a list. Part of `npm run check`. The
 * licence of a package is the one in its package.json, as npm writes it into the lock file.
 */
import { readFileSync } from 'node:fs';

/**
 * Licences under which code may be used and passed on with ours, closed or open. The last three are for parts that stay
 * unchanged.
 */
const ALLOWED = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Zlib'],
  ...['CC0-1.0', 'Unlicense', 'Python-2.0', 'CC-BY-4.0', 'OFL-1.1'],
  ...['MPL-2.0', 'LGPL-3.0', 'LGPL-3.0-or-later'],
]);

/** Licences that their authors wrote elsewhere, or not in the usual words. */
const READ_BY_HAND: Record<string, string> = {
  // Its README says so.
  'combine-errors': 'MIT',
  'xml-escape': 'MIT',
};

interface LockFile {
  /** Packages by folder. Outside node_modules are the project itself, with the name '', and its workspaces. */
  packages: Record<string, { license?: string; version?: string; link?: boolean }>;
}

/** Returns one sentence for each package whose licence is not on the list. */
export function refusedLicences({ packages }: LockFile): string[] {
  return Object.entries(packages).flatMap(([folder, { license, version = '', link: isWorkspace }]) => {
    if (!folder.includes('node_modules/') || isWorkspace) return [];
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const licence = READ_BY_HAND[name] ?? license ?? 'no declared licence';
    if (isAllowed(licence)) return [];
    return [`${name} ${version} has ${licence}, which scripts/check-licences.ts does not allow.`];
  });
}

/** 'A', 'A OR B' and 'A AND B' of the SPDX expressions; anything more is refused. */
function isAllowed(licence: string): boolean {
  return licence
    .replace(/^\((.*)\)$/, '$1')
    .split(' AND ')
    .every((part) => part.split(' OR ').some((one) => ALLOWED.has(one)));
}

if (import.meta.main) {
  const lock: LockFile = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
  const refused = refusedLicences(lock);
  for (const sentence of refused) console.error(sentence);
  process.exit(refused.length > 0 ? 1 : 0);
}
