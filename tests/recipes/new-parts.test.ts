/**
 * Follows the recipes in docs/extending.md, except the one for a content kind (`new-kind`), in a copy of the sources.
 * The recipes add a public page, a section of the home page with its tab, a setting, an admin list, a toast and a
 * sign-in method. The folder `new-parts` contains the new files, and EDITS contains the added lines. The site must build
 * and serve all additions, including a new content kind.
 */
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../packages/backend/src/database/migrate.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { loadSchemaCache } from '../../packages/backend/src/rest/schema/load-schema-cache.ts';
import { databaseTypes } from '../../scripts/database-types.ts';
import { copySources, type Edit, type RecipeCopy } from '../support/recipe-copy.ts';
import { removeFolder, type SiteProcess } from '../support/site.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { KIND_EDITS, KIND_FILES } from './kind-edits.ts';
import { METRIC_EDITS, metricEdit } from './metric-edits.ts';

const FOLDERS = ['app', 'packages', 'scripts', 'server', 'supabase', 'tests/support'];
const FILES = ['package.json', 'tsconfig.json', 'vite.config.ts'];
const TYPES = 'app/api/database.types.ts';
const ADMIN = { email: 'owner@example.com', password: 'Owner-password-1' };

const EDITS: Record<string, Edit[]> = {
  page: [
    [
      'app/routes.ts',
      `      route('/services', 'site/services/services.route.tsx'),\n`,
      `      route('/partners', 'site/partners/partners.route.tsx'),\n`,
    ],
    [
      'app/api/places/public-pages.ts',
      `  { to: '/services', label: 'Services', header: 'services' },\n`,
      `  { to: '/partners', label: 'Partners', header: 'partners' },\n`,
    ],
    [
      'app/content/pages/headers.ts',
      'export const headerDefaults = {\n',
      `  partners: { title: 'Who we work with', description: 'Firms that we know well.' },\n`,
    ],
  ],
  section: [
    [
      'app/content/pages/sections.ts',
      `import { heroDefaults, heroSchema } from './hero.ts';\n`,
      `import { promiseDefaults, promiseSchema } from './promise.ts';\n`,
    ],
    [
      'app/content/pages/sections.ts',
      '    booking: section(bookingSchema, bookingDefaults),\n',
      '    promise: section(promiseSchema, promiseDefaults),\n',
    ],
    [
      'app/site/home/home-page.tsx',
      `import { LogoBanner } from './logo-banner.tsx';\n`,
      `import { PromiseSection } from './promise.tsx';\n`,
    ],
    [
      'app/site/home/home-page.tsx',
      '      <Hero hero={sections.hero} tagline={settings.site_tagline} workHref={links.projects} />\n',
      '      <PromiseSection content={sections.promise} />\n',
    ],
    [
      'app/admin/pages/home/home-editors.tsx',
      `import { LogoBanner } from '../../../site/home/logo-banner.tsx';\n`,
      `import { PromiseSection } from '../../../site/home/promise.tsx';\nimport { PromiseFields } from './promise-fields.tsx';\n`,
    ],
    [
      'app/admin/pages/home/home-editors.tsx',
      'export const HOME_TABS = [\n',
      `  tab('promise', 'Promise', { Fields: PromiseFields, preview: (content) => <PromiseSection content={content} /> }),\n`,
    ],
  ],
  setting: [
    [
      'app/settings/settings.ts',
      'export const SITE_SETTINGS = {\n',
      `  slogan: { label: 'Slogan', help: 'On mugs.', default: '', input: 'line', schema: anyText, isPublic: true },\n`,
    ],
  ],
  policy: [
    [
      'supabase/schemas/settings/settings.sql',
      `  using (setting_key = 'domain_check');\n`,
      `create policy "Visitors read the slogan" on public.site_settings for select to anon, authenticated
  using (setting_key = 'slogan');\n`,
    ],
  ],
  list: [
    [
      'app/routes.ts',
      `      route('/leads', 'leads/admin/leads.route.tsx'),\n`,
      `      route('/readers', 'admin/readers/readers.route.tsx'),\n`,
    ],
    [
      'app/admin/sections.ts',
      `  { path: '/admin/leads', label: 'Leads', icon: Inbox, group: 'Sales' },\n`,
      `  { path: '/admin/readers', label: 'Readers', icon: Inbox, group: 'Sales' },\n`,
    ],
  ],
  toast: [
    [
      'app/leads/admin/leads-list.tsx',
      'useMutationWithToasts(exportLeadsMutation, { ',
      `success: ['Leads exported', 'The file is among your downloads.'], `,
    ],
  ],
  metric: [metricEdit(false), ...METRIC_EDITS],
  grant: [
    [
      'packages/backend/src/auth/token.ts',
      `import { passwordGrant } from './grants/password.ts';\n`,
      `import { guestGrant } from './grants/guest.ts';\n`,
    ],
    ['packages/backend/src/auth/token.ts', '  pkce: pkceGrant,\n', '  guest: guestGrant,\n'],
  ],
};

