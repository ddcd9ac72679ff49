import type { Page } from '@playwright/test';
import { findChat } from '../support/chat.ts';
import { expect, test, waitUntilHydrated } from '../support/e2e.ts';

const MESSAGE = { type: 'scroll-to-booking' };

test('A message from the page itself scrolls to the booking section, from any page', async ({ page }) => {
  await page.goto('/contact');
  // Hydration renders the field and adds the listener.
  await expect(page.getByRole('contentinfo').getByRole('textbox')).toBeAttached();
  await page.evaluate((message) => window.postMessage(message, '*'), MESSAGE);
  await expect(page).toHaveURL('/#booking');
});

test('Only messages from embedded windows scroll to the booking section, not from embedding windows', async ({
  page,
}) => {
  await page.goto('/contact');
  // Hydration renders the field and adds the listener.
  await expect(page.getByRole('contentinfo').getByRole('textbox')).toBeAttached();
  const frame = await page.evaluateHandle(() => {
    const element = document.createElement('iframe');
    element.src = '/contact';
    document.body.append(element);
    return element;
  });
  const inner = await frame.contentFrame();
  if (!inner) throw new Error('The frame has no document');
  await inner.getByRole('contentinfo').getByRole('textbox').waitFor({ state: 'attached' });
  await page.evaluate((message) => frames[0]?.postMessage(message, '*'), MESSAGE);
  await inner.evaluate((message) => parent.postMessage(message, '*'), MESSAGE);
  await expect(page).toHaveURL('/#booking');
  expect(new URL(inner.url()).pathname).toBe('/contact');
});

/** Links and buttons that open the booking section, each on a fresh page. */
const LINKS = {
  'the button of the hero': async (page: Page) => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Work with us' }).click();
  },
  'a service of the home page': async (page: Page) => {
    await page.goto('/');
    const select = page.getByRole('button', { name: 'Select this service AI Chatbots' });
    await select.scrollIntoViewIfNeeded();
    await (await waitUntilHydrated(select)).click();
  },
  'a service of the services page': async (page: Page) => {
    await page.goto('/services');
    await (await waitUntilHydrated(page.getByRole('button', { name: 'Select this service AI Chatbots' }))).click();
  },
  'the chat on the home page': async (page: Page) => {
    await page.goto('/');
    await findChat(page).open();
    await page.getByRole('button', { name: 'Book a Meeting' }).click();
  },
  'the chat on another page': async (page: Page) => {
    await page.goto('/about');
    await findChat(page).open();
    await page.getByRole('button', { name: 'Book a Meeting' }).click();
  },
  'a link from elsewhere': async (page: Page) => {
    await page.goto('/#booking');
  },
} satisfies Record<string, (page: Page) => Promise<void>>;

/** Expects the section to be below the bar of the page. The bar and its margin take 160 px. */
async function expectAtBooking(page: Page) {
  const top = () => page.locator('#booking').evaluate((section) => Math.round(section.getBoundingClientRect().top));
  await expect.poll(async () => Math.abs((await top()) - 160)).toBeLessThanOrEqual(2);
}

/** Waits until the network is idle and two more frames have been rendered. */
async function waitForStableLayout(page: Page) {
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/**
 * One link of each kind is enough, because all links of a kind scroll alike. The kinds are a link of the page, a click
 * that scripts handle, and a deep link.
 */
const LINK_KINDS = ['the button of the hero', 'the chat on another page', 'a link from elsewhere'] as const;

test.describe('With motion,', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  for (const [width, links] of [
    [390, Object.keys(LINKS) as (keyof typeof LINKS)[]],
    [1440, LINK_KINDS],
  ] as const) {
    test(`the links scroll to the booking section and stay there at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 844 });
      for (const link of links) await test.step(link, () => expectToStay(page, LINKS[link]));
    });
  }

  test('a link from another page scrolls to the booking section even while the page slides in', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 844 });
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Animation.enable');
    // The page slides for 4 s, so all of its content is rendered before it stops.
    await devTools.send('Animation.setPlaybackRate', { playbackRate: 0.1 });
    await LINKS['the chat on another page'](page);
    await expectAtBooking(page);
    await devTools.detach();
  });
});

test('With reduced motion, the links scroll to the booking section', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const link of LINK_KINDS) await test.step(link, () => expectToStay(page, LINKS[link]));
});

async function expectToStay(page: Page, openLink: (page: Page) => Promise<void>): Promise<void> {
  // A fresh page, because a hash on the current one would not load a new document.
  await page.goto('/robots.txt');
  await openLink(page);
  await expectAtBooking(page);
  await waitForStableLayout(page);
  await expectAtBooking(page);
  await expect(page.locator('#booking')).toBeFocused();
  await expect(page.locator('#booking')).toHaveCSS('outline-style', 'none');
}

for (const width of [390, 1440]) {
  test(`A link from another site scrolls to the booking section before any script has loaded, at ${width} px`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    const released = Promise.withResolvers<void>();
    await page.route('**/*.js', async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.goto('/#booking', { waitUntil: 'commit' });
    await expectAtBooking(page);
    released.resolve();
    await waitUntilHydrated(page.locator('#booking'));
    await waitForStableLayout(page);
    await expectAtBooking(page);
  });
}

test('Scrolling by the visitor is not interrupted', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  await page.getByRole('link', { name: 'Work with us' }).click();
  await expectAtBooking(page);
  const top = () => page.locator('#booking').evaluate((section) => Math.round(section.getBoundingClientRect().top));
  await page.mouse.move(200, 400);
  await page.mouse.wheel(0, -600);
  await expect.poll(top).toBeGreaterThan(700);
  // The wheel event may need some frames.
  let position = await top();
  await expect
    .poll(async () => {
      const before = position;
      await waitForStableLayout(page);
      position = await top();
      return position - before;
    })
    .toBe(0);
  await page.evaluate(() => document.body.append(Object.assign(document.createElement('p'), { textContent: 'Late' })));
  await waitForStableLayout(page);
  expect(await top()).toBe(position);
});
