/** Settings of earlier versions. The server logs a warning for each and starts. */
import { OPTIONS } from '@signalfjord/backend';

/** Removed settings with their replacements. */
const REPLACED: readonly (readonly [former: RegExp, replacement: string])[] = [
  [/^AUTH_(GOOGLE|GITHUB|AZURE|LINKEDIN|APPLE)_|^AUTH_OIDC_PROVIDERS$/, 'AUTH_PROVIDERS'],
  [/^METRICS_HOST$/, 'METRICS_PORT, such as METRICS_PORT=0.0.0.0:9464'],
  [/^CDN_PURGE_TOKEN$/, 'CDN_PURGE_URL, as in https://token@cdn.example/purge'],
];

/** Returns a message about a removed setting, or null. */
export function explainFormerSetting(name: string): string | null {
  const replacement = REPLACED.find(([pattern]) => pattern.test(name))?.[1];
  if (replacement) return `${name} is no longer read. Use ${replacement}.`;
  if (Object.hasOwn(OPTIONS, name)) return `${name} is not read from the environment. Set it in server/options.ts.`;
  return null;
}
