/** Time zone names used by other programs. */
import { findIana } from 'windows-iana';

/**
 * Returns the IANA name of a time zone, or null if unknown. Outlook writes Windows names. Other programs add a prefix
 * such as "/freeassociation.sourceforge.net/".
 */
export function ianaZone(name: string): string | null {
  const plain = name.trim().replace(/^"|"$/g, '');
  const [ofWindows] = findIana(plain);
  for (const candidate of [
    ofWindows,
    plain,
    plain.split('/').slice(-2).join('/'),
    plain.split('/').slice(-3).join('/'),
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
