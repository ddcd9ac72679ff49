import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, test } from '../support/e2e.ts';

const FIXTURES = join(import.meta.dirname, '../../app/editing/writer/paste/fixtures');

function writer(page: Page) {
  return page.getByRole('textbox', { name: 'Content' });
}

/** Pastes text into the text area from the clipboard. */
async function paste(page: Page, html: string, plain: string): Promise<void> {
  await writer(page).evaluate(
    (area, formats) => {
      const data = new DataTransfer();
      for (const [type, text] of Object.entries(formats)) data.setData(type, text);
      area.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }));
    },
    { 'text/plain': plain, ...(html && { 'text/html': html }) },
  );
}

test.beforeEach(async ({ page, site }) => {
  await openAdmin(page, site, '/admin/posts/new');
});

test('A document from Google Docs becomes Markdown, and one Undo inserts its plain text instead', async ({ page }) => {
  const markdown = readFileSync(join(FIXTURES, 'google-docs.md'), 'utf8').trim();
  await writer(page).fill('Before');
  await writer(page).press('End');
  await paste(
    page,
    readFileSync(join(FIXTURES, 'google-docs.html'), 'utf8'),
    'How we write to strangers\r\nThe first mail',
  );
  await expect(writer(page)).toHaveValue(`Before\n\n${markdown}`);
  await expect(page.getByText('Pasted as Markdown. Undo restores the plain text.')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(writer(page)).toHaveValue('BeforeHow we write to strangers\nThe first mail');
  await page.keyboard.press('Control+z');
  await expect(writer(page)).toHaveValue('Before');
});

test.describe('Pictures in pasted text', () => {
  test.use({ allowedProblems: [/pictures\.example|ERR_FAILED/] });

  test('are uploaded on request, and failures are reported', async ({ page, site }) => {
    await page.route('https://pictures.example/**', (route) =>
      route.request().url().includes('closed')
        ? route.fulfill({
            status: 200,
            contentType: 'image/png',
            headers: { 'access-control-allow-origin': 'https://unknown.example' },
            body: PNG,
          })
        : route.fulfill({
            status: 200,
            contentType: 'image/png',
            headers: { 'access-control-allow-origin': '*' },
            body: PNG,
          }),
    );
    const data = `data:image/png;base64,${PNG.toString('base64')}`;
    await writer(page).focus();
    await paste(
      page,
      `<p><b>Words</b><img alt="drawn" src="${data}"><img alt="open" src="https://pictures.example/open.png"><img alt="closed" src="https://pictures.example/closed.png"></p>`,
      'Words',
    );
    const list = page.getByRole('region', { name: 'Pictures from other sites' });
    await expect(list.getByRole('listitem')).toHaveCount(3);
    await expectNoAxeViolations(page);
    await list.getByRole('button', { name: 'Upload all 3' }).click();
    const here = '/storage/v1/object/public/content-media/[0-9a-f]{32}\\.';
    await expect(writer(page)).toHaveValue(
      new RegExp(
        `^\\*\\*Words\\*\\*!\\[drawn\\]\\(${here}png\\)!\\[open\\]\\(${here}(webp|png)\\)!\\[closed\\]\\(https://pictures.example/closed.png\\)$`,
      ),
    );
    await expect(list.getByRole('alert')).toContainText(
      'pictures.example does not allow other sites to copy its pictures.',
    );
    const described = page.getByRole('region', { name: 'Describe pictures' });
    await described.getByLabel('Description').first().fill('A drawn harbour');
    await described.getByLabel('Description').first().press('Enter');
    await expect(writer(page)).toHaveValue(/!\[A drawn harbour\]/);
    await expect(page).toHaveURL(`${site.url}/admin/posts/new`);
  });
});

test('The slash menu inserts blocks with the keyboard and announces the selection', async ({ page }) => {
  await writer(page).focus();
  await page.keyboard.type('/ta');
  const menu = page.getByRole('listbox', { name: 'Insert' });
  await expect(menu.getByRole('option')).toHaveText(['Task list', 'Table']);
  await expect(writer(page)).toHaveAttribute('aria-activedescendant', /-0$/);
  await expectNoAxeViolations(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(writer(page)).toHaveValue('| Column | Column |\n| - | - |\n|  |  |');
  await page.keyboard.type('Name');
  await expect(writer(page)).toHaveValue(/^\| Name \| Column \|/);
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\n\nand/or');
  await expect(menu).toBeHidden();
  await page.keyboard.type('\n/x');
  await expect(menu).toBeHidden();
});

test('Links to pages of the site can be found by title', async ({ page, site }) => {
  await site.service
    .from('posts')
    .insert({ title: 'Fjord in winter', slug: 'fjord-in-winter', category: 'News', status: 'published' })
    .throwOnError();
  await writer(page).fill('See our story');
  await writer(page).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(4, 13));
  await page.keyboard.press('Control+k');
  const address = page.getByRole('combobox', { name: /^Address/ });
  await expect(address).toBeFocused();
  await address.fill('fjord in');
  await expect(page.getByRole('option', { name: /Fjord in winter/ })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(writer(page)).toHaveValue('See [our story](/news/fjord-in-winter)');
  await expect(writer(page)).toBeFocused();
});

test('Find and replace counts matches in the whole text, and one Undo reverts all replacements', async ({ page }) => {
  await writer(page).fill(`Mail ${'line\n'.repeat(200)}mail and MAIL`);
  await page.keyboard.press('Control+Shift+H');
  const bar = page.getByRole('search', { name: 'Find and replace' });
  await bar.getByLabel('Find', { exact: true }).fill('mail');
  await expect(bar.getByRole('status')).toHaveText('3 matches');
  await page.keyboard.press('Enter');
  await expect(bar.getByRole('status')).toHaveText('1 of 3');
  await page.keyboard.press('Enter');
  await expect(bar.getByRole('status')).toHaveText('2 of 3');
  await expect(bar.getByLabel('Find', { exact: true })).toBeFocused();
  await expect.poll(() => writer(page).evaluate((area) => area.scrollTop)).toBeGreaterThan(1000);
  await bar.getByRole('button', { name: 'Match case' }).click();
  await expect(bar.getByRole('status')).toHaveText(/^1 (match|of 1)$/);
  await bar.getByRole('button', { name: 'Match case' }).click();
  await bar.getByLabel('Replace with').fill('letter');
  await expectNoAxeViolations(page);
  await bar.getByRole('button', { name: 'Replace all' }).click();
  await expect(bar.getByRole('status')).toHaveText(/^3 replaced/);
  await expect(writer(page)).toHaveValue(/^letter line[\s\S]*letter and letter$/);
  await page.keyboard.press('Escape');
  await expect(writer(page)).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(writer(page)).toHaveValue(/^Mail line[\s\S]*mail and MAIL$/);
});

test('Full screen keeps the text, the caret and the undo history, and Escape closes it', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await writer(page).focus();
  await page.keyboard.type('One two three');
  await page.getByRole('button', { name: 'Full screen' }).click();
  await expect(writer(page)).toBeFocused();
  const screen = page.getByRole('dialog', { name: 'Content, full screen' });
  await expect(screen).toBeVisible();
  await expect.poll(() => screen.boundingBox()).toMatchObject({ x: 0, y: 0, width: 1440, height: 900 });
  await page.keyboard.type(' four');
  await expect(screen.getByText('4 words')).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole('tab', { name: 'Side by side' }).click();
  const text = Array.from({ length: 40 }, (_, index) => `## Part ${index}\n\nWords of part ${index}.`).join('\n\n');
  await writer(page).fill(text);
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByRole('heading', { name: 'Part 39' })).toBeAttached();
  await writer(page).evaluate((area) => area.scrollTo(0, area.scrollHeight));
  await expect(preview.getByRole('heading', { name: 'Part 39' })).toBeInViewport();
  await expectNoAxeViolations(page);
  await writer(page).focus();
  await page.keyboard.press('Escape');
  await expect(screen).toBeHidden();
  await expect(writer(page)).toBeFocused();
  await expect(writer(page)).toHaveValue(text);
  await page.keyboard.press('Control+z');
  await expect(writer(page)).toHaveValue('One two three four');
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
