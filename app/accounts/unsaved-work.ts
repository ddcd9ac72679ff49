/**
 * Stores unsaved form input in this browser, by user and form, until it is saved or discarded. If storage is full,
 * blocked or missing, nothing is stored and no error is shown.
 */
import { createStore, del, delMany, entries, set, type UseStore } from 'idb-keyval';
import { z } from 'zod';
import { isDashboardRemembered } from './session-hint.ts';

const INTERVAL_MS = 2000;
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;

/** User, form key and form instance. Two tabs with the same form have separate entries. */
const keySchema = z.tuple([z.string(), z.string(), z.string()]);
type Key = z.infer<typeof keySchema>;

const workSchema = z.object({
  /** Field values, possibly with field names of an older build. */
  values: z.record(z.string(), z.unknown()),
  /** Version that the form opened, if it tracks versions. */
  base: z.unknown(),
  /** Timestamp in milliseconds. */
  keptAt: z.number(),
});

export interface KeptWork extends z.infer<typeof workSchema> {
  key: Key;
}

type Work = Pick<KeptWork, 'values' | 'base'>;

function newKey(userId: string, formKey: string): Key {
  return [userId, formKey, `${Date.now()}-${Math.random().toString(36).slice(2)}`];
}

let openedStore: UseStore | undefined;

function store(): UseStore {
  openedStore ??= createStore('unsaved-work', 'forms');
  return openedStore;
}

/** Reads all entries of all users. Entries that are invalid or older than 30 days are deleted. */
async function readAll(): Promise<KeptWork[]> {
  const storedEntries = await entries<Key, unknown>(store());
  const all = storedEntries.map(([key, work]) => ({ key, work: readWork(key, work) }));
  const invalidKeys = all.filter(({ work }) => !work).map(({ key }) => key);
  if (invalidKeys.length > 0) await delMany(invalidKeys, store());
  return all.flatMap(({ work }) => work ?? []);
}

function readWork(storedKey: unknown, stored: unknown): KeptWork | undefined {
  const key = keySchema.safeParse(storedKey);
  const work = workSchema.safeParse(stored);
  if (!key.success || !work.success || work.data.keptAt < Date.now() - MAX_AGE_MS) return undefined;
  return { key: key.data, ...work.data };
}

/** Reads a user's unsaved work in a form, newest first. */
export function listWork(userId: string, formKey: string): Promise<KeptWork[]> {
  return ignoreStorageErrors([], async () => {
    const all = await readAll();
    return all
      .filter(({ key }) => key[0] === userId && key[1] === formKey)
      .sort((first, second) => second.keptAt - first.keptAt);
  });
}

/** True if a user has any unsaved work in this browser. */
export function hasWork(userId: string): Promise<boolean> {
  return ignoreStorageErrors(false, async () => (await readAll()).some(({ key }) => key[0] === userId));
}

export function deleteWork(key: Key): Promise<void> {
  return ignoreStorageErrors(undefined, () => del(key, store()));
}

/** Stores form input that is about to be replaced. The form offers to restore the input when it is opened again. */
export function storeSeparately(userId: string, formKey: string, work: Work): Promise<void> {
  return ignoreStorageErrors(undefined, () => set(newKey(userId, formKey), { ...work, keptAt: Date.now() }, store()));
}

/** Deletes all unsaved work of a user in this browser. */
export function deleteAllWork(userId: string): Promise<void> {
  return ignoreStorageErrors(undefined, async () => {
    const keys = (await readAll()).map(({ key }) => key);
    const userKeys = keys.filter(([owner]) => owner === userId);
    await delMany(userKeys, store());
  });
}

async function ignoreStorageErrors<Result>(fallback: Result, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch {
    return fallback;
  }
}

/**
 * Stores the unsaved values of one form. `read` returns these values, or null if nothing changed. It is called right
 * after the first change and then at most every two seconds.
 */
export function autosaveWork(userId: string, formKey: string, read: () => Work | null) {
  const key = newKey(userId, formKey);
  let isStored = false;
  let hasChanged = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const write = () => {
    hasChanged = false;
    const work = read();
    // Signing out in any tab deletes the stored work. Nothing may be stored afterwards.
    if (work && !isDashboardRemembered()) return;
    if (work) {
      const entry = { ...work, keptAt: Date.now() };
      void ignoreStorageErrors(undefined, () => set(key, entry, store()));
    } else if (isStored) {
      void deleteWork(key);
    }
    isStored = work !== null;
  };
  const flush = () => {
    if (hasChanged) write();
  };
  const schedule = () => {
    timer = setTimeout(() => {
      timer = undefined;
      if (!hasChanged) return;
      write();
      schedule();
    }, INTERVAL_MS);
  };
  return {
    /** Call after every change. */
    changed() {
      hasChanged = true;
      if (timer !== undefined) return;
      write();
      schedule();
    },
    /** Stores pending changes immediately, because the form may be about to unmount. */
    flush,
    /** Stops tracking. The last state is kept, or deleted if `read` returns null. */
    end() {
      clearTimeout(timer);
      if (hasChanged || (isStored && !read())) write();
    },
  };
}
