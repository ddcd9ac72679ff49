/** Measures the cost of a keystroke in an article of 100,000 characters with the CPU throttled four times. */
import { type CDPSession, chromium, type Page } from '@playwright/test';
import { CHROMIUM_ARGUMENTS, requireChromium } from '../tests/support/chromium.ts';
import { ADMIN } from '../tests/support/site-template.ts';
import { report, withSite } from './site.ts';

const TEXT = '[contenteditable=true][aria-label=Content]';

const KEYS = 60;
/** Odd, so that the median is a measured value. */
const OPENINGS = 5;

/** Cost of each key, in ms. */
interface Costs {
  /** CPU time of scripts between two keystrokes, without layout. */
  scripts: number[];
  /** Time until the next frame can be drawn. */
  frames: number[];
}

await withSite(
  async ({ url }) => {
    const browser = await chromium.launch({ executablePath: requireChromium(), args: CHROMIUM_ARGUMENTS });
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await openForm(page, url);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    // CPU time of the thread, so that other processes do not count.
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    printCosts('Editor', await type(page, cdp));
    await page.evaluate(insertTextArea, article());
    printCosts('A plain text area', await type(page, cdp, '#bare'));
    await browser.close();
  },
  { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
);

function printCosts(label: string, { scripts, frames }: Costs): void {
  report(`${label}: median script time per keystroke`, `${percentile(scripts, 0.5)} ms`, '');
  report(
    `${label}: 95th percentile of the script time per keystroke`,
    `${percentile(scripts, 0.95)} ms`,
    'target 16 ms',
  );
  report(
    `${label}: median time from a keystroke to the next frame`,
    `${percentile(frames, 0.5)} ms`,
    'including layout',
  );
}

function percentile(values: number[], share: number): string {
  return ([...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0).toFixed(1);
}

function median(values: number[]): string {
  return percentile(values, 0.5).replace(/\.\d$/, '');
}

async function openForm(page: Page, url: string): Promise<void> {
  const response = await page.request.post(`${url}/auth/v1/token?grant_type=password`, { data: ADMIN });
  await page.goto(`${url}/robots.txt`);
  const key = `sb-${new URL(url).hostname.split('.')[0]}-auth-token`;
  await page.evaluate(([name, value]) => localStorage.setItem(name, value), [key, await response.text()] as const);
  await page.goto(`${url}/admin/posts/new`);
  await page.locator(TEXT).waitFor();
  const source = page.getByRole('button', { name: 'Markdown source' });
  await source.click();
  const costs: Record<'first' | 'last', number>[] = [];
  for (let round = 0; round < OPENINGS; round++) {
    const [first, last] = [`First ${round}`, `Last ${round}`];
    await page.locator('textarea[aria-label=Content]').fill(`## ${first}\n\n${article()}## ${last}\n`);
    const opening = page.evaluate(observeOpening, { selector: `${TEXT} h2`, first, last });
    await source.click();
    costs.push(await opening);
    await source.click();
  }
  await source.click();
  report('Editor: until the text is shown, median', `${median(costs.map(({ first }) => first))} ms`, 'target 500 ms');
  report('Editor: until the end of the text is shown, median', `${median(costs.map(({ last }) => last))} ms`, '');
}

/** Runs in the page. Returns the time from a click until headings are laid out. */
async function observeOpening({ selector, first, last }: Record<'selector' | 'first' | 'last', string>) {
  const start = await new Promise<number>((resolve) => {
    window.addEventListener('click', () => resolve(performance.now()), { capture: true, once: true });
  });
  const timeOf = async (words: string) => {
    const isShown = (heading: Element) => heading.textContent === words && heading.getBoundingClientRect().height > 0;
    do await new Promise((resolve) => requestAnimationFrame(resolve));
    while (![...document.querySelectorAll(selector)].some(isShown));
    return performance.now() - start;
  };
  return { first: await timeOf(first), last: await timeOf(last) };
}

/** Sections with a heading, a formatted paragraph and a list. */
function article(): string {
  let text = '';
  for (let part = 1; text.length < 100_000; part++) {
    text += `## Section ${part}\n\nThe *fjord* lies still, and **no one** answers [the mail](https://example.com/${part}). `;
    text += `${'Words follow words until the paragraph is as long as they are. '.repeat(4)}\n\n- one\n- two\n\n`;
  }
  return text;
}

/** Types into the middle of the text at the speed of a fast typist, with one pause. */
async function type(page: Page, cdp: CDPSession, selector = TEXT): Promise<Costs> {
  await page.locator(selector).evaluate((area: HTMLElement) => {
    area.focus();
    if (!(area instanceof HTMLTextAreaElement)) {
      const paragraphs = area.querySelectorAll('p');
      return getSelection()?.collapse(paragraphs[Math.floor(paragraphs.length / 2)] ?? area, 1);
    }
    const offset = area.value.indexOf('\n\n', area.value.length / 2);
    area.setSelectionRange(offset, offset);
  });
  await page.waitForTimeout(1500);
  await page.evaluate(observeFrames, selector);
  const scripts: number[] = [];
  for (let n = 0; n < KEYS; n++) {
    const before = await scriptMs(cdp);
    await page.keyboard.press('KeyA');
    await page.waitForTimeout(n === KEYS / 2 ? 1000 : 90);
    scripts.push((await scriptMs(cdp)) - before);
  }
  return { scripts, frames: await page.evaluate(() => window.frameCosts) };
}

/** Processor time of all scripts of the page so far. */
async function scriptMs(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN);
}

declare global {
  interface Window {
    frameCosts: number[];
  }
}

/** Runs in the page. Measures from before the first key handler to the next frame. */
function observeFrames(selector: string) {
  window.frameCosts = [];
  let start = 0;
  window.addEventListener('keydown', () => (start = performance.now()), { capture: true });
  window.addEventListener('input', () => {
    const began = start;
    requestAnimationFrame(() => {
      document.querySelector(selector)?.getBoundingClientRect();
      window.frameCosts.push(performance.now() - began);
    });
  });
}

function insertTextArea(text: string) {
  document.body.replaceChildren();
  const area = document.createElement('textarea');
  area.id = 'bare';
  area.rows = 16;
  area.style.cssText = 'width: 45rem; font-size: 16px; line-height: 1.6';
  area.value = text;
  document.body.append(area);
}
