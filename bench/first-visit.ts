/** Measures a first visit of the home page on an emulated phone: 4x slower processor, 1.6 Mbit/s, 150 ms latency. */
import { type CDPSession, chromium, devices, type Page } from '@playwright/test';
import { CHROMIUM_ARGUMENTS, requireChromium } from '../tests/support/chromium.ts';
import { report, withSite } from './site.ts';

const VISITS = 5;

interface Visit {
  largestPaint: number;
  layoutShift: number;
  blocked: number;
  script: number;
  fonts: number;
  otherHosts: number;
  largestElement: string;
}

await withSite(async ({ url }) => {
  const browser = await chromium.launch({ executablePath: requireChromium(), args: CHROMIUM_ARGUMENTS });
  await (await fetch(url, { headers: { 'accept-encoding': 'br' } })).arrayBuffer();
  const visits: Visit[] = [];
  for (let n = 0; n < VISITS; n++) {
    const context = await browser.newContext({ ...devices['Pixel 7'] });
    visits.push(await visit(await context.newPage(), url));
    await context.close();
  }
  await browser.close();
  const median = (key: Exclude<keyof Visit, 'largestElement'>) =>
    visits.map((visit) => visit[key]).sort((a, b) => a - b)[Math.floor(VISITS / 2)] ?? 0;
  report(
    'Largest contentful paint',
    `${Math.round(median('largestPaint'))} ms`,
    `target 1000 ms (${visits[0]?.largestElement})`,
  );
  report('Total blocking time', `${Math.round(median('blocked'))} ms`, 'target 100 ms');
  report('Layout shift', median('layoutShift').toFixed(4), 'target 0');
  report('JavaScript, as sent', `${Math.round(median('script') / 1000)} kB`, 'target 130 kB');
  report('Fonts, as sent', `${Math.round(median('fonts') / 1000)} kB`, 'target 60 kB');
  report('Requests to other hosts', String(median('otherHosts')), 'target 0');
});

async function visit(page: Page, url: string): Promise<Visit> {
  const cdp = await page.context().newCDPSession(page);
  const bytes = await countBytes(cdp, url);
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: (1.6 * 1024 * 1024) / 8,
    uploadThroughput: (750 * 1024) / 8,
  });
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.addInitScript(observe);
  await page.goto(url, { waitUntil: 'networkidle' });
  // The start-up overlay covers the page for 3.5 s. Layout shifts after it also count.
  await page.waitForTimeout(4500);
  const metrics = await page.evaluate(() => window.metrics);
  return { ...metrics, ...bytes };
}

/** Counts loaded bytes and requests to other hosts. The counts grow while the page loads. */
async function countBytes(cdp: CDPSession, url: string) {
  const bytes = { script: 0, fonts: 0, otherHosts: 0 };
  const types = new Map<string, string>();
  await cdp.send('Network.enable');
  cdp.on('Network.responseReceived', ({ requestId, type, response }) => {
    types.set(requestId, type);
    if (response.url.startsWith('http') && !response.url.startsWith(url)) bytes.otherHosts += 1;
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId);
    if (type === 'Script') bytes.script += encodedDataLength;
    if (type === 'Font') bytes.fonts += encodedDataLength;
  });
  return bytes;
}

declare global {
  interface Window {
    metrics: { largestPaint: number; layoutShift: number; blocked: number; largestElement: string };
  }
}

/** Runs in the page before all other scripts. */
function observe() {
  window.metrics = { largestPaint: 0, layoutShift: 0, blocked: 0, largestElement: '' };
  const watch = (type: string, onEntry: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(onEntry)).observe({ type, buffered: true });
  watch('largest-contentful-paint', (entry) => {
    const { element } = entry as PerformanceEntry & { element?: Element };
    window.metrics.largestPaint = entry.startTime;
    window.metrics.largestElement = `${element?.tagName.toLowerCase()}: ${element?.textContent?.trim().slice(0, 40)}`;
  });
  watch('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!hadRecentInput) window.metrics.layoutShift += value;
  });
  watch('longtask', (entry) => {
    window.metrics.blocked += Math.max(0, entry.duration - 50);
  });
}
