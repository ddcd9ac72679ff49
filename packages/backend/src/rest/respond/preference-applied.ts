import type { Preferences } from '../parse/parse-preferences.ts';

/** The order in which PostgREST names them. */
const ORDER = ['resolution', 'missing', 'return', 'count', 'tx', 'handling'] as const;

/** Writes the Preference-Applied header for those preferences that mattered to this kind of request; null for none. */
export function preferenceApplied(preferences: Preferences, relevant: readonly (keyof Preferences)[]): string | null {
  const applied = ORDER.filter((name) => relevant.includes(name) && preferences[name] !== null).map(
    (name) => `${name}=${preferences[name]}`,
  );
  if (relevant.includes('maxAffected') && preferences.handling === 'strict' && preferences.maxAffected !== null) {
    applied.push(`max-affected=${preferences.maxAffected}`);
  }
  return applied.length === 0 ? null : applied.join(', ');
}
