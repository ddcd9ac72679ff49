/** Three-way merge of a document, field by field. */

/** A field that both users changed to different values. */
export interface MergeConflict {
  path: MergePath;
  /** Undefined if removed from a list. */
  theirs: unknown;
  mine: unknown;
}

/** Path of object keys and list entries. An entry has an identity and a name for display. */
export type MergePath = readonly (string | { id: string; name: string })[];

export interface Merge<Value> {
  value: Value;
  /** Paths that only the other user changed. The merge uses their value. */
  mergedPaths: readonly MergePath[];
  /** Paths that both users changed. The merge uses my value unless theirs is selected. */
  conflicts: readonly MergeConflict[];
}

/** Fields that identify list entries, in order of preference. */
const IDENTITIES = ['id', 'tempId', 'platform'];

type Entry = Readonly<Record<string, unknown>>;

interface Versions {
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

interface MergeState {
  mergedPaths: MergePath[];
  conflicts: MergeConflict[];
  selectsTheirs: (path: MergePath) => boolean;
}

/**
 * Merges objects by key, and lists by entry if all entries have an identity (id, tempId, platform). Other values are
 * merged as a whole.
 * @param base common ancestor
 * @param selectsTheirs selects their value for a conflict. Default: mine
 */
export function mergeThreeWay<Value>(
  base: Value,
  mine: Value,
  theirs: Value,
  selectsTheirs: (path: MergePath) => boolean = () => false,
): Merge<Value> {
  const state: MergeState = { mergedPaths: [], conflicts: [], selectsTheirs };
  // Every part of the result is taken from one of the three values, so the result has their type.
  const value = merge({ base, mine, theirs }, [], state) as Value;
  return { value, mergedPaths: state.mergedPaths, conflicts: state.conflicts };
}

function merge({ base, mine, theirs }: Versions, path: MergePath, state: MergeState): unknown {
  if (isDeepEqual(mine, theirs) || isDeepEqual(base, theirs)) return mine;
  if (isDeepEqual(base, mine)) {
    state.mergedPaths.push(path);
    return theirs;
  }
  if (isObject(mine) && isObject(theirs)) return mergeObjects(isObject(base) ? base : {}, mine, theirs, path, state);
  const identity = findIdentity(mine, theirs, base);
  if (identity) return mergeLists(identity, { base, mine, theirs }, path, state);
  state.conflicts.push({ path, theirs, mine });
  return state.selectsTheirs(path) ? theirs : mine;
}

function mergeObjects(base: Entry, mine: Entry, theirs: Entry, path: MergePath, state: MergeState): Entry {
  const keys = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])];
  const merged = keys.map((key) => [
    key,
    merge({ base: base[key], mine: mine[key], theirs: theirs[key] }, [...path, key], state),
  ]);
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
}

/** Merges two lists in my order if I changed it, otherwise in theirs. Added entries stay after their predecessor. */
function mergeLists(identity: string, versions: Versions, path: MergePath, state: MergeState): Entry[] {
  const [base, theirs] = [indexByIdentity(identity, versions.base), indexByIdentity(identity, versions.theirs)];
  const mine = indexByIdentity(identity, renumberMine(identity, versions.mine, base, theirs));
  const shared = (list: Entries) => [...list.keys()].filter((key) => base.has(key) && mine.has(key) && theirs.has(key));
  const [first, second] = isDeepEqual(shared(base), shared(mine)) ? [theirs, mine] : [mine, theirs];
  const merged: Entry[] = [];
  for (const key of mergeKeys([...first.keys()], [...second.keys()])) {
    const entries = { base: base.get(key), mine: mine.get(key), theirs: theirs.get(key) };
    const segment = { id: key, name: displayName(entries.mine ?? entries.theirs) ?? key };
    const entry = merge(entries, [...path, segment], state);
    if (isObject(entry)) merged.push(entry);
  }
  return merged;
}

type Entries = ReadonlyMap<string, Entry>;

function indexByIdentity(identity: string, list: unknown): Entries {
  return new Map(listEntries(list).map((entry) => [String(entry[identity]), entry]));
}

/** Gives an entry of `mine` a new number if both users added an entry with the same number. */
function renumberMine(identity: string, mine: unknown, base: Entries, theirs: Entries): Entry[] {
  const numbers = [...listEntries(mine), ...theirs.values()].map((entry) => Number(entry[identity]));
  let highest = Math.max(...numbers);
  return listEntries(mine).map((entry) => {
    const key = String(entry[identity]);
    const isDuplicate = typeof entry[identity] === 'number' && !base.has(key) && theirs.has(key);
    return isDuplicate && !isDeepEqual(entry, theirs.get(key)) ? { ...entry, [identity]: ++highest } : entry;
  });
}

/** Returns the display name of an entry, which is the first of these fields that is not empty. */
function displayName(entry: Entry = {}): string | undefined {
  const texts = [entry['name'], entry['by'], entry['label'], entry['platform']];
  return texts.find((text): text is string => typeof text === 'string' && text !== '');
}

function listEntries(list: unknown): Entry[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Returns the keys of the first list. Keys found only in the second list are inserted after their predecessor. */
function mergeKeys(first: readonly string[], second: readonly string[]): string[] {
  const keys = [...first];
  for (const [index, key] of second.entries()) {
    if (keys.includes(key)) continue;
    const predecessor = second[index - 1];
    keys.splice(predecessor === undefined ? 0 : keys.indexOf(predecessor) + 1, 0, key);
  }
  return keys;
}

/** Returns the field that identifies all entries of the lists, or undefined. */
function findIdentity(mine: unknown, theirs: unknown, base: unknown): string | undefined {
  return IDENTITIES.find((name) =>
    [mine, theirs, base ?? []].every((list) => {
      if (!Array.isArray(list)) return false;
      const keys = list.map((entry: unknown) => (isObject(entry) ? entry[name] : undefined));
      return (
        keys.every((key) => (typeof key === 'string' && key !== '') || typeof key === 'number') &&
        new Set(keys).size === keys.length
      );
    }),
  );
}

/** Compares values deeply. Ignores key order, and treats null, undefined and '' as equal. */
function isDeepEqual(first: unknown, second: unknown): boolean {
  return canonical(first) === canonical(second);
}

function canonical(value: unknown): string {
  if (value === undefined || value === null) return '""';
  return JSON.stringify(value, (_key, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

function isObject(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
