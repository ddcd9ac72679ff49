import { openAdmin } from '../support/admin-session.ts';
import { expect, test } from '../support/e2e.ts';

test.use({ starterContent: false });

test('An empty site shows the default services and team, and empty states for projects and posts', async ({ page }) => {
  await page.goto('/services');
  await expect(page.getByRole('heading', { level: 2 })).toContainText([
    'Outreach Systems',
    'Lead Generation',
    'AI Chatbots',
  ]);
  await page.goto('/projects');
  await expect(page.getByText('No projects yet')).toBeVisible();
  await page.goto('/news');
  await expect(page.getByText('No posts yet')).toBeVisible();
  await page.goto('/about');
  await expect(page.locator('li[data-shown]')).toContainText('Sunniva Dahl');
});

/** Empty states of the lists, with the first step if the user can take one. */
const EMPTY_LISTS: Record<string, [emptyText: string, action?: string]> = {
  posts: ['No posts yet. Create your first post to get started.', 'New Post'],
  projects: ['No projects yet. Create your first project to get started.', 'New Project'],
  services: ['No services yet. Create your first service to get started.', 'New Service'],
  reviews: ['No reviews yet. Create your first review to get started.', 'New Review'],
  team: ['No team members yet. Create your first team member to get started.', 'New Team Member'],
  faq: ['No questions yet. Create your first question to get started.', 'New Question'],
  'posts/deleted': ['No deleted posts'],
  'media/deleted': ['No deleted files'],
  releases: ['No releases yet', 'New Release'],
  media: ['No files yet. Upload your first file to get started.', 'Upload files'],
  links: ['No dead links'],
  previews: ['No active links', 'Create link'],
  leads: ['No leads yet', 'Open settings'],
  'leads/subscribers': ['No subscribers yet', 'Open settings'],
  'leads/webhook': ['Nothing sent yet'],
  'bookings?tab=list': ['No bookings yet', 'Set hours'],
  clients: ['No clients yet', 'New client'],
  conversations: ['No conversations yet', 'Ask the assistant'],
  'conversations/asked': ['No questions yet', 'Ask the assistant'],
  'conversations/unanswered': ['No unanswered questions', 'Open the test box'],
  'conversations/checks': ['No checks yet', 'New check'],
  'people/record': ['No actions yet', 'All people'],
};

test('Every list of the admin area has an empty state with the first step', async ({ page, site }) => {
  test.slow();
  await openAdmin(page, site, '/admin/dashboard');
  await expect(page.getByText('No pending tasks or registrations.')).toBeVisible();
  for (const [path, [emptyText, action]] of Object.entries(EMPTY_LISTS)) {
    // Open lists in the sidebar by link, because a page load takes three times as long.
    const link = page.getByRole('navigation', { name: 'Admin' }).locator(`a[href="/admin/${path}"]`);
    if (/^\w+$/.test(path) && path !== 'links') await link.click();
    else await page.goto(`/admin/${path}`);
    const main = page.getByRole('main');
    await expect(main.getByText(emptyText, { exact: true }), path).toBeVisible();
    if (action) await expect(main.locator('a, button').filter({ hasText: action }).first(), path).toBeVisible();
  }
});
