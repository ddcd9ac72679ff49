/**
 * Replaces @playwright/test in browser tests: starts a real server for each spec file, and fails a test on any error in
 * its pages.
 */
import { join } from 'node:path';
import {
  type APIRequestContext,
  type BrowserContext,
  test as base,
  expect,
  type Frame,
  type Locator,
  type Page,
} from '@playwright/test';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import { quickHash } from '../../packages/backend/tests/support/quick-hash.ts';
import { copyTemplate, removeFolder, TEMPLATES_VARIABLE } from './site.ts';
import { SiteRunner } from './site-runner.ts';

export { ADMIN } from './site-template.ts';
export { expect };

export interface Site {
  /** Origin, without a trailing slash. */
  url: string;
  dataFolder: string;
  /** The official client with the secret key, which has access to all data. */
  service: SupabaseClient;
  /**
   * Creates a confirmed account. `role` adds the row in user_roles. Team members and admins are approved unless
   * `approved` is false.
   */
  createUser(options?: { role?: 'client' | 'team' | 'admin'; approved?: boolean; email?: string }): Promise<User>;
}

export interface User {
  id: string;
  email: string;
  password: string;
}

interface WorkerOptions {
  /**
   * Variables for the server, in addition to an open gate and starter content. Set with test.use at the top of a file.
   * Such a file runs in a separate worker and browser.
   */
  environment: Record<string, string>;
}

interface TestFixtures {
  /** Starts the server with the starter content. Files with and without it share workers. */
  starterContent: boolean;
  /** The server of the spec file. Later tests of the same file see its rows and files, and other files do not. */
  site: Site;
  /**
   * Console messages and page errors that do not fail a test, such as the browser's message about a 404. Set with
   * test.use.
   */
  allowedProblems: RegExp[];
}

interface WorkerFixtures extends WorkerOptions {
  /**
   * Returns the server of a spec file. Starts it for the file's first test, and stops the server of the previous file.
   */
  startSiteFor: (file: string, starterContent: boolean) => Promise<Site>;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  environment: [{}, { option: true, scope: 'worker' }],

  starterContent: [true, { option: true }],

  startSiteFor: [
    async ({ environment }, use) => {
      const runner = new SiteRunner();
      let current: { file: string; site: Site } | undefined;
      const stop = async () => {
        await runner.stop();
        if (current) await removeFolder(current.site.dataFolder);
        current = undefined;
      };
      await use(async (file, starterContent) => {
        if (current?.file !== file) {
          await stop();
          current = { file, site: await startFromTemplate(runner, environment, starterContent) };
        }
        return current.site;
      });
      await stop();
      runner.end();
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  site: [
    async ({ startSiteFor, starterContent }, use, { file }) => use(await startSiteFor(file, starterContent)),
    { timeout: 120_000 },
  ],

  baseURL: ({ site }, use) => use(site.url),

  allowedProblems: [[], { option: true }],

  context: async ({ context, site, allowedProblems }, use) => {
    const problems = collectProblems(context, site.url);
    await extendToasts(context);
    repeatClosedRequests(context);
    await clearHistory(context);
    await use(context);
    await closePages(context, site.url);
    expect(problems.filter((problem) => !allowedProblems.some((allowed) => allowed.test(problem)))).toEqual([]);
  },
});

const patchedContexts = new WeakSet<APIRequestContext>();

/**
 * Repeats a GET request if the server closed the idle connection at the same moment, as browsers do. Otherwise a test
 * that reads every few seconds fails by chance on a busy machine.
 */
function repeatClosedRequests({ request }: BrowserContext): void {
  // Contexts are reused.
  if (patchedContexts.has(request)) return;
  patchedContexts.add(request);
  const get = request.get.bind(request);
  request.get = (url, options) => get(url, { maxRetries: 2, ...options });
}

/** Runs a server on a copy of the data folder that the global setup prepared. */
async function startFromTemplate(
  runner: SiteRunner,
  environment: Record<string, string>,
  starterContent: boolean,
): Promise<Site> {
  const template = join(process.env[TEMPLATES_VARIABLE] ?? '', starterContent ? 'starter' : 'empty');
  const { folder, secretKey } = await copyTemplate(template);
  const url = await runner.run(folder, { STARTER_CONTENT: starterContent ? 'on' : 'off', ...environment });
  return { url, dataFolder: folder, ...createAccountTools(url, secretKey) };
}

/** Collects all errors in any page of the context. */
function collectProblems(context: BrowserContext, origin: string): string[] {
  const problems: string[] = [];
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`console ${message.type()}: ${message.text()}`);
  });
  context.on('weberror', (error) => problems.push(`page error: ${error.error().stack ?? error.error().message}`));
  context.on('request', (request) => {
    const { protocol, origin: requested } = new URL(request.url());
    if (protocol.startsWith('http') && requested !== origin) problems.push(`request to another host: ${request.url()}`);
  });
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // A navigation aborts the previous page's pending requests.
    if (reason !== 'net::ERR_ABORTED') problems.push(`failed request: ${request.url()} ${reason}`);
  });
  return problems;
}

