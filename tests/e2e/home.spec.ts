import type { Page } from '@playwright/test';
import { expect, expectNoHorizontalScroll, test, waitUntilHydrated, waitUntilRendered } from '../support/e2e.ts';

/** Scrolls a section into view and waits until it is hydrated. */
async function scrollToSection(page: Page, id: string) {
  const section = page.locator(`#${id}`);
  await section.scrollIntoViewIfNeeded();
  return waitUntilHydrated(section);
}

test('The first HTML contains the whole home page, from the hero to the booking section', async ({ request }) => {
  const html = await (await request.get('/')).text();
  const positions = [
    'Build something',
    'Work with us',
    'Scroll to explore',
    'Companies we work with',
    'What changes when',
    'What clients say',
    'Outreach Systems',
    'Your domains, your data',
    'View all projects',
    'Read all posts',
    'Write to us',
    'Ready to Scale Your Outbound?',
  ].map((text) => html.indexOf(text));
  expect(positions).not.toContain(-1);
  expect(positions).toEqual(positions.toSorted((first, second) => first - second));
});

test.describe('With motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('The word of the hero changes every 2 seconds without layout shift', async ({ page }) => {
    await page.clock.install({ time: 0 });
    await page.goto('/');
    // The server renders the words as moving, but the script that moves them may load later.
    await waitUntilHydrated(page.getByRole('button', { name: 'Pause the animation' }));
    await expect(page.locator('[data-moving]')).toBeAttached();
    // Code that loads later would hydrate at a different hour than the HTML, or never if the clock is paused.
    await page.waitForLoadState('networkidle');
    await page.clock.pauseAt(3_600_000);
    await waitUntilRendered(page);
    const words = ['innovative', 'powerful', 'transformative', 'intelligent', 'seamless'];
    const word = page.locator('h1 [data-shown]');
    const start = words.indexOf((await word.textContent()) ?? '');
    const before = await page.locator('h1').boundingBox();
    for (const step of [1, 2, 3, 4, 5]) {
      await page.clock.runFor(2000);
      await expect(word).toHaveText(words[(start + step) % 5] ?? '');
      expect(await page.locator('h1').boundingBox()).toEqual(before);
    }
    await page.getByRole('button', { name: 'Pause the animation' }).click();
    await page.clock.runFor(4000);
    await expect(word).toHaveText(words[start] ?? '');
  });

  test('The logos move in 40 seconds and stop on hover', async ({ page }) => {
    await page.goto('/');
    const logoTrack = page.locator('.logo-run');
    await expect(logoTrack).toHaveCSS('animation-duration', '40s');
    await expect(logoTrack).toHaveCSS('animation-play-state', 'running');
    await page.locator('.logo-banner').hover({ position: { x: 300, y: 30 } });
    await expect(logoTrack).toHaveCSS('animation-play-state', 'paused');
  });
});

test('With reduced motion, the hero words, the signal lines and the logos do not move', async ({ page }) => {
  await page.goto('/');
  await expect(page.locator('.signal-layer').first()).toHaveCSS('animation-play-state', 'paused');
  await expect(page.locator('.logo-run')).toHaveCSS('animation-name', 'none');
  await expect(page.getByRole('button', { name: 'Pause the animation' })).toHaveCount(0);
});

test('Book a call in the header opens the booking section from any page, and links open the project pages', async ({
  page,
}) => {
  for (const path of ['/services', '/']) {
    await page.goto(path);
    const header = page.getByRole('banner');
    await (await waitUntilHydrated(header.getByRole('link', { name: 'Book a call' }))).click();
    await expect(page).toHaveURL('/#booking');
    await expect(page.locator('#booking')).toBeInViewport();
  }
  // scroll-to-booking.spec.ts tests the other link to this section.
  await page.getByRole('link', { name: 'See the work' }).click();
  await expect(page.locator('#projects')).toBeInViewport();
  await page.getByRole('link', { name: 'See the projects' }).click();
  await expect(page).toHaveURL('/projects');
  await expect(page.getByRole('heading', { name: 'Sweden with three people' })).toBeVisible();
});

test('On a phone, all text of the highlights is at least 12 px, and the two facts are at least 56 px', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  const highlights = await scrollToSection(page, 'highlights');
  // Text in drawings is scaled with the drawing.
  const readSizes = () =>
    highlights.evaluate((section) =>
      [...section.querySelectorAll<HTMLElement | SVGGraphicsElement>('*')]
        .filter((node) => [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.textContent))
        .map((node) => ({
          text: node.textContent ?? '',
          size:
            Number.parseFloat(getComputedStyle(node).fontSize) *
            (node instanceof SVGGraphicsElement ? (node.getScreenCTM()?.a ?? 0) : 1),
        })),
    );
  await expect(async () => {
    const sizes = await readSizes();
    expect(sizes.map(({ text }) => text)).toEqual(expect.arrayContaining(['0', '40', '100']));
    expect(sizes.filter(({ size }) => size < 12)).toEqual([]);
    for (const fact of ['40%', '$2M+']) {
      expect(sizes.find(({ text }) => text === fact)?.size).toBeGreaterThanOrEqual(56);
    }
  }).toPass();
});

