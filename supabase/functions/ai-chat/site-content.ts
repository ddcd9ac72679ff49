/**
 * Reads the content for the assistant through the table API with the publishable key, so that drafts are not
 * accessible. Only admin settings are read with the secret key.
 */

import { type Language, parseLanguages } from './languages.ts';
import { type AllowedOrigins, parseOrigins } from './origins.ts';
import defaults from './section-defaults.json' with { type: 'json' };
import { sectionEntries } from './section-entries.ts';
import { DEFAULT_SITE_NAME, fillSiteName } from './site-name.ts';

export interface TableApi {
  /** Origin of the Supabase API, without a trailing slash. */
  apiUrl: string;
  publishableKey: string;
  secretKey: string;
  /** Sends requests to apiUrl: over the network, or to the backend in the same process. */
  fetch: (request: Request) => Response | Promise<Response>;
}

export interface Service {
  title: string;
  slug: string;
  short_description: string;
  long_description: string;
  timeline: string;
  pricing: string;
  deliverables: string[];
}

export interface Project {
  title: string;
  slug: string;
  company: string;
  metric: string;
  description: string;
  full_content: string;
}

export interface Post {
  title: string;
  slug: string;
  excerpt: string;
  content: string;
  category: string;
  published_date: string;
}

export interface TeamMember {
  name: string;
  position: string;
  bio: string;
}

/** A question with the editors' answer in Markdown. */
export interface FaqEntry {
  question: string;
  answer: string;
}

export interface Review {
  author_name: string;
  author_role: string;
  company: string;
  quote: string;
}

/** Item of any kind, as returned by the database function published_content(). */
export interface PublishedRow {
  /** Name of the table. */
  kind: string;
  title: string;
  /** Path for visitors, with {slug} as a placeholder. Null if the item has no page. */
  public_path: string | null;
  /** Searchable columns: texts and lists of texts. */
  text_columns: string[];
  item: Record<string, unknown>;
}

/** Published item for the search, with the page that shows it. Some kinds have their own fields. */
export type Published = { title: string; url: string; texts: string[] } & (
  | { kind: 'services'; item: Service }
  | { kind: 'projects'; item: Project }
  | { kind: 'posts'; item: Post }
  | { kind: 'team_members'; item: TeamMember }
  | { kind: 'faq'; item: FaqEntry }
  | { kind: 'reviews'; item: Review }
  | { kind: 'other' }
);

export interface PublishedContent {
  services: Service[];
  projects: Project[];
  posts: Post[];
  team: TeamMember[];
  reviews: Review[];
  /** Questions with the editors' answers. They take precedence over all other content. */
  faq: FaqEntry[];
  /** Searchable items. Items without a page are excluded. */
  published: Published[];
}

export interface SiteContent extends PublishedContent {
  /** Texts of page sections by "page/section", with {site} filled in. Unsaved field groups have their default. */
  sections: Map<string, Record<string, unknown>>;
  /** Public settings by key. Unsaved settings are missing. */
  settings: Map<string, string>;
  /** Languages of the assistant, the default first. */
  languages: readonly Language[];
  /** True if the chat may store an email address with the visitor's consent, so that a person can reply. */
  takesLeads: boolean;
  /** Admins' instructions to the assistant. */
  instructions: string;
  allowedOrigins: AllowedOrigins;
  /** True if the daily cap is 0. */
  isSwitchedOff: boolean;
}

/** Reads the content. Queries are limited, so that thousands of posts do not slow down the assistant. */
export async function readSiteContent(api: TableApi): Promise<SiteContent> {
  const [rows, sections, settings, privateSettings] = await Promise.all([
    select<PublishedRow>(api, 'rpc/published_content'),
    select<SavedSection>(api, 'page_content?select=page_slug,section_name,content&limit=50'),
    select<Setting>(api, 'site_settings?select=setting_key,setting_value'),
    select<Setting>(
      api,
      'site_settings?select=setting_key,setting_value&setting_key=in.(chat_instructions,chat_allowed_origins,chat_daily_cap,chat_languages,leads_from_chat)',
      api.secretKey,
    ),
  ]);
  const publicSettings = new Map(settings.map(({ setting_key, setting_value }) => [setting_key, setting_value]));
  const siteName = nameOfSite({ settings: publicSettings });
  const chat = new Map(privateSettings.map(({ setting_key, setting_value }) => [setting_key, setting_value]));
  const grouped = groupPublished(addBuiltInServices(rows));
  const shown = shownSections(sections, siteName, grouped.team.length > 0);
  return {
    ...grouped,
    published: [...grouped.published, ...sectionEntries(shown)],
    sections: shown,
    settings: new Map(
      [...publicSettings].map(([key, value]) => [key, key === 'site_name' ? value : fillSiteName(value, siteName)]),
    ),
    languages: parseLanguages(chat.get('chat_languages') ?? ''),
    takesLeads: chat.get('leads_from_chat') === 'on',
    instructions: fillSiteName(chat.get('chat_instructions') ?? '', siteName),
    allowedOrigins: parseOrigins(chat.get('chat_allowed_origins') ?? ''),
    isSwitchedOff: /^0{1,7}$/.test(chat.get('chat_daily_cap') ?? ''),
  };
}

/** Returns at most 8 posts that contain any of the words, best first. */
export async function searchPosts(api: TableApi, words: string[]): Promise<PublishedRow[]> {
  const response = await call(api, 'rpc/search_posts', api.publishableKey, {
    method: 'POST',
    body: JSON.stringify({ _words: words }),
  });
  return response.json();
}

