/**
 * Samples on public pages: invented customers, quotes and people in the default texts and the starter content. The list
 * of samples is computed and not stored. A text counts as a sample until it is changed.
 */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { ContentTable, Update } from '../api/tables.ts';
import { sessionApi } from '../api/visitor-api.ts';
import { readSiteSettings } from '../settings/read-site-settings.ts';
import { SITE_SETTINGS } from '../settings/settings.ts';
import type { ContentKind } from './kind.ts';
import { SAMPLE_SECTIONS, type SampleSection } from './pages/samples.ts';
import { posts } from './posts/kind.ts';
import { projects } from './projects/kind.ts';
import { reviews } from './reviews/kind.ts';
import { teamMembers } from './team-members/kind.ts';

/** Titles and names of invented starter content (a test compares them with supabase/seed.sql). */
export const STARTER_ITEMS = [
  {
    kind: projects,
    titles: [
      'A pipeline that starts before eight',
      'From the spam folder back to the inbox',
      'The assistant that says “I do not know”',
      'Sweden with three people',
      'One list, cleaned for good',
    ],
  },
  {
    kind: reviews,
    titles: ['Ingrid Solheim', 'Amalie Thorsen', 'Sofie Halvorsen', 'Emil Strand', 'Magnus Sæther'],
  },
  { kind: teamMembers, titles: ['Sunniva Dahl', 'Henrik Aune', 'Maja Lindqvist', 'Tobias Renner'] },
  {
    kind: posts,
    titles: [
      'The forty-message rule',
      'SPF, DKIM and DMARC in one page',
      'Write the first line last',
      'What a chatbot should refuse',
      'Signals that predicted the last ten customers',
      'Handing over a system, properly',
    ],
  },
] satisfies { kind: Pick<ContentKind, 'table' | 'titleColumn'>; titles: string[] }[];

/**
 * Shows hidden samples again.
 *
 * @throws Error if they have been changed since they were hidden
 */
type Undo = () => Promise<void>;

export interface Sample {
  /** Number of samples, such as '5 projects' or '20 testimonials'. */
  title: string;
  names: string[];
  /** Editor for replacing the samples. */
  editor: { page: 'home' | 'about'; tab: string } | { kind: string } | { setting: string };
  /** Hides the samples on public pages. Undefined if hiding would leave a gap. */
  hide?: HideAction['hide'];
}

interface HideAction {
  title: string;
  hide: () => Promise<Undo>;
}

/** Lists the remaining samples in the order of the public pages. */
export const samplesQuery = queryOptions({
  queryKey: ['samples'],
  queryFn: async (): Promise<Sample[]> => {
    const [starters, saved, email] = await Promise.all([
      Promise.all(STARTER_ITEMS.map(({ kind, titles }) => starterSample(kind, titles))),
      savedSections(),
      savedContactEmail(),
    ]);
    const hasPublishedMembers = (await publishedTeamMembers()) > 0;
    const sections = SAMPLE_SECTIONS.filter(
      // The sample people are shown only if no team member is published.
      ({ page, name }) => !(hasPublishedMembers && page === 'about' && name === 'team' && !saved.has('about/team')),
    ).map((section) => sectionSample(section, saved.get(`${section.page}/${section.name}`)));
    return [...sections, ...starters, email].filter((sample) => sample !== null);
  },
  staleTime: 0,
});

/** Hides samples and returns the undo function. */
export const hideSampleMutation = mutationOptions({
  mutationKey: ['samples', 'hide'],
  mutationFn: ({ hide }: HideAction): Promise<Undo> => hide(),
  onSuccess: (_undo, _sample, _result, { client }) => client.invalidateQueries(),
});

export const showSampleMutation = mutationOptions({
  mutationKey: ['samples', 'show'],
  mutationFn: (undo: Undo) => undo(),
  onSuccess: (_nothing, _undo, _result, { client }) => client.invalidateQueries(),
});

async function starterSample(
  kind: Pick<ContentKind, 'table' | 'titleColumn' | 'path' | 'singular' | 'plural'>,
  titles: string[],
) {
  const { table, titleColumn, path, singular, plural } = kind;
  const { data } = await (await sessionApi())
    .from(table)
    .select('*')
    .eq('status', 'published')
    .in(titleColumn, titles)
    .order('created_at')
    .overrideTypes<({ id: string } & Record<string, unknown>)[], { merge: false }>()
    .throwOnError();
  if (data.length === 0) return null;
  const ids = data.map(({ id }) => id);
  const setStatus = async (from: string, status: string) => {
    const api = await sessionApi();
    await api.from(table).update<Update<ContentTable>>({ status }).in('id', ids).eq('status', from).throwOnError();
  };
  return {
    title: `${ids.length} ${ids.length === 1 ? singular : plural}`,
    names: data.map((row) => String(row[titleColumn])),
    editor: { kind: path },
    hide: async () => {
      await setStatus('published', 'draft');
      return () => setStatus('draft', 'published');
    },
  } satisfies Sample;
}

/** Reads the saved texts of sections with samples, keyed by 'page/section'. */
async function savedSections(): Promise<Map<string, string>> {
  const { data } = await (await sessionApi())
    .from('page_content')
    .select('page_slug, section_name, content')
    .in('page_slug', ['home', 'about'])
    .throwOnError();
  return new Map(data.map(({ page_slug, section_name, content }) => [`${page_slug}/${section_name}`, content]));
}

async function publishedTeamMembers(): Promise<number> {
  const { count } = await (await sessionApi())
    .from('team_members')
    .select('*', { count: 'exact', head: true })
    .eq('status', 'published')
    .throwOnError();
  return count ?? 0;
}

function sectionSample(
  { page, name, title, read, listNames, removeSamples }: SampleSection,
  saved: string | undefined,
): Sample | null {
  const content = read(saved);
  const names = listNames(content);
  if (names.length === 0) return null;
  return {
    title: title(names.length),
    names,
    editor: { page, tab: name },
    ...(removeSamples && { hide: () => saveWithUndo(page, name, JSON.stringify(removeSamples(content)), saved) }),
  };
}

async function saveWithUndo(page: string, name: string, text: string, before: string | undefined): Promise<Undo> {
  const api = await sessionApi();
  await api
    .from('page_content')
    .upsert(
      { page_slug: page, section_name: name, content: text, content_type: 'json' },
      { onConflict: 'page_slug,section_name' },
    )
    .throwOnError();
  return async () => {
    const table = api.from('page_content');
    const change = before === undefined ? table.delete() : table.update({ content: before });
    const { data } = await change
      .eq('page_slug', page)
      .eq('section_name', name)
      .eq('content', text)
      .select('id')
      .throwOnError();
    if (data.length === 0) throw new Error('This section has been changed since then. Nothing was overwritten.');
  };
}

async function savedContactEmail(): Promise<Sample | null> {
  const { data } = await (await sessionApi())
    .from('site_settings')
    .select('setting_key, setting_value')
    .eq('setting_key', 'contact_email')
    .throwOnError();
  const { contact_email: email } = readSiteSettings(data);
  if (email !== SITE_SETTINGS.contact_email.default) return null;
  return { title: 'The contact address in the settings', names: [email], editor: { setting: 'contact_email' } };
}