test('Testimonials can be moved by button, arrow key, click and drag, and the highlights show six linked facts', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/');
  const section = await scrollToSection(page, 'testimonials');
  const active = section.locator('[data-active]');
  await expect(active).toContainText('Marit Fossum');
  await expect(section.getByRole('status')).toBeEmpty();
  await section.getByRole('button', { name: 'Next testimonial' }).click();
  await expect(active).toContainText('Jonas Brekke');
  await expect(section.getByRole('status')).toHaveText(/^Eleven meetings .* Jonas Brekke, CEO at Fjellhus$/);
  await section.getByRole('button', { name: 'Previous testimonial' }).click();
  await section.getByRole('button', { name: 'Previous testimonial' }).click();
  await expect(active).toContainText('Viktor Sand');
  await section.getByRole('group').focus();
  await page.keyboard.press('ArrowRight');
  await expect(active).toContainText('Marit Fossum');
  await page.keyboard.press('ArrowLeft');
  await expect(active).toContainText('Viktor Sand');
  await section.getByRole('button', { name: 'Show the testimonial by Jonas Brekke' }).click();
  await expect(active).toContainText('Jonas Brekke');

  const card = await active.boundingBox();
  if (!card) throw new Error('The active card is not visible');
  await page.mouse.move(card.x + 180, card.y + 180);
  await page.mouse.down();
  await page.mouse.move(card.x - 60, card.y + 180, { steps: 6 });
  await page.mouse.up();
  await expect(active).toContainText('Henning Dale');

  const highlights = await scrollToSection(page, 'highlights');
  for (const text of ['40%', '$2M+', 'Nordvik Logistics', 'Small on purpose', 'Ragnhild Eide']) {
    await expect(highlights.getByText(text).first()).toBeVisible();
  }
  await expect(highlights.getByRole('listitem')).toHaveText(['Discovery2 Months', 'Build3 Months', 'Deploy4 Months']);
  await expect(highlights.getByRole('link', { name: /Read the case/ })).toHaveAttribute('href', '#projects');
  await highlights.getByRole('link', { name: 'See the services' }).click();
  await expect(page.locator('#services')).toBeInViewport();
});

test('A service can be opened, closed, and selected for the booking section', async ({ page }) => {
  await page.goto('/');
  const services = await scrollToSection(page, 'services');
  await expect(services.getByText('4-6 weeks')).toBeVisible();
  await expect(services.getByText('3-5 weeks')).toBeVisible();
  await expect(services.getByText('2-4 weeks')).toBeVisible();
  await services.getByRole('button', { name: 'Learn more about Outreach Systems' }).click();
  await expect(services.getByText('First the ground.')).toBeVisible();
  await expect(services.getByText('Weekly report with the numbers that matter')).toBeVisible();
  await services.getByRole('button', { name: 'Show less about Outreach Systems' }).click();
  await expect(services.getByText('First the ground.')).toHaveCount(0);

  const select = services.getByRole('button', { name: 'Select this service AI Chatbots' });
  await select.click();
  await expect(select).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('#booking')).toBeInViewport();
  await expect(page.locator('#booking')).toContainText('Selected service: AI Chatbots');
});

test('Sections hydrate even if the browser reports leaving and entering the viewport in one batch', async ({
  page,
}) => {
  await page.addInitScript(() => {
    window.IntersectionObserver = class extends IntersectionObserver {
      constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        const before = (entry: IntersectionObserverEntry) => ({
          ...entry,
          target: entry.target,
          isIntersecting: false,
        });
        super(
          (entries, observer) =>
            callback(
              entries.flatMap((entry) => [before(entry), entry]),
              observer,
            ),
          options,
        );
      }
    };
  });
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/');
  await scrollToSection(page, 'services');
  // The hero is out of view and paused.
  await expect(page.locator('[data-moving]')).toHaveCount(0);
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(page.locator('[data-moving]')).toBeAttached();
});

