/** Finds the files that posts refer to among the files of an import. */

import { decoded } from './alias.ts';
import type { ImportFile } from './import-files.ts';

const TYPES: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
  heic: 'image/heic',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  pdf: 'application/pdf',
};

/** Returns the MIME type for a file name, or undefined for a type that posts cannot contain. */
export function getMimeType(path: string): string | undefined {
  return TYPES[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''];
}

/** Returns a function that finds a file by a URL or path. Relative paths start at `folder`. */
export function createFileFinder(files: readonly ImportFile[]) {
  const byName = Map.groupBy(
    files.filter(({ path }) => getMimeType(path)),
    ({ path }) => getFileName(path),
  );
  return (reference: string, folder: string): ImportFile | undefined => {
    for (const path of candidatePaths(reference, folder)) {
      const matches = (byName.get(getFileName(path)) ?? []).map((file) => ({
        file,
        common: countCommonSegments(path, file.path),
      }));
      const [bestMatch] = matches
        .filter(({ common }) => common > 0)
        .sort((first, second) => second.common - first.common || first.file.path.length - second.file.path.length);
      if (bestMatch) return bestMatch.file;
    }
    return undefined;
  };
}

function getFileName(path: string): string {
  return (path.split('/').at(-1) ?? '').toLowerCase();
}

/** Returns the paths at which the file may be, with the original first, followed by copies resized by WordPress. */
function candidatePaths(reference: string, folder: string): string[] {
  const url = URL.parse(reference.replace(/^__GHOST_URL__/, ''), `https://old.invalid/${folder ? `${folder}/` : ''}`);
  if (!url || !/^https?:$/.test(url.protocol)) return [];
  const path = decoded(url.pathname).slice(1);
  const original = path.replace(/-\d+x\d+(?=\.\w+$)/, '').replace(/\/size\/w\d+(h\d+)?(\/format\/\w+)?\//, '/');
  return [
    ...new Set([original, path, original.replace(/(?=\.\w+$)/, '-scaled'), original.replace(/-scaled(?=\.\w+$)/, '')]),
  ];
}

/**
 * Returns the number of equal path segments at the ends of two paths. Returns 0 unless the whole shorter path matches, or
 * at least three segments match. Exports store files by year, month and name.
 */
function countCommonSegments(first: string, second: string): number {
  const [firstParts, secondParts] = [first, second].map((path) => path.toLowerCase().split('/').reverse());
  const firstDifference = firstParts?.findIndex((part, index) => part !== secondParts?.[index]) ?? 0;
  const commonCount = firstDifference < 0 ? (firstParts?.length ?? 0) : firstDifference;
  return commonCount >= Math.min(firstParts?.length ?? 0, secondParts?.length ?? 0, 3) ? commonCount : 0;
}
