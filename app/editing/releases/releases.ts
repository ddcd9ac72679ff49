/** Releases: changes that are published together. See supabase/schemas/editing. */
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
import { isInvalidId } from '../../api/error-code.ts';
import type { Row } from '../../api/tables.ts';
import { sessionApi } from '../../api/visitor-api.ts';
import { type Document, NOT_SAVED, type StoredRow, type Versioned } from '../document.ts';

const KEY = ['releases'];

/** Refetches on every visit, because other users edit the same releases and the site changes. */
const ALWAYS_REFETCHED = { staleTime: 0 } as const;

export interface ReleaseChange {
  id: string;
  release_id: string;
  /** Table name. */
  kind: string;
  /** Item id, 'home/hero' for a section, or the key of a setting. */
  item_id: string;
  action: 'create' | 'update' | 'delete';
  /** Full row after the change. Null for a deletion. */
  data: StoredRow | null;
  /** Row that was edited. Null for a new item. */
  base: StoredRow | null;
  /** Row before and after publishing. */
  before: StoredRow | null;
  after: StoredRow | null;
  changed_by: string | null;
  changed_at: string;
}

export type Release = Row<'releases'>;

/** A release with the ids of its changes. */
export type ReleaseInList = Release & { release_changes: { id: string }[] };

/** Reads a page (1-based) of releases. Unpublished releases come first, and each group is sorted newest first. */
export function releasesQuery(page: number) {
  return queryOptions({
    ...ALWAYS_REFETCHED,
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

/** Reads the open releases, newest first. */
export const openReleasesQuery = queryOptions({
  ...ALWAYS_REFETCHED,
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
  /** Names of the users who created, changed, scheduled or published the release, by id. */
  names: Map<string, string>;
}

/** Reads a release with its changes, or null. */
export function releaseQuery(id: string) {
  return queryOptions({
    ...ALWAYS_REFETCHED,
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
      if (error && isInvalidId(error)) return null;
      if (error) throw error;
      const [row] = data;
      if (!row) return null;
      const { release_changes: rows, ...release } = row;
      const userIds = [release.created_by, release.scheduled_by, release.published_by];
      return { release, changes: rows.map(toChange), names: await editorNames([...userIds, ...rows.map(authorId)]) };
    },
  });
}

function authorId({ changed_by }: { changed_by: string | null }): string | null {
  return changed_by;
}

function toChange(row: Row<'release_changes'>): ReleaseChange {
  const { action, data, base, before, after } = row;
  return {
    ...row,
    action: action === 'create' || action === 'delete' ? action : 'update',
    data: toStoredRow(data),
    base: toStoredRow(base),
    before: toStoredRow(before),
    after: toStoredRow(after),
  };
}

function toStoredRow(value: Json): StoredRow | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
}

/** Problem kinds returned by private.apply_release(). */
const PROBLEMS = ['conflict', 'edited', 'gone', 'schema', 'taken', 'refused'] as const;

/** Reason why a change cannot be published. */
export interface ReleaseProblem {
  changeId: string;
  problem: (typeof PROBLEMS)[number];
  message: string;
  /** Affected columns. */
  fields: string[];
  /** Current row on the site. Null if it does not exist or does not matter for the problem. */
  live: StoredRow | null;
}

/** Reads the problems that would prevent publishing the release now. */
export function releaseProblemsQuery(id: string) {
  return queryOptions({
    ...ALWAYS_REFETCHED,
    queryKey: [...KEY, 'problems', id],
    queryFn: async ({ signal }): Promise<ReleaseProblem[]> => {
      const api = await sessionApi();
      const { data } = await api.rpc('check_release', { _id: id }).abortSignal(signal).throwOnError();
      return data.map(({ change_id, problem, sentence: message, fields, live }) => ({
        changeId: change_id,
        problem: PROBLEMS.find((knownProblem) => knownProblem === problem) ?? 'refused',
        message,
        fields: fields ?? [],
        live: toStoredRow(live),
      }));
    },
  });
}

/** A pending change, as shown in the form of its item. */
export interface PendingChange {
  id: string;
  item_id: string;
  action: string;
  changed_at: string;
  release: { id: string; name: string; publish_at: string | null };
}

/** Reads all pending changes of a kind in one request, because the settings page has a form per setting. */
export function pendingChangesQuery(kind: string) {
  return queryOptions({
    ...ALWAYS_REFETCHED,
    queryKey: [...KEY, 'pending', kind],
    queryFn: async ({ signal }): Promise<PendingChange[]> => {
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

/** Reads a change and its release for the edit form. Refetches when the form opens, but never while it is open. */
export function editedChangeQuery(releaseId: string, filter: { id: string } | { kind: string; item_id: string }) {
  return queryOptions({
    queryKey: ['editing', 'release_changes', releaseId, filter],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<{ change: ReleaseChange; release: Release } | null> => {
      const { data, error } = await (await sessionApi())
        .from('release_changes')
        .select('*, releases!inner(*)')
        .eq('release_id', releaseId)
        .match(filter)
        .limit(1)
        .abortSignal(signal);
      if (error && isInvalidId(error)) return null;
      if (error) throw error;
      const [result] = data;
      if (!result) return null;
      const { releases: release, ...row } = result;
      return { change: toChange(row), release };
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

/** Returns a copy of a document that is saved to a release instead of the site. */
export function documentForChange(document: Document, change: ReleaseChange, release: Release): Document {
  const { id: _id, ...rest } = document;
  const { kind, item_id: itemId, action, base, changed_at: expectedChangedAt } = change;
  return {
    ...rest,
    formKey: `releases/${release.id}/${change.id}`,
    toasts: {
      ...document.toasts,
      created: ['Saved to the release', 'The site changes when the release is published.'],
      createFailed: 'Could not save to the release',
    },
    invalidatedQueryKeys: [KEY],
    save: async (values) => {
      const data = document.toRow(values);
      await saveToRelease({ kind, itemId, action, data, base, release: { id: release.id }, expectedChangedAt });
      return undefined;
    },
  };
}

interface SavedChange extends NewChange {
  /** An existing release, or the name of a new one. */
  release: { id: string } | { name: string };
  /** `changed_at` of the replaced change. */
  expectedChangedAt?: string | undefined;
}

/** Adds a change to a release. @throws PostgrestError (23505: duplicate slug, PT409: concurrent change)
 */
async function saveToRelease({
  kind,
  itemId,
  action,
  data,
  base,
  release,
  expectedChangedAt,
}: SavedChange): Promise<string> {
  const api = await sessionApi();
  const request = api.rpc('save_to_release', {
    _kind: kind,
    _item_id: itemId,
    _action: action,
    ...(data && { _data: data as Json }),
    ...(base && { _base: base as Json }),
    ...('id' in release ? { _release_id: release.id } : { _name: release.name }),
    ...(expectedChangedAt !== undefined && { _expected_changed_at: expectedChangedAt }),
  });
  return (await request.throwOnError()).data;
}

export const saveToReleaseMutation = mutationOptions({
  mutationKey: [...KEY, 'save'],
  mutationFn: saveToRelease,
  ...reloadOnSuccess(KEY),
});

/**
 * Builds the change for saving a document to a release.
 * @throws Error if someone else has saved the document since it was opened
 */
export async function buildChange(
  document: Document,
  values: FieldValues,
  openedVersion?: Versioned,
): Promise<NewChange> {
  const base = (document.loadRow ? await document.loadRow() : openedVersion?.row) ?? null;
  if (openedVersion && (base?.['updated_at'] ?? NOT_SAVED) !== openedVersion.version) {
    throw new Error('Someone else changed this on the site after you opened it. Reload it, then save it to a release.');
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

/** Renames a release, schedules it (ISO 8601), or removes the schedule (null). */
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

interface Resolution {
  changeId: string;
  keep: 'release' | 'site';
  live: StoredRow | null;
}

/** Resolves a conflict between a change and the site. `live` is the version that was shown. */
export const resolveConflictMutation = mutationOptions({
  mutationKey: [...KEY, 'resolve'],
  mutationFn: changeAsSignedIn((api, { changeId, keep, live }: Resolution) =>
    api.rpc('resolve_release_conflict', {
      _change_id: changeId,
      _keep: keep,
      ...(live && { _expected_updated_at: String(live['updated_at']) }),
    }),
  ),
  ...reloadOnSettled(KEY),
});

/** Publishes all changes of a release. If one of them fails, none are published and the reason is returned. */
export const publishReleaseMutation = mutationOptions({
  mutationKey: [...KEY, 'publish'],
  mutationFn: changeAsSignedIn((api, id: string) => api.rpc('publish_release', { _id: id })),
  // Any item, section or setting may have changed.
  ...reloadOnSettled([]),
});

/**
 * Creates a release that reverts a published one.
 * @returns its id
 */
export const undoReleaseMutation = mutationOptions({
  mutationKey: [...KEY, 'undo'],
  mutationFn: changeAsSignedIn((api, id: string) => api.rpc('undo_release', { _id: id })),
  ...reloadOnSuccess(KEY),
});
