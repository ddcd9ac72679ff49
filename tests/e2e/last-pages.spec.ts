/** Last pages of long lists. */
import { openAdmin } from '../support/admin-session.ts';
import { expect, type Site, test } from '../support/e2e.ts';

test.use({ starterContent: false });

/** Number of rows in each list. It fills 23 pages of 24 rows, and a last page with two rows. */
const ROWS = 530;
const numbers = Array.from({ length: ROWS }, (_, index) => index + 1);
const minutesBefore = (minutes: number) => new Date(Date.UTC(2026, 5, 1) - minutes * 60_000).toISOString();

async function insertRows(site: Site): Promise<void> {
  const rows: Record<string, object[]> = {
    posts: numbers.map((n) => ({
      title: `Post ${n}.`,
      slug: `post-${n}`,
      category: n % 2 ? 'Odd' : 'Even',
      status: 'published',
      published_date: minutesBefore(n),
      created_at: minutesBefore(n),
    })),
    leads: numbers.map((n) => ({
      source: 'contact',
      name: `Lead ${n}.`,
      email: `n${n}@example.com`,
      created_at: minutesBefore(n),
    })),
    newsletter_subscribers: numbers.map((n) => ({ email: `reader-${n}@example.com`, created_at: minutesBefore(n) })),
  };
  for (const [table, items] of Object.entries(rows)) await site.service.from(table).insert(items).throwOnError();
}

test('The last pages of News, posts, leads and subscribers show their rows', async ({ page, site }) => {
  test.slow();
  await insertRows(site);
  await page.goto('/news?page=23');
  const titles = page.getByRole('main').getByRole('heading', { level: 2, name: /^Post / });
  await expect(titles).toHaveText(['Post 529.', 'Post 530.']);
  await page.goto('/news?page=22');
  await expect(titles.first()).toHaveText('Post 505.');
  await expect(titles).toHaveCount(24);

  const rows = page.getByRole('main').getByRole('listitem');
  await openAdmin(page, site, '/admin/posts?page=23&sort=newest');
  await expect(rows.filter({ hasText: /Post \d+\./ })).toContainText(['Post 529.', 'Post 530.']);
  await page.goto('/admin/leads?page=23');
  await expect(rows.filter({ hasText: /Lead \d+\./ })).toContainText(['Lead 529.', 'Lead 530.']);
  await page.goto('/admin/leads/subscribers?page=22');
  const subscribers = rows.filter({ hasText: 'reader-' });
  await expect(subscribers).toHaveCount(24);
  await expect(subscribers.first()).toContainText('reader-505@example.com');
  await expect(subscribers.last()).toContainText('reader-528@example.com');
});