let copy: RecipeCopy;
let migration: string;
let site: SiteProcess;
beforeAll(async () => {
  const newFolders = ['new-parts', 'new-kind'].map((name) => join(import.meta.dirname, name));
  copy = await copySources([...FOLDERS, ...FILES], ...newFolders);
  for (const edit of [...Object.values(EDITS).flat(), ...KIND_EDITS]) await copy.add(edit);
  // The steps of `npm run types`.
  const database = await openTestDatabase();
  migration = await copy.writeMigration();
  await migrate(database, join(copy.folder, 'supabase/migrations'));
  await writeFile(join(copy.folder, TYPES), databaseTypes(await loadSchemaCache(database)));
  await database.close();
  // Skip compression. It is slow and already covered by scripts/keep-assets.test.ts.
  const config = join(copy.folder, 'vite.config.ts');
  await writeFile(config, (await readFile(config, 'utf8')).replace('    compressAssets(),\n', ''));
  await copy.run('node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn');
  const { startSite }: typeof import('../support/site.ts') = await import(join(copy.folder, 'tests/support/site.ts'));
  const environment = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password, STARTER_CONTENT: 'off' };
  site = await startSite(await mkdtemp(join(tmpdir(), 'signalfjord-recipes-data-')), environment);
  // Long timeout, because the build runs in parallel with other tests.
}, 600_000);
afterAll(async () => {
  await site.stop();
  await removeFolder(site.dataFolder);
  await copy.remove();
});

async function fetchText(path: string): Promise<string> {
  const response = await fetch(site.url + path);
  expect(response.status, site.output()).toBe(200);
  return response.text();
}

/** Files that each recipe adds or changes, new files first. */
const RECIPE_FILES: Record<string, string[]> = {
  page: [
    ...['app/site/partners/partners.route.tsx', 'app/routes.ts', 'app/api/places/public-pages.ts'],
    'app/content/pages/headers.ts',
  ],
  section: [
    ...['app/content/pages/promise.ts', 'app/site/home/promise.tsx', 'app/admin/pages/home/promise-fields.tsx'],
    ...['app/content/pages/sections.ts', 'app/site/home/home-page.tsx', 'app/admin/pages/home/home-editors.tsx'],
  ],
  setting: ['supabase/schemas/settings/settings.sql', 'app/settings/settings.ts'],
  list: [
    'app/admin/readers/readers.route.tsx',
    'app/admin/readers/readers-page.tsx',
    'app/routes.ts',
    'app/admin/sections.ts',
  ],
  toast: ['app/leads/admin/leads-list.tsx'],
  metric: [
    ...['supabase/functions/metrics.ts', 'app/clients/figures/figure-columns.ts'],
    ...['instantly', 'lemlist', 'plain', 'smartlead'].map((name) => `supabase/functions/campaign-events/${name}.ts`),
  ],
  grant: ['packages/backend/src/auth/grants/guest.ts', 'packages/backend/src/auth/token.ts'],
};

test('The recipes change only the files that they name, the route tree and the generated types', async () => {
  const generated = ['app/routeTree.gen.ts', migration, TYPES];
  expect(await copy.changedFiles()).toEqual(
    [...new Set([...Object.values(RECIPE_FILES).flat(), ...KIND_FILES, ...generated])].sort(),
  );
});

test('The copy compiles, and its imports respect the module boundaries', async () => {
  await copy.check(['app', 'packages', 'server']);
});

test('A new page is served, linked and listed in the sitemap, and has an Open Graph image', async () => {
  const page = await fetchText('/partners');
  expect(page).toContain('Who we work with');
  expect(page).toMatch(/<title>Partners/);
  expect(await fetchText('/')).toContain('href="/partners"');
  expect(await fetchText('/sitemap.xml')).toContain('/partners</loc>');
  const picture = /<meta property="og:image" content="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const { pathname, search } = new URL(picture, site.url);
  expect((await fetch(site.url + pathname + search)).headers.get('content-type')).toBe('image/png');
});

test('A new section of the home page shows the content that an admin saved', async () => {
  expect(await fetchText('/')).toContain('You own what we build from day one.');
  const admin = createClient(site.url, PUBLISHABLE_KEY, { auth: { persistSession: false } });
  await admin.auth.signInWithPassword(ADMIN);
  const content = JSON.stringify({ heading: 'Our word', text: 'Yours.' });
  const row = { page_slug: 'home', section_name: 'promise', content };
  await admin.from('page_content').upsert(row, { onConflict: 'page_slug,section_name' }).throwOnError();
  expect(await fetchText('/')).toContain('Our word');
});

test('Visitors can read a new setting that an admin saved', async () => {
  const admin = createClient(site.url, PUBLISHABLE_KEY, { auth: { persistSession: false } });
  await admin.auth.signInWithPassword(ADMIN);
  await admin
    .from('site_settings')
    .insert({ setting_key: 'slogan', setting_value: 'Signal, not noise' })
    .throwOnError();
  const visitor = createClient(site.url, PUBLISHABLE_KEY, { auth: { persistSession: false } });
  const { data } = await visitor.from('site_settings').select('setting_value').eq('setting_key', 'slogan').single();
  expect(data).toEqual({ setting_value: 'Signal, not noise' });
});

test('A new admin list has a URL, a sidebar entry and a page', async () => {
  expect(await readFile(join(copy.folder, 'app/routeTree.gen.ts'), 'utf8')).toContain(`'/admin/readers'`);
  const scripts = await readScripts();
  expect(scripts.some((script) => script.includes('No readers yet'))).toBe(true);
  expect(scripts.some((script) => script.includes('/admin/readers') && script.includes('Readers'))).toBe(true);
});

test('The text of a toast is in the scripts of the built site', async () => {
  expect((await readScripts()).some((script) => script.includes('The file is among your downloads.'))).toBe(true);
});

async function readScripts(): Promise<string[]> {
  const folder = join(copy.folder, 'dist/client/assets');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
}

test('A new grant type creates a session', async () => {
  const signIn = (email: string) =>
    fetch(`${site.url}/auth/v1/token?grant_type=guest`, {
      method: 'POST',
      headers: { apikey: PUBLISHABLE_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    });
  expect((await signIn('nobody@example.com')).status).toBe(400);
  const response = await signIn(ADMIN.email);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ token_type: 'bearer', user: { email: ADMIN.email } });
});
