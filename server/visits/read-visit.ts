/** Parses and validates the visit report that a page sends. */
import { isIP } from 'node:net';
import { z } from 'zod';

/** Maximum size of a report in bytes. */
export const MAX_BYTES = 300;

/** Maximum counted reading time. A longer time usually means an abandoned tab, and counts as the maximum. */
const MAX_SECONDS = 30 * 60;

const DEVICES = ['phone', 'tablet', 'desktop'] as const;

/** Page view or opened chat. */
export type Visit = View | 'chat';

export interface View {
  /** Public page path, or the path of an article that may not exist. */
  page: string;
  /** Referring host, '' if unknown, null for navigation within the site. */
  referrer: string | null;
  device: (typeof DEVICES)[number];
  /** Reading time of an article. Null for other pages. */
  seconds: number | null;
}

const beaconSchema = z.union([
  z.strictObject({
    page: z.string().startsWith('/'),
    from: z.string().optional(),
    device: z.enum(DEVICES),
    seconds: z.number().int().min(0),
  }),
  z.strictObject({ chat: z.literal(true) }),
]);

export interface SiteInfo {
  pages: ReadonlySet<string>;
  /** Host of the site, which does not count as a referrer. */
  host: string;
}

/** Parses a visit beacon. Returns null if it is invalid or the page does not exist. */
export function readVisit(body: string, { pages, host }: SiteInfo): Visit | null {
  const report = beaconSchema.safeParse(parseJson(body)).data;
  if (!report) return null;
  if ('chat' in report) return 'chat';
  const page = decodePath(report.page);
  const isArticle = page !== null && /^\/news\/[^/]+$/.test(page);
  if (page === null || !(isArticle || pages.has(page))) return null;
  return {
    page,
    referrer: report.from === undefined ? null : readReferrer(report.from, host),
    device: report.device,
    seconds: isArticle ? Math.min(report.seconds, MAX_SECONDS) : null,
  };
}

function readReferrer(referrer: string, ownHost: string): string | null {
  if (referrer === '') return '';
  const host = referrer.toLowerCase().replace(/^www\./, '');
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

/** Decodes the path. Returns null if Postgres text cannot hold it. */
function decodePath(path: string): string | null {
  try {
    const decoded = decodeURIComponent(path);
    return decoded.includes('\0') ? null : decoded;
  } catch {
    return null;
  }
}
