/** Reads a page's report of one visit, at most 300 bytes, and takes from it what is believable. */
import { isIP } from 'node:net';
import { z } from 'zod';

/** The most that a page may say, in bytes. */
export const MAX_BYTES = 300;

/**
 * Longest counted reading, more than an article takes: a person who is away leaves the page open. More counts as this.
 */
const MAX_SECONDS = 30 * 60;

const DEVICES = ['phone', 'tablet', 'desktop'] as const;

/** A page that was viewed, or a chat that was opened. */
export type Visit = View | 'chat';

export interface View {
  /** A path of the list of public pages, or of an article that may exist. */
  page: string;
  /** The host that led here, '' when none did; null when the visit came from another page of the site. */
  referrer: string | null;
  device: (typeof DEVICES)[number];
  /** Time that an article was on the screen; null of every other page. */
  seconds: number | null;
}

const beacon = z.union([
  z.strictObject({
    page: z.string().startsWith('/'),
    from: z.string().optional(),
    device: z.enum(DEVICES),
    seconds: z.number().int().min(0),
  }),
  z.strictObject({ chat: z.literal(true) }),
]);

export interface SiteFacts {
  /** Paths of the public pages. */
  pages: ReadonlySet<string>;
  /** The host of the site, which is no referrer. */
  host: string;
}

/** Reads the visit that a beacon tells of; null when it is none, or of a page that does not exist. */
export function readVisit(body: string, { pages, host }: SiteFacts): Visit | null {
  const told = beacon.safeParse(parseJson(body)).data;
  if (!told) return null;
  if ('chat' in told) return 'chat';
  const page = decodePath(told.page);
  const isArticle = page !== null && /^\/news\/[^/]+$/.test(page);
  if (page === null || !(isArticle || pages.has(page))) return null;
  return {
    page,
    referrer: told.from === undefined ? null : readReferrer(told.from, host),
    device: told.device,
    seconds: isArticle ? Math.min(told.seconds, MAX_SECONDS) : null,
  };
}

function readReferrer(given: string, ownHost: string): string | null {
  if (given === '') return '';
  const host = given.toLowerCase().replace(/^www\./, '');
  if (
    host ===
    ownHost
      .toLowerCase()
      .replace(/:\d+$/, '')
      .replace(/^www\./, '')
  )
    return null;
  const isName = host.length <= 100 && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host) && !isIP(host);
  return isName ? host : 'other';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns the path as slugs are written; null when no text of the database can hold it. */
function decodePath(path: string): string | null {
  try {
    const decoded = decodeURIComponent(path);
    return decoded.includes('\0') ? null : decoded;
  } catch {
    return null;
  }
}
