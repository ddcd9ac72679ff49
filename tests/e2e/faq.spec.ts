import type { Request } from '@playwright/test';
import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, test, waitUntilHydrated } from '../support/e2e.ts';
import { writeMarkdown } from '../support/rich-text.ts';

const ANSWER = 'Yes, with **thirty days** of notice.\n\n- In writing\n- Without a reason';

test('Without published questions, the contact page has no FAQ section and requests no questions', async ({
  page,
  site,
}) => {
  await site.service.from('faq').insert({ question: 'Not yet?', answer: 'No.', status: 'draft' }).throwOnError();
  const requestedUrls: string[] = [];
  page.on('request', (request: Request) => requestedUrls.push(request.url()));
  await page.goto('/about');
  await (await waitUntilHydrated(page.getByRole('navigation').first().getByRole('link', { name: 'Contact' }))).click();
  await expect(page.getByRole('form', { name: 'Contact' })).toBeVisible();
  await expect(page.getByText('Questions and answers')).toHaveCount(0);
  expect(requestedUrls.filter((url) => url.includes('faq?'))).toEqual([]);
});

test('An admin writes and publishes a question, and the contact page shows the answer', async ({
  page,
  request,
  site,
}) => {
  await openAdmin(page, site, '/admin/faq/new');
  await page.getByLabel('Question').fill('Can we cancel at any time?');
  await page.getByRole('combobox', { name: 'Status' }).selectOption('published');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByText('Answer is required to publish')).toBeVisible();
  await writeMarkdown(page, ANSWER, 'Answer');
  await expect(page.getByText('Without a reason')).toBeVisible();
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL('/admin/faq');
  await expect(page.getByText('Question created successfully')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectNoAxeViolations(page);

  const html = await (await request.get('/contact')).text();
  expect(html).toContain('<strong class="font-semibold text-ink">thirty days</strong>');
  expect(html).toContain(
    '"@type":"FAQPage","mainEntity":[{"@type":"Question","name":"Can we cancel at any time?","acceptedAnswer":{"@type":"Answer","text":"Yes, with thirty days of notice. In writing Without a reason"}}]',
  );
  await page.goto('/contact');
  const section = page.getByRole('region', { name: 'Questions and answers' });
  const entry = section.getByText('Can we cancel at any time?');
  await expect(section.getByText('Without a reason')).toBeHidden();
  await entry.focus();
  await page.keyboard.press('Enter');
  await expect(section.getByText('Without a reason')).toBeVisible();
  await expectNoAxeViolations(page);
});

test.describe('The FAQ section without JavaScript', () => {
  // Chromium logs an error for each script that it does not load.
  test.use({ javaScriptEnabled: false, allowedProblems: [/\.js csp$/] });

  test('can open its answers', async ({ page }) => {
    await page.goto('/contact');
    await page.getByText('Can we cancel at any time?').click();
    await expect(page.getByText('Without a reason')).toBeVisible();
  });
});
