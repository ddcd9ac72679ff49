import type { Page } from '@playwright/test';
import { openAdmin } from '../support/admin-session.ts';
import { expect, test } from '../support/e2e.ts';

function writer(page: Page) {
  return page.getByRole('textbox', { name: 'Content' });
}

/** Selects a passage of the text with the mouse. */
async function select(page: Page, passage: string): Promise<void> {
  await writer(page).evaluate((area: HTMLTextAreaElement, text) => {
    const start = area.value.indexOf(text);
    area.focus();
    area.setSelectionRange(start, start + text.length);
  }, passage);
}

test.beforeEach(async ({ page, site }) => {
  await openAdmin(page, site, '/admin/posts/new');
});

test('Buttons and shortcuts insert plain Markdown, and undo reverts it', async ({ page, site }) => {
  await writer(page).fill('A bold word');
  await select(page, 'bold');
  await page.getByRole('button', { name: 'Bold' }).click();
  await expect(writer(page)).toHaveValue('A **bold** word');
  await expect(writer(page)).toBeFocused();
  await page.keyboard.press('Control+b');
  await expect(writer(page)).toHaveValue('A bold word');
  await page.keyboard.press('Control+i');
  await expect(writer(page)).toHaveValue('A *bold* word');
  await page.keyboard.press('Control+z');
  await expect(writer(page)).toHaveValue('A bold word');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: /^Address/ })).toBeFocused();
  await page.keyboard.type('https://example.com');
  await page.keyboard.press('Enter');
  await expect(writer(page)).toHaveValue('A [bold](https://example.com) word');
  // Outside the text area the same keys control the sidebar and the palette. Neither has changed.
  await expect(page.locator('aside')).toHaveCSS('width', '256px');
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.getByLabel('Title').fill('Written here');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL('/admin/posts');
  const { data } = await site.service.from('posts').select().eq('title', 'Written here').single().throwOnError();
  expect(data.content).toBe('A [bold](https://example.com) word');
});

test('The toolbar is a single tab stop with arrow keys, and Enter continues or ends a list', async ({ page }) => {
  await page.getByRole('tab', { name: 'Write' }).focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Bold' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('button', { name: 'Italic' })).toBeFocused();

  await writer(page).focus();
  await page.getByRole('button', { name: 'Bulleted list' }).click();
  await expect(writer(page)).toHaveValue('- ');
  await expect(writer(page)).toBeFocused();
  await page.keyboard.type('one');
  await page.keyboard.press('Enter');
  await page.keyboard.type('two');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.type('end');
  await expect(writer(page)).toHaveValue('- one\n- two\nend');
});

test('The preview looks like the public page and runs no scripts', async ({ page, site }) => {
  const text =
    '## Fjord\n\nA *fine* [link](https://example.com).\n\n<script>window.attacked = true</script>\n\n[x](javascript:alert(1))';
  await writer(page).fill(text);
  await page.getByRole('tab', { name: 'Preview' }).click();
  const preview = page.getByRole('tabpanel', { name: 'Preview' });
  await expect(preview.getByRole('heading', { name: 'Fjord' })).toBeVisible();
  await expect(preview.getByRole('link')).toHaveCount(1);
  expect(await page.evaluate(() => 'attacked' in window)).toBe(false);
  const drawn = await preview.locator('> div').innerHTML();

  await page.getByRole('tab', { name: 'Write' }).click();
  await expect(writer(page)).toHaveValue(text);
  await page.getByLabel('Title').fill('Seen before');
  await page.getByLabel('Status').selectOption('published');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL('/admin/posts');
  const html = await (await page.request.get(`${site.url}/news/seen-before`)).text();
  expect(html).toContain(drawn.slice(0, drawn.indexOf('A <em>')));
  expect(html).not.toContain('<script>window.attacked');
  await site.service.from('posts').delete().eq('slug', 'seen-before').throwOnError();
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let fileCount = 0;

/** Inserts a file into the text area from the clipboard or by drag and drop. */
async function give(page: Page, kind: 'paste' | 'drop'): Promise<void> {
  await writer(page).evaluate(
    (area, { type, bytes }) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], 'fjord-at-dawn.png', { type: 'image/png' }));
      const options = { bubbles: true, cancelable: true };
      area.dispatchEvent(
        type === 'paste'
          ? new ClipboardEvent(type, { ...options, clipboardData: data })
          : new DragEvent(type, { ...options, dataTransfer: data }),
      );
    },
    // A different file each time, because a file that is already in the library opens a dialog.
    { type: kind, bytes: [...PNG, ...Buffer.from(String(fileCount++))] },
  );
}

test('A pasted or dropped picture is uploaded under a random name and inserted into the text', async ({ page }) => {
  for (const [index, kind] of (['paste', 'drop'] as const).entries()) {
    await writer(page).fill('Before');
    await give(page, kind);
    await expect(writer(page)).toHaveValue(
      /^Before\n\n!\[fjord at dawn\]\(\/storage\/v1\/object\/public\/content-media\/[0-9a-f]{32}\.png\)$/,
    );
    await expect(page.getByText('Image uploaded successfully')).toHaveCount(index + 1);
    await page.getByRole('tab', { name: 'Preview' }).click();
    const picture = page.getByRole('img', { name: 'fjord at dawn' });
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    await page.getByRole('tab', { name: 'Write' }).click();
  }
});

test.describe('If the file store rejects an upload', () => {
  test.use({ allowedProblems: [/400/] });

  test('the text is kept and a toast shows the reason', async ({ page }) => {
    await page.route('**/storage/v1/object/content-media/**', (route) =>
      route.fulfill({ status: 400, json: { statusCode: '413', error: 'Payload too large', message: 'Too large' } }),
    );
    await writer(page).fill('Before');
    await give(page, 'paste');
    await expect(page.getByText('Upload failed')).toBeVisible();
    await expect(page.getByText('Too large')).toBeVisible();
    await expect(writer(page)).toHaveValue('Before');
  });
});
