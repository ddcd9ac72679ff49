/** Origins separated by commas, spaces or lines; what is no origin is left out. */
export function parseOrigins(setting: string): string[] {
  return setting
    .split(/[\s,]+/)
    .filter((entry) => URL.canParse(entry) && /^https?:/.test(entry))
    .map((entry) => new URL(entry).origin);
}
