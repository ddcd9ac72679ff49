/** Every sentence of a public page is editable content, except for buttons and form labels. */
import type { Page } from '@playwright/test';
import { sections } from '../../app/content/pages/sections.ts';
import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, expectNoHorizontalScroll, test } from '../support/e2e.ts';

const MARK = '※';

/** Keys whose values are URLs, numbers or names from a list. */
const NOT_TEXT = /^(?:icon|url|src|imgSrc|imageUrl|caseUrl|platform|sent|inbox)$/;

/** Adds a marker to every text of a section, and enables the section. */
function addMarker(value: unknown, key = ''): unknown {
  if (typeof value === 'string') {
    if (NOT_TEXT.test(key)) return value;
    // Several paragraphs become several elements, and one marker would not mark all of them.
    return value.includes('\n') ? MARK : `${MARK}${value}`;
  }
  if (Array.isArray(value)) return value.map((item) => addMarker(item, key));
  if (typeof value !== 'object' || value === null) return value === false ? true : value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, addMarker(child, name)]));
}

const ITEM_TEXTS = {
  posts: ['title', 'excerpt', 'category'],
  projects: ['title', 'company', 'metric', 'description'],
  services: ['title', 'short_description', 'timeline', 'pricing'],
  reviews: ['author_name', 'author_role', 'company', 'quote'],
  team_members: ['name', 'position', 'bio'],
  faq: ['question'],
};

/** Texts that are not content, grouped by reason. */
const FIXED: readonly RegExp[] = [
  // Navigation and names of pages.
  /^(?:Skip to content|Home|About|Services|Projects|News|Contact|Privacy|Terms|Cookies|All)$/,
  // Buttons and links.
  /^(?:Book a call|View all projects|Read all posts|Write|Call|Open the contact form|the contact form|Subscribe)$/,
  /^(?:Send message|Open as an email draft)$/,
  // Labels of forms and lists.
  /^(?:Name|Email|Message|Timeline|Pricing|30-minute call|Why it is sent|When|Before you write|Who answers)$/,
  // Captions and labels of drawings.
  /^(?:Signal|Line|Answer|Meeting|Filled: reached the inbox\. .*)$/,
  /^59\.91° N, 10\.75° EJune/,
  // Numbers, dates and weekdays.
  /^(?:[\d.:%]+|\d+ of \d+ · \d+%|\d of \d|out of 5, from \d clients|Mon|Tue|Wed|Thu|Fri|(?:Last changed on )?\d+ \w+ 20\d\d)$/,
  // The second part of a text that is split for display.
  / at |^(?:qualified meetings|inbox placement|answered at night|pipeline opened|duplicates removed)$/,
];

async function listTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!parent || parent.closest('script, style, noscript, svg')) continue;
      // A text beside its content, such as "30" and "minutes", is one sentence.
      const text = (parent.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
      if (text.length > 1) texts.push(text);
    }
    return [...new Set(texts)];
  });
}

test('Every text on the public pages is content that editors can change', async ({ page, site }) => {
  const rows = Object.entries(sections).flatMap(([page_slug, pageSections]) =>
    Object.entries(pageSections)
      .filter(([name]) => name !== 'order')
      .map(([section_name, { defaults }]) => ({
        page_slug,
        section_name,
        content: JSON.stringify(addMarker(defaults)),
        content_type: 'json',
      })),
  );
  await site.service.from('page_content').upsert(rows, { onConflict: 'page_slug,section_name' }).throwOnError();
  for (const [table, columns] of Object.entries(ITEM_TEXTS)) {
    const { data = [] } = await site.service.from(table).select().throwOnError();
    for (const item of data ?? []) {
      const texts = Object.fromEntries(columns.map((column) => [column, `${MARK}${item[column] ?? ''}`]));
      await site.service.from(table).update(texts).eq('id', item.id).throwOnError();
    }
  }
  const settings = ['site_name', 'site_tagline', 'contact_email', 'contact_phone', 'answer_time'].map(
    (setting_key) => ({
      setting_key,
      setting_value: `${MARK}${setting_key}`,
    }),
  );
  await site.service.from('site_settings').upsert(settings, { onConflict: 'setting_key' }).throwOnError();
  const unmarked = new Set<string>();
  for (const path of ['/', '/about', '/services', '/projects', '/news', '/contact', '/privacy', '/terms', '/cookies']) {
    await page.goto(path);
    for (const text of await listTexts(page)) {
      if (!text.includes(MARK) && !FIXED.some((fixed) => fixed.test(text))) unmarked.add(`${path}: ${text}`);
    }
  }
  expect([...unmarked]).toEqual([]);
});

test('An editor changes the order of the home page and hides a section', async ({ page, browser, site }) => {
  await openAdmin(page, site, '/admin/pages/home?tab=order');
  await page.getByRole('switch', { name: 'Projects' }).uncheck();
  await page.getByRole('button', { name: 'Move testimonials up' }).click();
  await page.getByRole('button', { name: 'Move testimonials up' }).click();
  await expect(page.getByRole('button', { name: 'Move testimonials up' })).toBeFocused();
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Content updated successfully')).toBeVisible();

  const visitor = await browser.newPage({ baseURL: site.url });
  await visitor.goto('/');
  const ids = await visitor.locator('main section[id]').evaluateAll((list) => list.map(({ id }) => id));
  expect(ids.slice(0, 3)).toEqual(['testimonials', 'highlights', 'services']);
  expect(ids).not.toContain('projects');
  expect(ids.at(-1)).toBe('booking');
  await expect(visitor.getByRole('link', { name: 'See the work' })).toHaveAttribute('href', '/projects');
  await visitor.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(visitor);
  await visitor.close();
});

test('An editor adds a chapter to the story and a feature tile', async ({ page, browser, site }) => {
  await openAdmin(page, site, '/admin/pages/about?tab=story');
  await page.getByRole('button', { name: 'Add chapter' }).click();
  await page.getByLabel('Year').fill('2027');
  await page.getByLabel('Title').fill('A second office');
  await page.getByLabel('Text').fill('It opened in Bergen.');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Content updated successfully')).toBeVisible();
  await page.goto('/admin/pages/home?tab=features');
  await page.getByRole('button', { name: 'Tile 1:' }).click();
  await page.getByLabel('Title').fill('Your keys');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Content updated successfully')).toBeVisible();

  const visitor = await browser.newPage({ baseURL: site.url });
  await visitor.goto('/about');
  await expect(visitor.getByRole('heading', { name: 'A second office' })).toBeVisible();
  await visitor.goto('/');
  await expect(visitor.getByRole('heading', { name: 'Your keys' })).toBeAttached();
  await visitor.close();
});
