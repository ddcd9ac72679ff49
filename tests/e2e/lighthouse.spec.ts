import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { LEGAL_PAGES, MAIN_PAGES } from '../../app/api/places/public-pages.ts';
import { CHROMIUM_ARGUMENTS, requireChromium } from '../support/chromium.ts';
import { expect, test } from '../support/e2e.ts';

/** Maximum JavaScript that a first visit loads, compressed. */
const MAX_SCRIPT_BYTES = 130_000;

/** Pages for search engines. The legal pages are alike, so one is enough. */
const PAGES = [...MAIN_PAGES, ...LEGAL_PAGES.slice(0, 1)].map(({ to }): string => to);

/** Audits that do not depend on the speed of the machine. */
const OPTIONS = {
  onlyCategories: ['accessibility', 'best-practices', 'seo'],
  onlyAudits: ['network-requests'],
  // No performance audit runs, so throttling is only simulated and the wait for idle is short.
  throttlingMethod: 'simulate',
  disableFullPageScreenshot: true,
  logLevel: 'silent',
} as const;

interface Report {
  /** Scores from 0 to 100 by category. */
  scores: Record<string, number>;
  failed: string[];
  scriptBytes: number;
}

async function runLighthouse(url: string): Promise<Report> {
  const result = await lighthouse(url, {
    ...OPTIONS,
    onlyCategories: [...OPTIONS.onlyCategories],
    onlyAudits: [...OPTIONS.onlyAudits],
    port,
  });
  if (!result) throw new Error('Lighthouse returned no result');
  const { categories, audits, runtimeError } = result.lhr;
  if (runtimeError) throw new Error(runtimeError.message);
  const details = audits['network-requests']?.details;
  const requests =
    details && 'items' in details ? (details.items as { resourceType?: string; transferSize?: number }[]) : [];
  return {
    scores: Object.fromEntries(Object.entries(categories).map(([name, { score }]) => [name, (score ?? 0) * 100])),
    failed: Object.values(audits)
      .filter(({ score }) => score !== null && score < 1)
      .map(({ id, title }) => `${id}: ${title}`),
    scriptBytes: requests
      .filter(({ resourceType }) => resourceType === 'Script')
      .reduce((sum, { transferSize = 0 }) => sum + transferSize, 0),
  };
}

/** A browser for Lighthouse. It chooses its own port and writes the number into its profile folder. */
let browser: BrowserContext;
let profile: string;
let port: number;

test.beforeAll(async () => {
  profile = await mkdtemp(join(tmpdir(), 'signalfjord-lighthouse-'));
  browser = await chromium.launchPersistentContext(profile, {
    executablePath: requireChromium(),
    // Reduced motion, because words that fade in have insufficient contrast for a quarter of a second.
    args: [...CHROMIUM_ARGUMENTS, '--remote-debugging-port=0', '--force-prefers-reduced-motion'],
  });
  port = Number((await readFile(join(profile, 'DevToolsActivePort'), 'utf8')).split('\n')[0]);
});

test.afterAll(async () => {
  await browser.close();
  await rm(profile, { recursive: true });
});

async function expectPerfectScores(url: string): Promise<Report> {
  const report = await runLighthouse(url);
  expect(report.scores, report.failed.join(', ')).toEqual({ accessibility: 100, 'best-practices': 100, seo: 100 });
  return report;
}

for (const path of PAGES) {
  test(`Lighthouse gives ${path} 100 for accessibility, best practices and search engines`, async ({ site }) => {
    const { scriptBytes } = await expectPerfectScores(`${site.url}${path}`);
    expect(scriptBytes).toBeLessThan(MAX_SCRIPT_BYTES);
  });
}

for (const [label, table, path] of [
  ['an article', 'posts', '/news/'],
  ['a case study', 'projects', '/projects?case='],
] as const) {
  test(`Lighthouse gives ${label} 100 for accessibility, best practices and search engines`, async ({ site }) => {
    const items = site.service.from(table).select('slug').eq('status', 'published');
    const { data } = await items.limit(1).single().throwOnError();
    const { scriptBytes } = await expectPerfectScores(`${site.url}${path}${data.slug}`);
    expect(scriptBytes).toBeLessThan(MAX_SCRIPT_BYTES);
  });
}
