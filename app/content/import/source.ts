/** Posts from another system, before their texts and pictures are converted. */

import { slugFromTitle } from '../../ui/lib/slug.ts';
import { UserError } from '../../ui/lib/user-error.ts';
import { decoded } from './alias.ts';

export interface SourcePost {
  title: string;
  slug: string;
  /** ISO time. Empty if unknown. */
  date: string;
  isPublished: boolean;
  category: string;
  excerpt: string;
  text: { html: string } | { markdown: string } | { lexical: string } | { mobiledoc: string };
  /** URL or path of the cover. */
  cover: string;
  /** Former slugs, and former paths without leading and trailing slashes. */
  aliases: string[];
  /** Folder of the file, from which relative paths start. */
  folder: string;
}

/** A note about content that was left out or changed. */
export interface ImportNote {
  /** Title of the post, or path of the file. */
  title: string;
  text: string;
}

export interface Source {
  system: 'WordPress' | 'Ghost' | 'Markdown';
  posts: SourcePost[];
  notes: ImportNote[];
  /** Hosts of the old site. */
  hosts: string[];
  /** Alt texts of pictures, keyed by URL. */
  alts: ReadonlyMap<string, string>;
}

/** Thrown if an import failed and some of its posts could not be removed. */
export class IncompleteImport extends Error {}

/** Creates the error for a file, with the line number (1-based) if known. */
export function fileError(path: string, line: number | undefined, text: string, cause?: unknown): UserError {
  return new UserError(`${path}${line ? `, line ${line}` : ''}: ${text}`, { cause });
}

/** Converts a time to ISO format. UTC is assumed if the time zone is missing. Returns '' for an invalid time. */
export function isoTime(text: string): string {
  const [, day, time = '00:00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d:\d\d(?::\d\d)?)(?:\.\d+)?)?(?:\s*(Z|[+-]\d\d:?\d\d))?$/.exec(text.trim()) ?? [];
  const moment = new Date(`${day}T${time}${zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`);
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString();
}

/** Returns a valid slug for a post, made from its title if the export has none. */
export function toSlug(slug: string, title: string): string {
  return slugFromTitle(decoded(slug) || title).slice(0, 300) || 'post';
}
