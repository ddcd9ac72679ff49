/**
 * Storage of what somebody wrote in a form and has not saved, kept in this browser for each person and place until it
 * is saved or discarded. If storage is full, blocked or gone, writing goes on undisturbed: then nothing is kept, and
 * nothing is said.
 */
import { createStore, del, delMany, entries, set, type UseStore } from 'idb-keyval';
import { z } from 'zod';
import { isDashboardRemembered } from './session-hint.ts';

const KEEP_MS = 2000;
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;

/** Person, place and opened form of the writing: two tabs on one form keep one each. */
const keySchema = z.tuple([z.string(), z.string(), z.string()]);
type Key = z.infer<typeof keySchema>;

const workSchema = z.object({
  /** The fields of the form as an older build of it may have named them. */
  values: z.record(z.string(), z.unknown()),
  /** Version that the form opened, if it knows one; the writing is based on it. */
  base: z.unknown(),
  /** Time of the writing, in milliseconds. */
  keptAt: z.number(),
});

export interface KeptWork extends z.infer<typeof workSchema> {
  key: Key;
}

type Work = Pick<KeptWork, 'values' | 'base'>;

function newKey(person: string, place: string): Key {
  return [person, place, `${Date.now()}-${Math.random().toString(36).slice(2)}`];
}

let openedStore: UseStore | undefined;

function store(): UseStore {
  openedStore ??= createStore('unsaved-work', 'forms');
  return openedStore;
}

/** Everything that is kept, of all persons, without what is older than 30 days or cannot be read: that is removed. */
async function readAll(): Promise<KeptWork[]> {
  const found = await entries<Key, unknown>(store());
  const all = found.map(([key, work]) => ({ key, work: readWork(key, work) }));
  const spoiled = all.filter(({ work }) => !work).map(({ key }) => key);
  if (spoiled.length > 0) await delMany(spoiled, store());
  return all.flatMap(({ work }) => work ?? []);
}

function readWork(storedKey: unknown, stored: unknown): KeptWork | undefined {
  const key = keySchema.safeParse(storedKey);
  const work = workSchema.safeParse(stored);
  if (!key.success || !work.success || work.data.keptAt < Date.now() - MAX_AGE_MS) return undefined;
  return { key: key.data, ...work.data };
}

/** Reads what a person left unsaved at a place, the newest first. */
export function findWork(person: string, place: string): Promise<KeptWork[]> {
  return quietly([], async () => {
    const all = await readAll();
    return all
      .filter(({ key }) => key[0] === person && key[1] === place)
      .sort((first, second) => second.keptAt - first.keptAt);
  });
}

/** Tells whether a person left anything unsaved anywhere in this browser. */
export function hasWork(person: string): Promise<boolean> {
  return quietly(false, async () => (await readAll()).some(({ key }) => key[0] === person));
}

export function dropWork(key: Key): Promise<void> {
  return quietly(undefined, () => del(key, store()));
}

/** Keeps a state of a form that something else takes the place of: it is offered when the form is opened the next time. */
export function keepBeside(person: string, place: string, work: Work): Promise<void> {
  return quietly(undefined, () => set(newKey(person, place), { ...work, keptAt: Date.now() }, store()));
}

/** Forgets all that a person left unsaved in this browser. */
export function dropWorkOf(person: string): Promise<void> {
  return quietly(undefined, async () => {
    const keys = (await readAll()).map(({ key }) => key);
    const theirs = keys.filter(([owner]) => owner === person);
    await delMany(theirs, store());
  });
}

async function quietly<Result>(without: Result, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch {
    return without;
  }
}

/**
 * Keeps the state of one opened form. `read` gives what is unsaved in it, or null when there is nothing; it is asked at
 * once after a change, and then at most every two seconds.
 */
export function keepWork(person: string, place: string, read: () => Work | null) {
  const key = newKey(person, place);
  let isKept = false;
  let hasChanged = false;
  let resting: ReturnType<typeof setTimeout> | undefined;

  const write = () => {
    hasChanged = false;
    const work = read();
    // Signing out, in whichever tab, forgets the dashboard and what was kept; nothing may be kept after that.
    if (work && !isDashboardRemembered()) return;
    if (work) {
      const kept = { ...work, keptAt: Date.now() };
      void quietly(undefined, () => set(key, kept, store()));
    } else if (isKept) {
      void dropWork(key);
    }
    isKept = work !== null;
  };
  const flush = () => {
    if (hasChanged) write();
  };
  const rest = () => {
    resting = setTimeout(() => {
      resting = undefined;
      if (!hasChanged) return;
      write();
      rest();
    }, KEEP_MS);
  };
  return {
    /** Called after every change. */
    changed() {
      hasChanged = true;
      if (resting !== undefined) return;
      write();
      rest();
    },
    /** Keeps at once what changed since the last time, because the form may be about to go. */
    flush,
    /** Ends it: the last state stays kept, and goes when `read` finds nothing unsaved. */
    end() {
      clearTimeout(resting);
      if (hasChanged || (isKept && !read())) write();
    },
  };
}
