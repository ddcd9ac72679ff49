/** Releases: changes of content that are published together. The tables are in supabase/schemas/editing. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import type { FieldValues } from 'react-hook-form';
import { editorNames } from '../../accounts/editor-names.ts';
import {
  changeAsSignedIn,
  readAsSignedIn,
  readPageAsSignedIn,
  reloadOnSettled,
  reloadOnSuccess,
} from '../../api/as-signed-in.ts';
import type { Json } from '../../api/database.types.ts';
import { isNoId } from '../../api/error-code.ts';
import type { Row } from '../../api/tables.ts';
import { sessionApi } from '../../api/visitor-api.ts';
import { type Document, NOT_SAVED, type StoredRow, type Versioned } from '../document.ts';

const KEY = ['releases'];

/** Others work on the same releases, and the site changes under them. */
const FRESH = { staleTime: 0 } as const;

export interface ReleaseChange {
  id: string;
  release_id: string;
  /** The table. */
  kind: string;
  /** The item's id; 'home/hero' for a section, the key of a setting. */
  item_id: string;
  action: 'create' | 'update' | 'delete';
  /** The whole row as it will be; null: it is deleted. */
  data: StoredRow | null;
  /** The row that was edited; null: it is new. */
  base: StoredRow | null;
  /** The row before and after publishing. */
  before: StoredRow | null;
  after: StoredRow | null;
  changed_by: string | null;
  changed_at: string;
}

export type Release = Row<'releases'>;

/** A release with the ids of what it changes. */
export type ReleaseInList = Release & { release_changes: { id: string }[] };

/** Reads a page (from 1) of all releases: first those that wait, then the published ones, the newest first. */
export function releasesQuery(page: number) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'list', page],
    placeholderData: keepPreviousData,
    queryFn: readPageAsSignedIn(page, (api) =>
      api
        .from('releases')
        .select('*, release_changes(id)', { count: 'exact' })
        .order('published_at', { ascending: false, nullsFirst: true })
        .order('created_at', { ascending: false })
        .order('id'),
    ),
  });
}

/** Releases that a change can be added to, the newest first. */
export const openReleasesQuery = queryOptions({
  ...FRESH,
  queryKey: [...KEY, 'open'],
  queryFn: readAsSignedIn((api) =>
    api
      .from('releases')
      .select('id, name, publish_at, failure')
      .is('published_at', null)
      .order('created_at', { ascending: false })
      .limit(100),
  ),
});

export interface ReleaseWithChanges {
  release: Release;
  changes: ReleaseChange[];
  /** Names of the people that it mentions, by their ids. */
  names: Map<string, string>;
}

/** Reads one release with everything in it; null when it does not exist. */
export function releaseQuery(id: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'one', id],
    queryFn: async ({ signal }): Promise<ReleaseWithChanges | null> => {
      const api = await sessionApi();
      const { data, error } = await api
        .from('releases')
        .select('*, release_changes(*)')
        .eq('id', id)
        .order('kind', { referencedTable: 'release_changes' })
        .order('changed_at', { referencedTable: 'release_changes' })
        .limit(1)
        .abortSignal(signal);
      if (error && isNoId(error)) return null;
      if (error) throw error;
      const [found] = data;
      if (!found) return null;
      const { release_changes: rows, ...release } = found;
      const people = [release.created_by, release.scheduled_by, release.published_by];
      return { release, changes: rows.map(asChange), names: await editorNames([...people, ...rows.map(byWhom)]) };
    },
  });
}

function byWhom({ changed_by }: { changed_by: string | null }): string | null {
  return changed_by;
}

function asChange(row: Row<'release_changes'>): ReleaseChange {
  const { action, data, base, before, after } = row;
  return {
    ...row,
    action: action === 'create' || action === 'delete' ? action : 'update',
    data: asRow(data),
    base: asRow(base),
    before: asRow(before),
    after: asRow(after),
  };
}

function asRow(value: Json): StoredRow | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
}

