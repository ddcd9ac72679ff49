/**
 * What the assistant knows: the published content, read through the table API with the publishable key, so that a draft
 * cannot reach it. Only the settings that are for admins are read with the secret key.
 */

import { parseOrigins } from './origins.ts';

export interface TableApi {
  /** Origin of the Supabase API, without a trailing slash. */
  apiUrl: string;
  publishableKey: string;
  secretKey: string;
  /** Reaches apiUrl: the network, or the backend of the same process. */
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

interface Review {
  author_name: string;
  author_role: string;
  company: string;
  quote: string;
}

export interface SiteContent {
  services: Service[];
  projects: Project[];
  posts: Post[];
  team: TeamMember[];
  reviews: Review[];
  /** Saved texts of page sections by "page/section"; sections that were never saved are missing. */
  sections: Map<string, Record<string, unknown>>;
  /** Public settings by key; settings that were never saved are missing. */
  settings: Map<string, string>;
  /** The admins' instructions to the assistant. */
  instructions: string;
  /** Origins that may use the chat; empty means any. */
  allowedOrigins: string[];
}

/** Queries are bounded, so that a site with thousands of posts does not slow its assistant down. */
export async function readSiteContent(api: TableApi): Promise<SiteContent> {
  const [services, projects, posts, team, reviews, sections, settings, privateSettings] = await Promise.all([
    select<Service>(
      api,
      'services?select=title,slug,short_description,long_description,timeline,pricing,deliverables' +
        '&status=eq.published&order=display_order.asc&limit=50',
    ),
    select<Project>(
      api,
      'projects?select=title,slug,company,metric,description,full_content' +
        '&status=eq.published&order=display_order.asc&limit=50',
    ),
    select<Post>(
      api,
      'posts?select=title,slug,excerpt,content,category,published_date' +
        '&status=eq.published&order=published_date.desc,created_at.desc&limit=100',
    ),
    select<TeamMember>(
      api,
      'team_members?select=name,position,bio&status=eq.published&order=display_order.asc&limit=50',
    ),
    select<Review>(
      api,
      'reviews?select=author_name,author_role,company,quote&status=eq.published&order=display_order.asc&limit=20',
    ),
    select<{ page_slug: string; section_name: string; content: string }>(
      api,
      'page_content?select=page_slug,section_name,content&limit=50',
    ),
    select<Setting>(api, 'site_settings?select=setting_key,setting_value'),
    select<Setting>(
      api,
      'site_settings?select=setting_key,setting_value&setting_key=in.(chat_instructions,chat_allowed_origins)',
      api.secretKey,
    ),
  ]);
  const chat = new Map(privateSettings.map(({ setting_key, setting_value }) => [setting_key, setting_value]));
  return {
    services,
    projects,
    posts,
    team,
    reviews,
    sections: new Map(
      sections.map(({ page_slug, section_name, content }) => [`${page_slug}/${section_name}`, parseSection(content)]),
    ),
    settings: new Map(settings.map(({ setting_key, setting_value }) => [setting_key, setting_value])),
    instructions: chat.get('chat_instructions') ?? '',
    allowedOrigins: parseOrigins(chat.get('chat_allowed_origins') ?? ''),
  };
}

interface Setting {
  setting_key: string;
  setting_value: string;
}

/** Counts one reply. @returns false when today's cap is reached */
export async function claimReply(api: TableApi): Promise<boolean> {
  return (await call(api, 'POST', 'rpc/claim_chat_reply', api.secretKey)) === true;
}

async function select<Row>(api: TableApi, query: string, key = api.publishableKey): Promise<Row[]> {
  return (await call(api, 'GET', query, key)) as Row[];
}

async function call(api: TableApi, method: string, path: string, key: string): Promise<unknown> {
  const response = await api.fetch(
    new Request(`${api.apiUrl}/rest/v1/${path}`, {
      method,
      headers: { apikey: key, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(method === 'POST' ? { body: '{}' } : {}),
    }),
  );
  if (!response.ok) throw new Error(`The table API answered ${response.status} to ${path.split('?')[0]}`);
  return response.json();
}

/** Saved texts that are not a JSON object count as not saved, as on the site itself. */
function parseSection(content: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(content);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
