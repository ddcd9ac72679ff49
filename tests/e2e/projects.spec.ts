import { expect, expectNoAxeViolations, test } from '../support/e2e.ts';

test('The projects page lists every published project and no draft', async ({ page, site }) => {
  await site.service
    .from('projects')
    .insert({ title: 'A secret project', slug: 'secret-project', status: 'draft' })
    .throwOnError();
  await page.goto('/projects');
  await expect(page).toHaveTitle('Projects · Signalfjord');
  await expect(page.getByRole('article')).toHaveCount(5);
  await expect(page.getByText('A secret project')).toHaveCount(0);
  await expectNoAxeViolations(page);
});

test('A project opens its whole story in a dialog and gives the focus back', async ({ page }) => {
  await page.goto('/projects');
  const opener = page.getByRole('button', { name: 'A pipeline that starts before eight' });
  const dialog = page.getByRole('dialog', { name: 'A pipeline that starts before eight' });
  await expect(async () => {
    await opener.click();
    await expect(dialog).toBeVisible({ timeout: 2000 });
  }).toPass();
  await expect(dialog.getByRole('heading', { name: 'What we found' })).toBeVisible();
  await expect(dialog.getByRole('table')).toBeVisible();
  await expectNoAxeViolations(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
});

test.describe('a failing list', () => {
  test.use({ allowedProblems: [/status of 400/] });

  test('On the way from another page the list says that it loads, and offers another try when it fails', async ({
    page,
  }) => {
    await page.goto('/contact');
    let answers = 0;
    const release = Promise.withResolvers<void>();
    await page.route('**/rest/v1/projects?*', async (route) => {
      answers += 1;
      if (answers > 1) return route.continue();
      await release.promise;
      // What the backend refuses is not asked again by itself.
      await route.fulfill({ status: 400, json: { code: '42703', message: 'no', details: null, hint: null } });
    });
    await page.getByRole('navigation').first().getByRole('link', { name: 'Projects' }).click();
    await expect(page.getByText('Loading projects...')).toBeVisible();
    release.resolve();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('article')).toHaveCount(5);
  });
});