/** As private.apply_release() finds them. */
const PROBLEMS = ['conflict', 'edited', 'gone', 'schema', 'taken', 'refused'] as const;

/** Obstacle to publishing. */
export interface ReleaseProblem {
  changeId: string;
  problem: (typeof PROBLEMS)[number];
  sentence: string;
  /** The columns in question. */
  fields: string[];
  /** The item as the site has it; null: it has none, or that does not matter. */
  live: StoredRow | null;
}

/** Reads what would stand in the way of publishing the release now. */
export function releaseProblemsQuery(id: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'problems', id],
    queryFn: async ({ signal }): Promise<ReleaseProblem[]> => {
      const api = await sessionApi();
      const { data } = await api.rpc('check_release', { _id: id }).abortSignal(signal).throwOnError();
      return data.map(({ change_id, problem, sentence, fields, live }) => ({
        changeId: change_id,
        problem: PROBLEMS.find((one) => one === problem) ?? 'refused',
        sentence,
        fields: fields ?? [],
        live: asRow(live),
      }));
    },
  });
}

/** A change that waits in a release, as the form of its item tells about it. */
export interface WaitingChange {
  id: string;
  item_id: string;
  action: string;
  changed_at: string;
  release: { id: string; name: string; publish_at: string | null };
}

/** Everything of a kind that waits in releases, in one call: the settings page has a form for each of many items. */
export function waitingChangesQuery(kind: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'waiting', kind],
    queryFn: async ({ signal }): Promise<WaitingChange[]> => {
      const { data } = await (await sessionApi())
        .from('release_changes')
        .select('id, item_id, action, changed_at, releases!inner(id, name, publish_at)')
        .eq('kind', kind)
        .is('releases.published_at', null)
        .order('changed_at')
        .abortSignal(signal)
        .throwOnError();
      return data.map(({ releases, ...change }) => ({ ...change, release: releases }));
    },
  });
}

/**
 * Reads one change with its release, for the form that edits it: when the form opens, and never again while somebody
 * edits.
 */
export function editedChangeQuery(releaseId: string, where: { id: string } | { kind: string; item_id: string }) {
  return queryOptions({
    queryKey: ['editing', 'release_changes', releaseId, where],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<{ change: ReleaseChange; release: Release } | null> => {
      const { data, error } = await (await sessionApi())
        .from('release_changes')
        .select('*, releases!inner(*)')
        .eq('release_id', releaseId)
        .match(where)
        .limit(1)
        .abortSignal(signal);
      if (error && isNoId(error)) return null;
      if (error) throw error;
      const [found] = data;
      if (!found) return null;
      const { releases: release, ...row } = found;
      return { change: asChange(row), release };
    },
  });
}

export interface NewChange {
  kind: string;
  itemId: string;
  action: ReleaseChange['action'];
  data: StoredRow | null;
  base: StoredRow | null;
}

/** The document that a change in a release makes of another one: it is saved in the release, over nothing. */
export function changeDocument(document: Document, change: ReleaseChange, release: Release): Document {
  const { id: _id, ...rest } = document;
  const { kind, item_id: itemId, action, base, changed_at: seen } = change;
  return {
    ...rest,
    place: `releases/${release.id}/${change.id}`,
    toasts: {
      ...document.toasts,
      created: ['Saved to the release', 'Nothing changes on the site before it is published.'],
      createFailed: 'Error saving to the release',
    },
    shownBy: [KEY],
    save: async (values) => {
      const data = document.toRow(values);
      await saveToRelease({ kind, itemId, action, data, base, release: { id: release.id }, seen });
      return undefined;
    },
  };
}

interface SavedChange extends NewChange {
  /** A release that is there, or the name of a new one. */
  release: { id: string } | { name: string };
  /** `changed_at` of the change that this one replaces. */
  seen?: string | undefined;
}

