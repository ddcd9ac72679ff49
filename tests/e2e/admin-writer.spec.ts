import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, test } from '../support/e2e.ts';
import {
  findRichText,
  focusText,
  paste,
  readMarkdown,
  selectWords,
  typeText,
  writeMarkdown,
} from '../support/rich-text.ts';

test.beforeEach(async ({ page, site }) => {
  await openAdmin(page, site, '/admin/posts/new');
});

test('Buttons and shortcuts format the text, and undo reverts them', async ({ page, site }) => {
  await typeText(page, 'A bold word');
  await selectWords(page, 'bold');
  await page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name: 'Bold' }).click();
  await expect(findRichText(page).locator('strong')).toHaveText('bold');
  await expect(findRichText(page)).toBeFocused();
  await page.keyboard.press('Control+b');
  await expect(findRichText(page).locator('strong')).toHaveCount(0);
  await page.keyboard.press('Control+i');
  await expect(findRichText(page).locator('em')).toHaveText('bold');
  await page.keyboard.press('Control+z');
  await expect(findRichText(page).locator('em')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: /^URL/ })).toBeFocused();
  await page.keyboard.type('https://example.com/a page');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Enter a URL such as')).toBeVisible();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('https://example.com');
  await page.keyboard.press('Enter');
  await expect(findRichText(page).getByRole('link')).toHaveText('bold');
  // Outside the editor, the same keys toggle the sidebar and open the command palette.
  await expect(page.locator('aside')).toHaveCSS('width', '256px');
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeHidden();

  await page.getByLabel('Title').fill('Written here');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL('/admin/posts');
  const { data } = await site.service.from('posts').select().eq('title', 'Written here').single().throwOnError();
  expect(data.content).toBe('A [bold](https://example.com) word');
});

test('Bold excludes trailing spaces and formats each paragraph', async ({ page }) => {
  await typeText(page, 'Note: text');
  await selectWords(page, 'Note: ');
  await page.keyboard.press('Control+b');
  await page.keyboard.press('Control+End');
  // The browser fires `selectionchange` after the key press. Until then, Enter would replace the old selection.
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toBeHidden();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Second');
  expect(await readMarkdown(page)).toBe('**Note:** text\n\nSecond');
  await focusText(page);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+b');
  expect(await readMarkdown(page)).toBe('**Note: text**\n\n**Second**');
});

test('An article can be written by keyboard alone', async ({ page, site }) => {
  await page.getByLabel('Title').fill('By keyboard');
  await focusText(page);
  await page.keyboard.type('## First part\nText with **bold**, *italic*, ~~gone~~ and `code` words.\n- one\ntwo\n\n');
  await page.keyboard.type('1. first\n\n[ ] task\n\n> quote\n\n');
  await page.keyboard.type('```js\nlet a = 1;');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.type('/table');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Name');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Rate');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Anna');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('The end');
  await page.keyboard.press('Control+s');
  await expect(page).toHaveURL('/admin/posts');
  const { data } = await site.service.from('posts').select().eq('title', 'By keyboard').single().throwOnError();
  expect(data.content).toBe(
    [
      '## First part',
      'Text with **bold**, *italic*, ~~gone~~ and `code` words.',
      '- one\n- two',
      '1. first',
      '- [ ] task',
      '> quote',
      '```js\nlet a = 1;\n```',
      '| Name | Rate |\n| - | - |\n| Anna | |\n| | |',
      'The end',
    ].join('\n\n'),
  );
});

test('Typed Markdown becomes tasks and links', async ({ page }) => {
  await typeText(page, '- [x] done\n[ ] open\n\nSee [our story](/about) now');
  expect(await readMarkdown(page)).toBe('- [x] done\n- [ ] open\n\nSee [our story](/about) now');
});

test('Ctrl+E marks selected text as code, even if everything is selected', async ({ page }) => {
  await typeText(page, 'words');
  await page.keyboard.press('Control+a');
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toBeVisible();
  await page.keyboard.press('Control+e');
  expect(await readMarkdown(page)).toBe('`words`');
});

