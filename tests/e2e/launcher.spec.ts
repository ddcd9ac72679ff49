/** The chat launcher overlaps the page. Every control that it covers can be scrolled out from under it. */
import type { Locator, Page } from '@playwright/test';
import { signIn } from '../support/admin-session.ts';
import { expect, test } from '../support/e2e.ts';

const findLauncher = (page: Page) => page.getByRole('button', { name: 'Open chat' });

/** Lists the controls that overlap the chat launcher, without scrolling. */
function findOverlappedControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const launcher = document.querySelector('[aria-label="Open chat"]');
    if (!launcher) throw new Error('The chat launcher was not found');
    if (getComputedStyle(launcher).opacity === '0') return [];
    const box = launcher.getBoundingClientRect();
    const controls = document.querySelectorAll<HTMLElement>('main :is(a[href], button, input, textarea, select)');
    return [...controls].flatMap((control) => {
      const { left, right, top, bottom, height } = control.getBoundingClientRect();
      if (!control.checkVisibility() || (height > 120 && control.tagName !== 'TEXTAREA')) return [];
      const isApart = right < box.left || left > box.right || bottom < box.top || top > box.bottom;
      return isApart ? [] : [control.getAttribute('aria-label') ?? `${control.textContent || control.id}`];
    });
  });
}

/** Lists the names of the controls that the launcher still covers after they were scrolled into view. */
function findCoveredControls(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    document.documentElement.dataset['laidOut'] = '';
    const launcher = document.querySelector('[aria-label="Open chat"]');
    if (!launcher) throw new Error('The chat launcher was not found');
    // Start at the top, because controls that are already in view are not scrolled.
    window.scrollTo({ top: 0, behavior: 'instant' });
    const controls = document.querySelectorAll<HTMLElement>('a[href], button, input, textarea, select, [tabindex="0"]');
    const isCovered = (control: HTMLElement) => {
      const { left, top, width, height } = control.getBoundingClientRect();
      const topElement = document.elementFromPoint(left + width / 2, top + height / 2);
      return topElement !== null && launcher.contains(topElement);
    };
    const labels: string[] = [];
    for (const control of controls) {
      if (control === launcher || !control.checkVisibility() || control.closest('[inert], [aria-hidden=true]'))
        continue;
      control.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
      // The launcher moves when the scroll has ended.
      for (let waited = 0; isCovered(control) && waited < 2000; waited += 100) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      if (isCovered(control)) labels.push(control.getAttribute('aria-label') ?? `${control.textContent}`);
    }
    return labels;
  });
}

for (const [width, height] of [
  [390, 844],
  [320, 568],
] as const) {
  test.describe(`On a phone ${width} px wide,`, () => {
    test.use({ viewport: { width, height } });

    test('the launcher keeps its size and covers no control, before and after scrolling', async ({ page }) => {
      const launcher = findLauncher(page);
      for (const path of ['/contact', '/services', '/news']) {
        await page.goto(path);
        await expect(launcher).toBeAttached();
        const steps = await page.evaluate(() => Math.min(12, document.body.scrollHeight / (window.innerHeight / 3)));
        for (let step = 0; step < steps; step++) {
          await page.evaluate((n) => window.scrollTo({ top: (n * innerHeight) / 3, behavior: 'instant' }), step);
          await expect.poll(() => findOverlappedControls(page), `${path}, step ${step}`).toEqual([]);
          expect((await launcher.boundingBox())?.width).toBe(56);
        }
      }
    });

    test('the launcher moves above a control, opens the chat from there, and returns', async ({ page }) => {
      await page.goto('/services');
      const launcher = findLauncher(page);
      const lift = () => page.evaluate(() => document.documentElement.style.getPropertyValue('--launcher-lift'));
      const control = page.getByRole('button', { name: 'Subscribe' });
      await expect(control).toBeAttached();
      await control.evaluate((element) => {
        document.documentElement.dataset['laidOut'] = '';
        const middle = element.getBoundingClientRect().top + element.clientHeight / 2;
        window.scrollBy({ top: middle - (window.innerHeight - 48), behavior: 'instant' });
      });
      await expect.poll(lift).not.toBe('');
      await expect
        .poll(async () => {
          const [above, below] = [await launcher.boundingBox(), await control.boundingBox()];
          return above && below && above.y + above.height <= below.y;
        })
        .toBe(true);
      await launcher.click();
      const chat = page.getByRole('dialog');
      await expect(chat.getByRole('textbox')).toBeFocused();
      // Playwright's click fails if the launcher covers the button.
      await chat.getByRole('textbox').fill('What do you do?');
      await chat.getByRole('button', { name: 'Send' }).click();
      await expect(chat.getByRole('textbox')).toHaveValue('');
      await chat.getByRole('button', { name: 'Close chat' }).click();
      // The end of every page has space for it. Closing the chat navigates back in the history, which also scrolls.
      await expect
        .poll(async () => {
          await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
          return lift();
        })
        .toBe('');
    });
  });
}