/**
 * Shows toasts for a minute in the pages of the context, because on a busy machine a toast may disappear before the
 * test looks for it. The toast timer is recognised by the name of the function that it calls, which harness.spec.ts
 * verifies. A page with a fake clock keeps the site's times.
 */
async function extendToasts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const originalSetTimeout = window.setTimeout;
    const setTimeout = (callback: () => void, delay?: number, ...args: unknown[]) => {
      const isToastTimer = String(callback).includes('onAutoClose');
      if (isToastTimer) document.documentElement.dataset['keepsToasts'] = '';
      return originalSetTimeout(callback, isToastTimer ? 60_000 : delay, ...args);
    };
    Object.assign(window, { setTimeout });
  });
}

/** Clears the navigation history of reused pages, because resetting their context does not. */
async function clearHistory(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) {
    const devtools = await context.newCDPSession(page);
    await devtools.send('Page.resetNavigationHistory');
    await devtools.detach();
  }
}

/**
 * Restores the network and the permissions, because resetting the context does not. Then navigates away from the pages
 * of the test, so that errors during unload are reported for this test, and its pages do not run code during the next
 * test. Retries if a page is already navigating. about:blank does not work, because test scripts cannot access storage
 * there.
 */
async function closePages(context: BrowserContext, origin: string): Promise<void> {
  await context.setOffline(false);
  await context.clearPermissions();
  await Promise.all(
    context.pages().map(async (page) => {
      await expect(() => page.goto(`${origin}/robots.txt`)).toPass({ timeout: 30_000 });
      // Resetting the context sometimes leaves the init script of a fake clock, which throws in each later document.
      if (await page.evaluate(() => '__pwClock' in window)) await page.close();
    }),
  );
}

function createAccountTools(url: string, secretKey: string): Pick<Site, 'service' | 'createUser'> {
  const service = createClient(url, secretKey, { auth: { persistSession: false, autoRefreshToken: false } });
  return {
    service,
    async createUser({ role, approved = true, email = `${role ?? 'user'}-${crypto.randomUUID()}@example.com` } = {}) {
      const password = 'Password-1';
      const { data, error } = await service.auth.admin.createUser({
        email,
        password_hash: quickHash(password),
        email_confirm: true,
      });
      if (error) throw error;
      if (role) {
        await service.from('user_roles').insert({ user_id: data.user.id, role, approved }).throwOnError();
      }
      return { id: data.user.id, email, password };
    },
  };
}

/** Axe rules about colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
/**
 * Requires the accessible name to contain the visible label (WCAG 2.5.3). Experimental, so axe disables it by default.
 */
const LABEL_IN_NAME = { 'label-content-name-mismatch': { enabled: true } };
const ONLY_COLOURS: RunOptions = { runOnly: { type: 'rule', values: COLOUR_RULES } };