/** Puts a change into a release. @throws PostgrestError (23505: the slug is taken; PT409: somebody else was faster) */
async function saveToRelease({ kind, itemId, action, data, base, release, seen }: SavedChange): Promise<string> {
  const api = await sessionApi();
  const saved = api.rpc('save_to_release', {
    _kind: kind,
    _item_id: itemId,
    _action: action,
    ...(data && { _data: data as Json }),
    ...(base && { _base: base as Json }),
    ...('id' in release ? { _release_id: release.id } : { _name: release.name }),
    ...(seen !== undefined && { _seen: seen }),
  });
  return (await saved.throwOnError()).data;
}

export const saveToReleaseMutation = mutationOptions({
  mutationKey: [...KEY, 'save'],
  mutationFn: saveToRelease,
  ...reloadOnSuccess(KEY),
});

/**
 * Returns the change that saving a document to a release makes.
 * @throws Error when somebody saved another version since it was opened, where that is looked up
 */
export async function changeOf(document: Document, values: FieldValues, opened?: Versioned): Promise<NewChange> {
  const base = (document.loadRow ? await document.loadRow() : opened?.row) ?? null;
  if (opened && (base?.['updated_at'] ?? NOT_SAVED) !== opened.version) {
    throw new Error(
      'Somebody else changed this on the site after you opened it. Open it anew, then save it to a release.',
    );
  }
  const { kind, id = crypto.randomUUID() } = document;
  return { kind, itemId: id, action: base ? 'update' : 'create', data: document.toRow(values), base };
}

export const createReleaseMutation = mutationOptions({
  mutationKey: [...KEY, 'create'],
  mutationFn: async (name: string): Promise<string> => {
    const api = await sessionApi();
    const { data } = await api.from('releases').insert({ name }).select('id').single().throwOnError();
    return data.id;
  },
  ...reloadOnSuccess(KEY),
});

/** Renames a release, plans when it is published (ISO 8601), or takes the plan back (null). */
export const changeReleaseMutation = mutationOptions({
  mutationKey: [...KEY, 'change'],
  mutationFn: changeAsSignedIn((api, { id, ...values }: { id: string; name?: string; publish_at?: string | null }) =>
    api.from('releases').update(values).eq('id', id),
  ),
  ...reloadOnSuccess(KEY),
});

export const deleteReleaseMutation = mutationOptions({
  mutationKey: [...KEY, 'delete'],
  mutationFn: changeAsSignedIn((api, id: string) => api.from('releases').delete().eq('id', id)),
  ...reloadOnSuccess(KEY),
});

export const removeChangeMutation = mutationOptions({
  mutationKey: [...KEY, 'remove'],
  mutationFn: changeAsSignedIn((api, id: string) => api.from('release_changes').delete().eq('id', id)),
  ...reloadOnSuccess(KEY),
});

interface Settlement {
  changeId: string;
  keep: 'release' | 'site';
  live: StoredRow | null;
}

/** Decides about a change that met another one on the site; `live` is what was looked at. */
export const settleChangeMutation = mutationOptions({
  mutationKey: [...KEY, 'settle'],
  mutationFn: changeAsSignedIn((api, { changeId, keep, live }: Settlement) =>
    api.rpc('settle_release_change', {
      _change_id: changeId,
      _keep: keep,
      ...(live && { _seen: String(live['updated_at']) }),
    }),
  ),
  ...reloadOnSettled(KEY),
});

/** Publishes everything in a release or, with a sentence that says why, nothing. */
export const publishReleaseMutation = mutationOptions({
  mutationKey: [...KEY, 'publish'],
  mutationFn: changeAsSignedIn((api, id: string) => api.rpc('publish_release', { _id: id })),
  // Any item, section or setting may be another one now.
  ...reloadOnSettled([]),
});

/** Makes a release that takes a published one back. @returns its id */
export const undoReleaseMutation = mutationOptions({
  mutationKey: [...KEY, 'undo'],
  mutationFn: changeAsSignedIn((api, id: string) => api.rpc('undo_release', { _id: id })),
  ...reloadOnSuccess(KEY),
});
