/** The HTML that the server sends for public pages, checked against the HTML standard by html-validate. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, type Site, test } from '../support/e2e.ts';
import { PUBLIC_SCREENS } from '../support/screens.ts';

const VALIDATOR = join(import.meta.dirname, '../../node_modules/html-validate/bin/html-validate.mjs');

/** Rules of the standard only, because the other rules of the tool are about style. */
const RULES = { root: true, extends: ['html-validate:standard'] };

/** Parts of public pages that are off by default. */
const SWITCHES = ['domain_check', 'newsletter_signup', 'keep_contact_messages', 'faq_on_contact'];

interface Report {
  filePath: string;
  messages: { ruleId: string; message: string; selector: string | null }[];
}

async function findErrors(pages: Record<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'valid-html-'));
  const config = join(folder, 'rules.json');
  await writeFile(config, JSON.stringify(RULES));
  const paths = Object.keys(pages);
  const files = paths.map((_, index) => join(folder, `${index}.html`));
  await Promise.all(files.map((file, index) => writeFile(file, pages[paths[index] ?? ''] ?? '')));
  const args = [VALIDATOR, '--config', config, '--formatter', 'json', ...files];
  const validation = promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
  // html-validate exits with 1 if it finds errors.
  const { stdout } = await validation.catch((error: { stdout: string }) => error);
  await rm(folder, { recursive: true });
  const reports: Report[] = JSON.parse(stdout);
  return reports.flatMap(({ filePath, messages }) =>
    messages.map(
      (error) => `${paths[files.indexOf(filePath)]}: ${error.ruleId} at ${error.selector}: ${error.message}`,
    ),
  );
}

async function fetchPages(site: Site): Promise<Record<string, string>> {
  const readSlug = async (table: 'posts' | 'projects') =>
    (await site.service.from(table).select('slug').eq('status', 'published').limit(1).single().throwOnError()).data
      .slug;
  const items = [`/news/${await readSlug('posts')}`, `/projects?case=${await readSlug('projects')}`];
  const fetchPage = async (path: string) => [path, await (await fetch(`${site.url}${path}`)).text()];
  return Object.fromEntries(
    await Promise.all(
      [...PUBLIC_SCREENS, ...items, '/booking/abc', '/approve/abc', '/lead/abc', '/result/abc'].map(fetchPage),
    ),
  );
}

test('Every public page is valid HTML, both by default and with all optional parts enabled', async ({ site }) => {
  const pages = await fetchPages(site);
  expect(await findErrors(pages)).toEqual([]);
  // html-validate does not report truncated documents.
  expect(Object.entries(pages).filter(([, page]) => !page.endsWith('</html>'))).toEqual([]);
  const settings = SWITCHES.map((setting_key) => ({ setting_key, setting_value: 'on' }));
  await site.service.from('site_settings').upsert(settings, { onConflict: 'setting_key' }).throwOnError();
  expect(await findErrors(await fetchPages(site))).toEqual([]);
});

test('Invalid HTML is reported', async () => {
  const page = '<!doctype html><html lang="en"><head><title>A page</title></head><body>%</body></html>';
  const bodies = {
    valid: '<figure><figcaption>A</figcaption></figure>',
    invalid: '<div><figcaption>A</figcaption></div>',
  };
  const pages = Object.entries(bodies).map(([name, body]) => [name, page.replace('%', body)]);
  expect(await findErrors(Object.fromEntries(pages))).toEqual([expect.stringMatching(/^invalid: .*figcaption/)]);
});
