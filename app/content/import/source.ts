/** Posts of another system, before their texts and pictures are converted. */
import { Refusal } from '../../ui/lib/refusal.ts';
import { slugFromTitle } from '../../ui/lib/slug.ts';
import { decoded } from './alias.ts';

export interface SourcePost {
  title: string;
  slug: string;
  /** ISO time, or empty. */
  date: string;
  isPublished: boolean;
  category: string;
  excerpt: string;
  text: { html: string } | { markdown: string } | { lexical: string } | { mobiledoc: string };
  /** URL or path of the cover. */
  cover: string;
  /** Former slugs, and former paths without slashes at their ends. */
  aliases: string[];
  /** Folder of the file, from which relative paths start. */
  folder: string;
}

/** Part of an export that was left out or changed. */
export interface ImportNote {
  /** Title of the post, or another name of the part. */
  title: string;
  text: string;
}

export interface Source {
  system: 'WordPress' | 'Ghost' | 'Markdown';
  posts: SourcePost[];
  notes: ImportNote[];
  /** Hosts of the old site. */
  hosts: string[];
  /** Alternative texts of pictures by URL. */
  alts: ReadonlyMap<string, string>;
}

/** Error that left posts of an import behind. */
export class IncompleteImport extends Error {}

/** Error in a file with its line, from 1. */
export function fileError(path: string, line: number | undefined, text: string, cause?: unknown): Refusal {
  return new Refusal(`${path}${line ? `, line ${line}` : ''}: ${text}`, { cause });
}

/** Parses a time without a time zone as UTC. Empty if it is not a time. */
export function isoTime(text: string): string {
  const [, day, time = '00:00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d:\d\d(?::\d\d)?)(?:\.\d+)?)?(?:\s*(Z|[+-]\d\d:?\d\d))?$/.exec(text.trim()) ?? [];
  const moment = new Date(`${day}T${time}${zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`);
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString();
}

/** Last part of the URL of a post. Slashes, question marks and hashes would end it. */
export function slugOf(slug: string, title: string): string {
  return slugFromTitle(decoded(slug) || title).slice(0, 300) || 'post';
}