/**
 * Fails if axe finds a violation of WCAG 2.2 A and AA or its best practices on the page. Checks all rules in the light
 * theme, and the colour rules also in the dark one.
 */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  await waitForHeading(page);
  await layOutAll(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNoViolations(page, { rules: LABEL_IN_NAME });
  await expectReadableInDarkTheme(page);
}

/**
 * Checks all axe rules except the colour rules in forced colours mode (Windows high contrast), and the colour rules in
 * both themes. In forced colours mode, every button also needs a border, and every selected control needs an outline.
 * Axe cannot check forced colours, because Chromium reports the forced background together with the original text
 * colour.
 */
export async function expectNoAxeViolationsInAnyMode(page: Page): Promise<void> {
  await waitForHeading(page);
  await layOutAll(page);
  await page.emulateMedia({ forcedColors: 'active' });
  const withoutColours = Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }]));
  await expectNoViolations(page, { rules: { ...withoutColours, ...LABEL_IN_NAME } });
  expect(await page.evaluate(findUnmarkedControls), page.url()).toEqual([]);
  await page.emulateMedia({ forcedColors: null });
  await expectReadable(page);
}

/** Fails if axe finds unreadable colours on the page in either theme. */
export async function expectReadable(page: Page): Promise<void> {
  await layOutAll(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNoViolations(page, ONLY_COLOURS);
  await expectReadableInDarkTheme(page);
}

/** Waits for the main heading, because a page without one is still loading, and axe would report that it is missing. */
async function waitForHeading(page: Page): Promise<void> {
  await expect(page.locator('h1').first()).toBeAttached();
}

/** Lays out all elements, because axe ignores the colours of elements without a layout. */
async function layOutAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    // The page's content security policy would block a style element.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.below-fold { content-visibility: visible }');
    document.adoptedStyleSheets.push(sheet);
  });
}

async function expectReadableInDarkTheme(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveClass(/\bdark\b/);
  await expectNoViolations(page, ONLY_COLOURS);
  await page.emulateMedia({ colorScheme: null });
}

/** Runs in the page. Returns visible buttons without a border, and selected controls without an outline. */
function findUnmarkedControls(): string[] {
  const findVisible = (selector: string) =>
    [...document.querySelectorAll(selector)].filter((element) => {
      const { width, height } = element.getBoundingClientRect();
      return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true });
    });
  const unmarked = [
    ...findVisible('button').filter((button) => getComputedStyle(button).borderTopWidth === '0px'),
    ...findVisible('[role=tab][aria-selected=true], [aria-pressed=true], [aria-current=page]').filter(
      (control) => getComputedStyle(control).outlineStyle === 'none',
    ),
  ];
  return unmarked.map((element) => element.outerHTML.slice(0, 200));
}

/** Fails if the page remains wider than its window. Some boxes adapt to the window width shortly afterwards. */
export async function expectNoHorizontalScroll(page: Page): Promise<void> {
  const excess = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect.poll(excess, `${page.url()} at ${page.viewportSize()?.width} px`).toBeLessThanOrEqual(0);
}

/** Waits until an image is smaller than its frame. Fails on timeout. */
export async function expectWithinFrame(picture: Locator): Promise<void> {
  await expect(async () => {
    const [image, frame] = await Promise.all([picture, picture.locator('..')].map((part) => part.boundingBox()));
    expect(image?.height).toBeLessThan(frame?.height ?? 0);
    expect(image?.width).toBeLessThan(frame?.width ?? 0);
  }).toPass();
}

/** Fails if the page scrolls horizontally at twice the default text size. */
export async function expectFitsWithDoubleText(page: Page): Promise<void> {
  const setSize = (size: string) =>
    page.evaluate((value) => {
      document.documentElement.style.fontSize = value;
    }, size);
  await setSize('200%');
  const findOverflowingElements = () =>
    page.evaluate(() => {
      const width = document.documentElement.clientWidth;
      if (document.documentElement.scrollWidth <= width) return [];
      const elements = [...document.querySelectorAll('body *')];
      return elements
        .filter((element) => element.getBoundingClientRect().right > width + 1)
        .map((element) => `${element.tagName} ${element.className}: ${element.getBoundingClientRect().right}`);
    });
  await expect.poll(findOverflowingElements, page.url()).toEqual([]);
  await setSize('');
}