/** Returns the name of the site, as on its pages. */
export function nameOfSite({ settings }: Pick<SiteContent, 'settings'>): string {
  const saved = settings.get('site_name');
  return saved?.trim() ? saved : DEFAULT_SITE_NAME;
}

/** Groups items by kind and validates the columns of each kind. */
export function groupPublished(rows: readonly PublishedRow[]): PublishedContent {
  const itemsOf = <Item>(table: string) => rows.flatMap(({ kind, item }) => (kind === table ? [item as Item] : []));
  return {
    services: itemsOf('services'),
    projects: itemsOf('projects'),
    posts: itemsOf('posts'),
    team: itemsOf('team_members'),
    reviews: itemsOf('reviews'),
    faq: itemsOf('faq'),
    published: rows.flatMap(({ kind, title, public_path, text_columns, item }) => {
      if (kind === 'reviews') return [toEntry(item)];
      if (public_path === null) return [];
      const url = public_path.replace('{slug}', encodeURIComponent(String(item['slug'])));
      const texts = text_columns.flatMap((column) => item[column] ?? []).map(String);
      return [{ kind: TYPED_KINDS.has(kind) ? kind : 'other', title, url, texts, item } as Published];
    }),
  };
}

/** Converts a review to a searchable entry. Reviews have no page of their own. */
function toEntry(item: Record<string, unknown>): Published {
  const review = item as unknown as Review;
  const { author_name, author_role, company, quote } = review;
  return {
    kind: 'reviews',
    title: author_name,
    url: '/#testimonials',
    texts: [author_role, company, quote],
    item: review,
  };
}

const TYPED_KINDS: ReadonlySet<string> = new Set<Published['kind']>([
  'services',
  'projects',
  'posts',
  'team_members',
  'faq',
]);

interface Setting {
  setting_key: string;
  setting_value: string;
}

/**
 * Counts a reply of the language model for the site and for an IP address ('' counts for the site only).
 * @returns claimed, or the daily limit that is reached: of the site or of the address
 */
export async function claimReply(api: TableApi, address: string): Promise<'claimed' | 'site' | 'address'> {
  const response = await callFunction(api, 'claim_chat_reply', { _address: address });
  const result: unknown = await response.json();
  return result === 'claimed' || result === 'address' ? result : 'site';
}

/** A saved test question at the time of the read. */
export interface Check {
  id: string;
  question: string;
  must_name: string[];
  must_not_name: string[];
  updated_at: string;
}

/**
 * Returns the saved test questions that the caller may read, oldest first. The policies return all of them to admins
 * and the service, and no rows to other callers.
 * @param headers of the caller: apikey and authorization
 * @throws TableApiError (401, 403) if the caller has no access
 */
export async function readChecks(api: TableApi, headers: HeadersInit, limit: number): Promise<Check[]> {
  const columns = 'id,question,must_name,must_not_name,updated_at';
  const path = `assistant_checks?select=${columns}&order=created_at,id&limit=${limit}`;
  return (await call(api, path, '', { headers })).json();
}

async function select<Row>(api: TableApi, query: string, key = api.publishableKey): Promise<Row[]> {
  const response = await call(api, query, key);
  return response.json();
}

/** Calls a database function that only the service may call. */
export function callFunction(api: TableApi, name: string, parameters: object): Promise<Response> {
  return call(api, `rpc/${name}`, api.secretKey, { method: 'POST', body: JSON.stringify(parameters) });
}

async function call(api: TableApi, path: string, key: string, init: RequestInit = {}): Promise<Response> {
  const response = await api.fetch(
    new Request(`${api.apiUrl}/rest/v1/${path}`, {
      headers: { apikey: key, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...init,
    }),
  );
  if (response.ok) return response;
  await response.body?.cancel();
  throw new TableApiError(response.status, path);
}

/** The table API rejected a request or failed. */
export class TableApiError extends Error {
  readonly status: number;

  constructor(status: number, path: string) {
    super(`The table API returned ${status} for ${path.split('?')[0]}`);
    this.status = status;
  }
}

interface SavedSection {
  page_slug: string;
  section_name: string;
  content: string;
}

/**
 * Returns all sections as their pages show them. Default team members are shown only while no team member is published.
 */
function shownSections(saved: readonly SavedSection[], siteName: string, hasTeam: boolean): SiteContent['sections'] {
  const shown = new Map<string, Record<string, unknown>>(Object.entries(defaults.sections));
  if (hasTeam) shown.delete('about/team');
  for (const { page_slug, section_name, content } of saved) {
    const key = `${page_slug}/${section_name}`;
    // Headings and the order of sections have no facts, so they have no built-in texts here.
    if (!Object.hasOwn(defaults.sections, key)) continue;
    shown.set(key, { ...shown.get(key), ...parseSection(content) });
  }
  return new Map([...shown].map(([key, section]) => [key, fillSiteName(section, siteName)]));
}

/** Adds the default services while no service is published, as on the site. */
function addBuiltInServices(rows: readonly PublishedRow[]): readonly PublishedRow[] {
  if (rows.some(({ kind }) => kind === 'services')) return rows;
  const builtIn = defaults.services.map((item) => ({ kind: 'services', title: item.title, ...SERVICE_COLUMNS, item }));
  return [...builtIn, ...rows];
}

const SERVICE_COLUMNS = {
  public_path: '/services',
  text_columns: ['short_description', 'long_description', 'timeline', 'pricing', 'deliverables'],
};

/** Returns an empty object for a saved text that is not a JSON object, as on the site. */
function parseSection(content: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(content);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
