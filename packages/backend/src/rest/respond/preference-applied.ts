import type { Preferences } from '../parse/parse-preferences.ts';

/** Order of the preferences in PostgREST's header. */
const ORDER = ['resolution', 'missing', 'return', 'count', 'tx', 'handling'] as const;

/**
 * Returns the Preference-Applied header with the preferences that apply to this kind of request, or null.
 */
export function preferenceApplied(preferences: Preferences, relevant: readonly (keyof Preferences)[]): string | null {
  const applied = ORDER.filter((name) => relevant.includes(name) && preferences[name] !== null).map(
    (name) => `${name}=${preferences[name]}`,
  );
  if (relevant.includes('maxAffected') && preferences.handling === 'strict' && preferences.maxAffected !== null) {
    applied.push(`max-affected=${preferences.maxAffected}`);
  }
  return applied.length === 0 ? null : applied.join(', ');
}
