/** Backend of this site: the package with the site's SQL, functions and jobs. */

import { join } from 'node:path';
import { type Application, type Backend, type BackendOptions, type Config, createBackend } from '@signalfjord/backend';
import { askCaptcha, CAPTCHA_URLS } from '../supabase/functions/captcha-proof/ask-captcha.ts';
import { PICTURE_WIDTHS } from '../supabase/picture-widths.ts';
import { openSiteFunctions } from './functions/site-functions.ts';
import { siteJobs } from './jobs/site-jobs.ts';
import { SITE_MAILS } from './mails/site-mails.ts';

const SUPABASE = join(import.meta.dirname, '../supabase');

const SITE: Application = {
  migrationsFolder: join(SUPABASE, 'migrations'),
  seedFile: join(SUPABASE, 'seed.sql'),
  openFunctions: openSiteFunctions,
  mails: SITE_MAILS,
  verifyCaptcha: ({ provider, url = CAPTCHA_URLS[provider], ...question }) => askCaptcha({ url, ...question }),
  storage: {
    pictureWidths: PICTURE_WIDTHS,
    mediaLibrary: { bucket: 'content-media', originals: 'media-originals' },
    revocableUrls: { 'client-files': { maxSeconds: 60 * 60 } },
  },
  jobs: siteJobs,
};

/** Opens the database and starts all services. Throws like createBackend(). */
export function createSiteBackend(config: Config, options?: BackendOptions): Promise<Backend> {
  return createBackend(config, SITE, options);
}
