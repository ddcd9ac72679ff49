/** What the site and its assistant call it while no name is saved. */
export const DEFAULT_SITE_NAME = 'Signalfjord';
