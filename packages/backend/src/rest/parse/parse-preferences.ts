/** The Prefer header (https://docs.postgrest.org/en/stable/references/api/preferences.html). */
import { invalidPreferences } from '../rest-errors.ts';

export interface Preferences {
  resolution: 'merge-duplicates' | 'ignore-duplicates' | null;
  return: 'representation' | 'minimal' | 'headers-only' | null;
  count: 'exact' | 'planned' | 'estimated' | null;
  /** End of the transaction; null if the client cannot choose it. */
  tx: 'commit' | 'rollback' | null;
  missing: 'default' | 'null' | null;
  handling: 'strict' | 'lenient' | null;
  maxAffected: number | null;
}

const ACCEPTED: ReadonlyMap<string, readonly string[]> = new Map([
  ['resolution', ['merge-duplicates', 'ignore-duplicates']],
  ['return', ['representation', 'minimal', 'headers-only']],
  ['count', ['exact', 'planned', 'estimated']],
  ['missing', ['default', 'null']],
  ['handling', ['strict', 'lenient']],
  ['tx', ['commit', 'rollback']],
]);

const NONE: Preferences = {
  resolution: null,
  return: null,
  count: null,
  tx: null,
  missing: null,
  handling: null,
  maxAffected: null,
};

/**
 * Parses preferences. If a preference is repeated, the first value is used. Without `choosesEnd`, `tx` has no effect,
 * as in PostgREST unless its administrator allows it.
 * @throws ApiError PGRST122 for an unknown preference if handling is strict
 */
export function parsePreferences(header: string | null, { choosesEnd }: { choosesEnd: boolean }): Preferences {
  if (header === null) return NONE;
  const chosen: Record<string, string | number> = {};
  const unknown: string[] = [];
  for (const preference of header.split(',').map((part) => part.trim())) {
    if (preference === '') continue;
    const [name = '', value = ''] = preference.split('=', 2);
    if (ACCEPTED.get(name)?.includes(value)) chosen[name] ??= value;
    else if (name === 'max-affected' && /^\d{1,15}$/.test(value)) chosen['maxAffected'] ??= Number(value);
    else unknown.push(preference);
  }
  if (chosen['handling'] === 'strict' && unknown.length > 0) throw invalidPreferences(unknown);
  if (!choosesEnd) delete chosen['tx'];
  return { ...NONE, ...chosen };
}
