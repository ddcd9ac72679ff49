/** The Prefer header (https://docs.postgrest.org/en/stable/references/api/preferences.html). */
import { invalidPreferences } from '../rest-errors.ts';

export interface Preferences {
  resolution: 'merge-duplicates' | 'ignore-duplicates' | null;
  return: 'representation' | 'minimal' | 'headers-only' | null;
  count: 'exact' | 'planned' | 'estimated' | null;
  /** End of the transaction. Null if the client may not choose. */
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
 * Parses preferences. If a preference is repeated, the first value is used. `tx` is ignored without
 * `allowsTxOverride`, as in PostgREST by default.
 * @throws ApiError PGRST122 for an unknown preference if handling is strict
 */
export function parsePreferences(header: string | null, limits: { allowsTxOverride: boolean }): Preferences {
  if (header === null) return NONE;
  const values: Record<string, string | number> = {};
  const unknown: string[] = [];
  for (const preference of header.split(',').map((part) => part.trim())) {
    if (preference === '') continue;
    const [name = '', value = ''] = preference.split('=', 2);
    if (ACCEPTED.get(name)?.includes(value)) values[name] ??= value;
    else if (name === 'max-affected' && /^\d{1,15}$/.test(value)) values['maxAffected'] ??= Number(value);
    else unknown.push(preference);
  }
  if (values['handling'] === 'strict' && unknown.length > 0) throw invalidPreferences(unknown);
  if (!limits.allowsTxOverride) delete values['tx'];
  return { ...NONE, ...values };
}