test('The toolbar is a single tab stop, and arrow keys move within it', async ({ page }) => {
  await focusText(page);
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'More blocks' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('button', { name: 'Bold' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(findRichText(page)).toBeFocused();
  await page.keyboard.press('Alt+F10');
  await expect(page.getByRole('button', { name: 'Bold' })).toBeFocused();
});

const MESSY =
  'Title\n=====\n* one\n* two\n\n\n<div class="x">\n<b>raw</b>\n</div>\n\n:::note\nwords\n:::\n\nA __strong__ [ref]\n\n[ref]: /about\n';

test('A text that was only opened, even in the source view, is saved unchanged', async ({ page, site }) => {
  const insert = site.service.from('posts').insert({ title: 'Messy', slug: 'messy', content: MESSY });
  const { data: post } = await insert.select('id').single().throwOnError();
  const readContent = async () =>
    (await site.service.from('posts').select('content').eq('id', post.id).single().throwOnError()).data.content;
  await page.goto(`/admin/posts/${post.id}/edit`);
  await expect(findRichText(page)).toContainText('Markdown that can only be edited in the source view');
  expect(await readMarkdown(page)).toBe(MESSY);
  await expectNoAxeViolations(page);
  await page.getByLabel('Title').fill('Messy too');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page).toHaveURL('/admin/posts');
  expect(await readContent()).toBe(MESSY);

  await page.goto(`/admin/posts/${post.id}/edit`);
  await findRichText(page).getByText('two').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' more');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page).toHaveURL('/admin/posts');
  expect(await readContent()).toBe(MESSY.replace('* one\n* two', '- one\n- two more'));
});

test('The source view and the rich text show the same content', async ({ page }) => {
  await writeMarkdown(page, '## Fjord\n\n<script>window.attacked = true</script>\n\n[x](javascript:alert(1))');
  await expect(findRichText(page).getByRole('heading', { name: 'Fjord' })).toBeVisible();
  await expect(findRichText(page).getByText('<script>')).toBeVisible();
  await expect(findRichText(page).locator('a')).not.toHaveAttribute('href');
  expect(await page.evaluate(() => 'attacked' in window)).toBe(false);
  await findRichText(page).getByText('Fjord').click();
  await page.keyboard.press('End');
  await page.keyboard.type('s');
  expect(await readMarkdown(page)).toMatch(/^## Fjords\n\n<script>/);
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let fileCount = 0;

/** Returns a different file each time, because the library asks about duplicates. */
function png(): number[] {
  return [...PNG, ...Buffer.from(String(fileCount++))];
}

test('A pasted or dropped picture is uploaded under a random name and inserted into the text', async ({ page }) => {
  for (const isDrop of [false, true]) {
    await typeText(page, 'Before');
    await page.keyboard.press('Control+End');
    await paste(page, { file: png(), isDrop });
    const picture = findRichText(page).getByRole('img', { name: 'fjord at dawn' });
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    expect(await readMarkdown(page)).toMatch(
      /^Before\n\n!\[fjord at dawn\]\(\/storage\/v1\/object\/public\/content-media\/[0-9a-f]{32}\.png\)$/,
    );
  }
  await findRichText(page).getByRole('img').click();
  const bar = page.getByRole('region', { name: 'Picture' });
  await bar.getByLabel('Description').fill('A harbour');
  await bar.getByLabel('Caption').fill('At dawn');
  await expectNoAxeViolations(page);
  expect(await readMarkdown(page)).toMatch(/!\[A harbour\]\(\S+ "At dawn"\)$/);
});

test.describe('An upload that the file store rejects', () => {
  test.use({ allowedProblems: [/400/] });

  test('shows the reason in a toast and keeps the text', async ({ page }) => {
    await page.route('**/storage/v1/object/content-media/**', (route) =>
      route.fulfill({ status: 400, json: { statusCode: '413', error: 'Payload too large', message: 'Too large' } }),
    );
    await typeText(page, 'Before');
    await paste(page, { file: png() });
    await expect(page.getByText('Upload failed')).toBeVisible();
    await expect(page.getByText('Too large')).toBeVisible();
    expect(await readMarkdown(page)).toBe('Before');
  });
});