test('The home page has a title, shows its sections, never scrolls horizontally, and links to all projects', async ({
  page,
}) => {
  await page.goto('/');
  await test.step('The head contains the metadata for search engines and link previews', async () => {
    await expect(page).toHaveTitle('Signalfjord · AI Outbound Systems for Brand-First Growth');
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\/$/);
    await expect(page.locator('meta[property="og:image"]')).toHaveAttribute('content', /^http/);
    const data = page.locator('script[type="application/ld+json"]').first();
    const jsonLd = JSON.parse((await data.textContent()) ?? '{}');
    expect(jsonLd).toMatchObject({ '@type': 'Organization', name: 'Signalfjord' });
  });
  await test.step('The home page does not scroll horizontally at any width from 320 to 2560 px', async () => {
    for (const width of [320, 390, 834, 1440, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoHorizontalScroll(page);
    }
  });
  await test.step('A testimonial card is 365 px wide from 640 px, and 290 px below', async () => {
    const card = page.locator('.testimonial-card[data-active]');
    for (const [width, size] of [
      [640, '365px'],
      [639, '290px'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await expect(card).toHaveCSS('width', size);
      await expect(card).toHaveCSS('height', size);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });
  await test.step('The booking section shows the 30-minute call and a placeholder', async () => {
    const booking = page.locator('#booking');
    await expect(booking.getByRole('heading', { name: 'Ready to Scale Your Outbound?' })).toBeVisible();
    await expect(booking).toContainText('30-minute call');
    await expect(booking).toContainText('The scheduling calendar appears here.');
    await expect(booking.locator('iframe')).toHaveCount(0);
    await expect(booking.getByRole('link', { name: 'the contact form' })).toHaveAttribute('href', '/contact');
    await expect(booking.getByRole('link', { name: '@' })).toHaveAttribute('href', /^mailto:\S+@\S+$/);
  });
  await test.step('The form below the booking section has its fields when it is scrolled into view', async () => {
    await page.getByRole('heading', { name: 'Write to us' }).scrollIntoViewIfNeeded();
    await page.getByRole('form', { name: 'Contact' }).getByLabel('Name').fill('Ingrid');
    await expect(page.getByRole('button', { name: 'Send message' })).toBeVisible();
  });
  const projects = await scrollToSection(page, 'projects');
  await expect(projects.getByRole('article')).toHaveCount(3);
  await expect(page.getByRole('link', { name: /^Read more/ })).toHaveCount(3);
  await expect(page.getByRole('link', { name: 'Read all posts' })).toHaveAttribute('href', '/news');
  await expect(page.getByRole('link', { name: /^Read more/ }).first()).toHaveAttribute(
    'href',
    '/news/the-forty-message-rule',
  );
  await projects.getByRole('link', { name: 'View all projects' }).click();
  await expect(page).toHaveURL('/projects');
});

test('Saved texts replace the defaults field by field, and invalid ones keep the defaults', async ({ page, site }) => {
  const saveSection = (section_name: string, content: string) =>
    site.service
      .from('page_content')
      .upsert({ page_slug: 'home', section_name, content }, { onConflict: 'page_slug,section_name' })
      .throwOnError();
  await saveSection('hero', JSON.stringify({ mainHeading: 'Sell something', rotatingWords: 7 }));
  await saveSection('booking', '{not json');
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Sell something');
  await expect(page.locator('h1 [data-shown]')).toHaveText('innovative');
  await expect(page.getByRole('heading', { name: 'Ready to Scale Your Outbound?' })).toBeVisible();
  await site.service.from('page_content').delete().eq('page_slug', 'home').throwOnError();
});

test('Scrolling to the booking section stops there, even if content above is laid out during the scroll', async ({
  page,
}) => {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/');
    await page.getByRole('link', { name: 'Work with us' }).click();
    const booking = page.locator('#booking');
    // 160 px for the bar at the top and a margin. Late layout may move it a little.
    await expect.poll(async () => Math.abs(((await booking.boundingBox())?.y ?? 0) - 160)).toBeLessThan(100);
    await page.mouse.wheel(0, -100);
    await expect(page.getByRole('heading', { name: 'Ready to Scale Your Outbound?' })).toBeInViewport();
  }
});

test('A screenshot of the whole page has every section, without scrolling or idle callbacks', async ({ page }) => {
  // Chromium may not run idle callbacks on a page that renders nothing more. Here, only their timeouts fire.
  await page.addInitScript(() => {
    window.requestIdleCallback = (task, { timeout } = {}) =>
      timeout ? window.setTimeout(() => task({ didTimeout: true, timeRemaining: () => 0 })) : 0;
  });
  await page.goto('/');
  const countUnrendered = () =>
    page
      .locator('.below-fold')
      .evaluateAll(
        (all) => all.filter((node) => !node.firstElementChild?.checkVisibility({ contentVisibilityAuto: true })).length,
      );
  expect(await page.locator('.below-fold').count()).toBeGreaterThan(5);
  await expect.poll(countUnrendered).toBe(0);
  // The form is loaded when it is near the viewport.
  await expect(page.getByRole('link', { name: 'Open the contact form' })).toHaveAttribute('href', '/contact');
  expect(await page.evaluate(() => scrollY)).toBe(0);
});