test('Toasts cover neither the launcher nor a field of the form', async ({ page }) => {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/contact');
    await page.getByRole('button', { name: 'Send message' }).click();
    const toast = page.locator('[data-sonner-toast]');
    await expect(toast).toContainText('Name is required');
    const form = page.getByRole('form', { name: 'Contact' });
    for (const control of [findLauncher(page), form.getByLabel('Name'), form.getByLabel('Email')]) {
      await expect.poll(() => overlaps(control, toast)).toBe(false);
    }
  }
});

async function overlaps(left: Locator, right: Locator): Promise<boolean> {
  const [a, b] = [await left.boundingBox(), await right.boundingBox()];
  if (!a || !b) throw new Error('An element is not visible');
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Expects no control to stay covered at any width. */
async function expectNoneCovered(page: Page): Promise<void> {
  await expect(findLauncher(page)).toBeAttached();
  for (const width of [390, 834, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    // The launcher follows a resize after a moment.
    await expect.poll(() => findCoveredControls(page), `${page.url()} at ${width} px`).toEqual([]);
  }
}

test('Every control of the public pages can be reached', async ({ page, site }) => {
  const published = site.service.from('posts').select('slug').eq('status', 'published').limit(1);
  const { data: post } = await published.single().throwOnError();
  for (const path of ['/', '/about', '/services', '/projects', '/news', `/news/${post.slug}`, '/contact']) {
    await page.goto(path);
    await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' })).toBeAttached();
    await expectNoneCovered(page);
  }
});

test('Pages for signing in, signed-in users and single decisions have no launcher', async ({ page, site }) => {
  const launcher = findLauncher(page);
  await page.goto('/');
  await expect(launcher).toBeAttached();
  for (const path of ['/auth', '/newsletter/confirm', `/approve/${'0'.repeat(64)}`]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(launcher).toHaveCount(0);
  }
  await signIn(page, site, await site.createUser({ role: 'client', approved: true }));
  for (const path of ['/client-dashboard', '/account']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(launcher).toHaveCount(0);
  }
});

test('A daily cap of 0 removes the chat from every page, and the contact page offers another way to write', async ({
  page,
  site,
}) => {
  const closedMessage = 'The chat is currently closed.';
  const launcher = findLauncher(page);
  await page.goto('/contact');
  await expect(launcher).toBeVisible();
  await expect(page.getByText(closedMessage)).toHaveCount(0);
  const dailyCap = site.service.from('site_settings');
  await dailyCap.insert({ setting_key: 'chat_daily_cap', setting_value: '0' }).throwOnError();
  try {
    await page.goto('/about');
    await expect(page.getByRole('contentinfo')).toBeVisible();
    await expect(launcher).toHaveCount(0);
    await page.goto('/contact');
    await expect(page.getByText(`${closedMessage} Write to us, and a person will answer.`)).toBeVisible();
    await expect(page.getByRole('main').getByRole('link', { name: /@/ })).toBeVisible();
    await expect(launcher).toHaveCount(0);
    await page.goto('/chat-embed');
    await expect(page.getByRole('heading', { name: closedMessage })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Write to us' })).toHaveAttribute('href', '/contact');
  } finally {
    await dailyCap.delete().eq('setting_key', 'chat_daily_cap').throwOnError();
  }
});