/** Fails if axe reports a violation with these options in the page or in one of its frames. */
export async function expectNoViolations(page: Page, options: RunOptions, label?: string): Promise<void> {
  const { violations } = await runAxe(page, options);
  const summaries = violations.map(({ id, help, nodes }) => ({ id, help, where: nodes.map((node) => node.html) }));
  expect(summaries, label).toEqual([]);
}

/** Runs axe in the page and in its frames, including cross-origin ones. */
async function runAxe(page: Page, options: RunOptions): Promise<Pick<AxeResults, 'violations'>> {
  for (const frame of page.frames()) {
    await sendAxe(frame).catch((error) => {
      // The frame was removed from the page.
      if (!frame.isDetached()) throw error;
    });
  }
  return page.evaluate(
    async (runOptions) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(runOptions);
      return { violations };
    },
    // Omits selectors and excerpts of passed rules, which take time to compute.
    { ...options, resultTypes: ['violations'] } satisfies RunOptions,
  );
}

async function sendAxe(frame: Frame): Promise<void> {
  if (await frame.evaluate(() => 'axe' in window)) return;
  await frame.evaluate(`${axe.source}; axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`);
}

/** Waits until React has hydrated the element and it reacts to clicks and keys. Returns the element. */
export async function waitUntilHydrated(element: Locator): Promise<Locator> {
  await expect
    .poll(() => element.evaluate((node) => Object.keys(node).some((key) => key.startsWith('__react'))))
    .toBe(true);
  return element;
}

/**
 * Waits until React has rendered the state changes of a timer, even if the page's clock is frozen. React renders in a
 * separate task, and a message posted now arrives after it.
 */
export async function waitUntilRendered(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<unknown>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(null);
      }),
  );
}

/**
 * Drags a list row to the position of another row by its handle, named `Move …`. Each step waits until the list has
 * processed the previous one.
 */
export async function dragOnto(page: Page, [source, from]: [string, number], [target, to]: [string, number]) {
  const handle = (name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true });
  const middle = async (name: string) => {
    const { x, y, width, height } = (await handle(name).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    return [x + width / 2, y + height / 2] as const;
  };
  await handle(source).hover();
  const [x, y] = await middle(source);
  await page.mouse.down();
  await page.mouse.move(x, y + 8);
  await expect(page.getByText(`${source} is over position ${from} of `)).toBeAttached();
  await page.mouse.move(...(await middle(target)), { steps: 5 });
  await expect(page.getByText(`${source} is over position ${to} of `)).toBeAttached();
  await page.mouse.up();
}

/**
 * Moves a row down by one position with the keyboard on its handle, named `Move …`. Each key waits until the list is
 * ready for it.
 */
export async function moveDown(page: Page, name: string, from: number) {
  await page.getByRole('button', { name: `Move ${name}`, exact: true }).press('Space');
  await expect(page.getByText(`${name} is over position ${from} of `)).toBeAttached();
  // The list handles keys after a timer that it started before the announcement. Wait for a timer that fires later.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  await page.keyboard.press('ArrowDown');
  await expect(page.getByText(`${name} is over position ${from + 1} of `)).toBeAttached();
  await page.keyboard.press('Space');
}

/**
 * Waits until the toast library is loaded. It loads after the first user input on the page, possibly after React has
 * hydrated an element.
 */
export async function loadToaster(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      await page.keyboard.press('Shift');
      return page.evaluate(() =>
        performance.getEntriesByType('resource').some(({ name }) => name.includes('toaster-view')),
      );
    })
    .toBe(true);
}

/** Stores a valid gate cookie in the browser, before the next navigation. */
export async function setGateCookie(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const inThirtyDays = Date.now() + 30 * 24 * 60 * 60 * 1000;
    localStorage.setItem('preview-access', JSON.stringify({ granted: true, expiry: inThirtyDays }));
  });
}
