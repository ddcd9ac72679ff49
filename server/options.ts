import type { ConfigOptions } from '@signalfjord/backend';

/**
 * Options of the backend for this site, which are no settings: docs/configuration.md lists them. For example,
 * `{ AUTH_ANONYMOUS: 'on' }` gives visitors an account when a client asks for one.
 */
export const SITE_OPTIONS: ConfigOptions = {};
