/** Resolves the time zone names of other programs. */
import { findIana } from 'windows-iana';

/**
 * Returns the IANA name of a time zone, or null if unknown. Outlook writes Windows names. Other programs add a prefix
 * such as "/freeassociation.sourceforge.net/".
 */
export function ianaZone(name: string): string | null {
  const unquoted = name.trim().replace(/^"|"$/g, '');
  const [windowsZone] = findIana(unquoted);
  for (const candidate of [
    windowsZone,
    unquoted,
    unquoted.split('/').slice(-2).join('/'),
    unquoted.split('/').slice(-3).join('/'),
  ]) {
    if (candidate === undefined || candidate === '') continue;
    try {
      return new Intl.DateTimeFormat('en', { timeZone: candidate }).resolvedOptions().timeZone;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return null;
}
