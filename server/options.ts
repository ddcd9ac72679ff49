import type { ConfigOptions } from '@signalfjord/backend';

/**
 * Backend options of this site. They are not environment variables: see docs/configuration.md. For example, `{
 * AUTH_ANONYMOUS: 'on' }` enables anonymous accounts.
 */
export const SITE_OPTIONS: ConfigOptions = {};
