/** Settings of former versions that an environment may still have. They do not stop the start. */
import { OPTIONS } from '@signalfjord/backend';

/** Former settings by the setting that replaced them. */
const REPLACED: readonly (readonly [former: RegExp, by: string])[] = [
  [/^AUTH_(GOOGLE|GITHUB|AZURE|LINKEDIN|APPLE)_|^AUTH_OIDC_PROVIDERS$/, 'AUTH_PROVIDERS'],
  [/^METRICS_HOST$/, 'METRICS_PORT, such as METRICS_PORT=0.0.0.0:9464'],
  [/^CDN_PURGE_TOKEN$/, 'CDN_PURGE_URL, as in https://token@cdn.example/purge'],
];

/** Returns a sentence about a variable that was a setting, or null. */
export function explainFormerSetting(name: string): string | null {
  const by = REPLACED.find(([former]) => former.test(name))?.[1];
  if (by) return `${name} is no longer read. Use ${by}.`;
  if (Object.hasOwn(OPTIONS, name)) return `${name} is not read from the environment. Set it in server/options.ts.`;
  return null;
}
