import { expect, test } from '../support/e2e.ts';

test.use({ starterContent: false });

test('An empty table shows the three default services, and the other lists say that they are empty', async ({
  page,
}) => {
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
