import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

const FIXTURES = join(import.meta.dirname, '../../app/editing/rich-text/paste/fixtures');

test.beforeEach(async ({ page, site }) => {
  await openAdmin(page, site, '/admin/posts/new');
});

test.describe('A paste', () => {
  for (const source of readdirSync(FIXTURES).flatMap((file) => (file.endsWith('.html') ? file.slice(0, -5) : []))) {
    test(`text pasted from ${source} keeps its formatting, and a single Undo removes the pasted text`, async ({
      page,
      site,
    }) => {
      const markdown = readFileSync(join(FIXTURES, `${source}.md`), 'utf8').trim();
      await typeText(page, 'Before');
      await page.keyboard.press('Control+End');
      await page.keyboard.press('Enter');
      const html = readFileSync(join(FIXTURES, `${source}.html`), 'utf8').replaceAll('https://site.example', site.url);
      await paste(page, { html, plain: 'Plain words' });
      await expect.poll(() => readMarkdown(page)).toBe(`Before\n\n${markdown}`);
      await focusText(page);
      await page.keyboard.press('Control+z');
      await expect.poll(() => readMarkdown(page)).toBe('Before');
    });
  }

  test('text pasted with Ctrl+Shift+V arrives as plain text', async ({ page }) => {
    await page.context().grantPermissions(['clipboard-write']);
    await focusText(page);
    await page.evaluate(() => {
      const types = { 'text/plain': '**Bold** words', 'text/html': '<b>Bold</b> words' };
      return navigator.clipboard.write([new ClipboardItem(types)]);
    });
    await page.keyboard.press('Control+Shift+V');
    await expect(findRichText(page)).toHaveText('**Bold** words');
    await paste(page, { html: '<b>again</b>', plain: 'again' });
    await expect(findRichText(page).locator('strong')).toHaveText('again');
  });

  test('text pasted with the title of the item omits the title', async ({ page }) => {
    await page.getByLabel('Title').fill('Our story');
    await focusText(page);
    await paste(page, { html: '<h1>Our story</h1><p>A <b>fjord</b></p>', plain: 'Our story\nA fjord' });
    await expect.poll(() => readMarkdown(page)).toBe('A **fjord**');
  });

  test('a pasted URL links the selected words', async ({ page }) => {
    await typeText(page, 'See our story');
    await selectWords(page, 'our story');
    await paste(page, { plain: 'https://example.com/story' });
    expect(await readMarkdown(page)).toBe('See [our story](https://example.com/story)');
  });
});

test.describe('Images in pasted text', () => {
  test.use({ allowedProblems: [/pictures\.example|ERR_FAILED/] });

  test('are uploaded, and a missing one prevents publishing', async ({ page, site }) => {
    await page.route('https://pictures.example/**', (route) =>
      route.fulfill({
        status: 200,
        contentType: 'image/png',
        headers: {
          'access-control-allow-origin': route.request().url().includes('closed') ? 'https://other.example' : '*',
        },
        body: PNG,
      }),
    );
    const data = `data:image/png;base64,${PNG.toString('base64')}`;
    await focusText(page);
    await paste(page, {
      html: `<p><b>Words</b><img alt="drawn" src="${data}"><img alt="open" src="https://pictures.example/open.png"><img alt="closed" src="https://pictures.example/closed.png"><img alt="A harbour" src="file:///C:/harbour.png"></p>`,
      plain: 'Words',
    });
    const list = page.getByRole('region', { name: 'Pictures from other sites' });
    // The image in the clipboard is uploaded without a question.
    await expect(list.getByRole('listitem')).toHaveCount(3);
    await expectNoAxeViolations(page);
    await list.getByRole('button', { name: 'Upload all 2' }).click();
    await expect(list.getByRole('alert')).toContainText(
      'pictures.example does not allow other sites to copy its pictures.',
    );
    const uploadPath = '/storage/v1/object/public/content-media/[0-9a-f]{32}\\.';
    await expect
      .poll(() => readMarkdown(page))
      .toMatch(
        new RegExp(
          `^\\*\\*Words\\*\\*!\\[drawn\\]\\(${uploadPath}png\\)!\\[open\\]\\(${uploadPath}(webp|png)\\)!\\[closed\\]\\(https://pictures.example/closed.png\\)!\\[A harbour\\]\\(#pasted-picture-\\d\\)$`,
        ),
      );

    await page.getByLabel('Title').fill('With a missing picture');
    await page.getByLabel('Status').selectOption('published');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(
      page.getByText('The picture “A harbour” is missing. Upload it or remove it from the text.').first(),
    ).toBeVisible();
    await expect(page).toHaveURL(`${site.url}/admin/posts/new`);
    await list.getByRole('button', { name: 'Remove A harbour' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(page).toHaveURL(`${site.url}/admin/posts`);
  });
});

test('The slash menu inserts blocks by keyboard', async ({ page }) => {
  await focusText(page);
  await page.keyboard.type('/ta');
  const menu = page.getByRole('listbox', { name: 'Insert' });
  await expect(menu.getByRole('option')).toHaveText([/^Task list/, 'Table']);
  await expect(menu.getByRole('group', { name: 'Advanced' }).getByRole('option')).toHaveText(['Table']);
  await expect(findRichText(page)).toHaveAttribute('aria-activedescendant', /-0$/);
  await expectNoAxeViolations(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Name');
  expect(await readMarkdown(page)).toBe('| Name | |\n| - | - |\n| | |\n| | |');
  await focusText(page);
  await page.keyboard.press('Control+End');
  await page.keyboard.type('and/or');
  await expect(menu).toBeHidden();
  await page.keyboard.press('Enter');
  await page.keyboard.type('/x');
  await expect(menu).toBeHidden();
  await page.keyboard.press('Backspace');
  await page.keyboard.type('call');
  await expect(menu.getByRole('option')).toHaveText(['Callout']);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
});

test('Callouts and code blocks have settings above the text, and footnotes are numbered', async ({ page }) => {
  await focusText(page);
  await page.keyboard.type('/callout');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Careful');
  await page.getByRole('region', { name: 'Callout' }).getByLabel('Kind').selectOption('Warning');
  await expectNoAxeViolations(page);
  await focusText(page);
  await page.keyboard.press('Control+End');
  await page.keyboard.type('Known');
  await page.getByRole('button', { name: 'More blocks' }).click();
  await page.keyboard.type('foot');
  await page.keyboard.press('Enter');
  await page.keyboard.type('By us.');
  expect(await readMarkdown(page)).toBe('> [!WARNING]\n> Careful\n\nKnown\n\n[^1]\n\n[^1]: By us.');
  await writeMarkdown(page, '```\ncode\n```');
  await findRichText(page).getByText('code').click();
  await page.getByRole('region', { name: 'Code block' }).getByLabel('Language').fill('ts');
  expect(await readMarkdown(page)).toBe('```ts\ncode\n```');
});

test('A table can be changed with a bar that does not move the text', async ({ page }) => {
  const pageTop = () => findRichText(page).evaluate((text) => text.getBoundingClientRect().top + window.scrollY);
  await writeMarkdown(page, 'x');
  const top = await pageTop();
  await writeMarkdown(page, '| a | b |\n| - | - |\n| c | d |');
  await findRichText(page).getByText('d').click();
  const bar = page.getByRole('region', { name: 'Table' });
  await expect(bar).toBeVisible();
  expect(await pageTop()).toBe(top);
  await bar.getByLabel('Alignment').selectOption('Right');
  await bar.getByRole('button', { name: 'Add row below' }).click();
  await bar.getByRole('button', { name: 'Add column after' }).click();
  await expectNoAxeViolations(page);
  expect(await readMarkdown(page)).toBe('| a | b | |\n| - | -: | - |\n| c | d | |\n| | | |');
  await findRichText(page).getByText('a', { exact: true }).click();
  await bar.getByRole('button', { name: 'Remove header' }).click();
  await bar.getByRole('button', { name: 'Delete column' }).click();
  expect(await readMarkdown(page)).toBe('| | |\n| -: | - |\n| b | |\n| d | |\n| | |');
  await findRichText(page).getByText('b', { exact: true }).click();
  await bar.getByRole('button', { name: 'Delete table' }).click();
  expect(await readMarkdown(page)).toBe('');
});

test('Links to pages of the site can be found by title', async ({ page, site }) => {
  await site.service
    .from('posts')
    .insert({ title: 'Fjord in winter', slug: 'fjord-in-winter', category: 'News', status: 'published' })
    .throwOnError();
  await typeText(page, 'See our story');
  await selectWords(page, 'our story');
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Link' }).click();
  const address = page.getByRole('combobox', { name: /^URL/ });
  await expect(address).toBeFocused();
  await address.fill('fjord in');
  await expect(page.getByRole('option', { name: /Fjord in winter/ })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(findRichText(page)).toBeFocused();
  expect(await readMarkdown(page)).toBe('See [our story](/news/fjord-in-winter)');
  await findRichText(page).getByText('our story').click();
  await page.keyboard.press('Control+k');
  await page.getByRole('button', { name: 'Remove link' }).click();
  expect(await readMarkdown(page)).toBe('See our story');
});

test('Find and replace counts matches in the whole text, and one Undo reverts all replacements', async ({ page }) => {
  await writeMarkdown(page, `Mail ${'line\n\n'.repeat(100)}**mail** and [MAIL](/about)`);
  await focusText(page);
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+Shift+H');
  const bar = page.getByRole('search', { name: 'Find and replace' });
  await bar.getByLabel('Find', { exact: true }).fill('mail');
  await expect(bar.getByRole('status')).toHaveText('3 matches');
  await page.keyboard.press('Enter');
  await expect(bar.getByRole('status')).toHaveText('1 of 3');
  await page.keyboard.press('Enter');
  await expect(bar.getByRole('status')).toHaveText('2 of 3');
  await expect(bar.getByLabel('Find', { exact: true })).toBeFocused();
  await expect(findRichText(page).locator('.ProseMirror-active-search-match').first()).toBeInViewport();
  await bar.getByRole('button', { name: 'Match case' }).click();
  await expect(bar.getByRole('status')).toHaveText(/^1 (match|of 1)$/);
  await bar.getByRole('button', { name: 'Match case' }).click();
  await bar.getByLabel('Replace with').fill('$1 letter');
  await expectNoAxeViolations(page);
  await bar.getByRole('button', { name: 'Replace all' }).click();
  await expect(bar.getByRole('status')).toHaveText(/^3 replaced/);
  await page.keyboard.press('Escape');
  await expect(findRichText(page)).toBeFocused();
  expect(await readMarkdown(page)).toMatch(/^\$1 letter line[\s\S]*\*\*\$1 letter\*\* and \[\$1 letter\]\(\/about\)$/);
  await focusText(page);
  await page.keyboard.press('Control+z');
  expect(await readMarkdown(page)).toMatch(/^Mail line[\s\S]*\*\*mail\*\* and \[MAIL\]\(\/about\)$/);
});

test('The outline lists the headings and moves the caret to them', async ({ page }) => {
  await writeMarkdown(page, `# Fjord\n\n${'line\n\n'.repeat(100)}## Winter\n\nSnow`);
  await page.getByRole('button', { name: 'Outline', exact: true }).click();
  const outline = page.getByRole('navigation', { name: 'Outline' });
  await expect(outline.getByRole('listitem')).toHaveText(['Fjord', 'Winter']);
  await expectNoAxeViolations(page);
  await outline.getByRole('button', { name: 'Winter' }).press('Enter');
  await expect(findRichText(page)).toBeFocused();
  await expect(findRichText(page).getByRole('heading', { name: 'Winter' })).toBeInViewport();
  await expect(outline.getByRole('button', { name: 'Winter' })).toHaveAttribute('aria-current', 'true');
  await page.keyboard.type('Deep ');
  await expect(outline.getByRole('listitem')).toHaveText(['Fjord', 'Deep Winter']);
  await outline.getByRole('button', { name: 'Fjord' }).press('Escape');
  await expect(outline).toBeHidden();
  await expect(findRichText(page)).toBeFocused();
});

test('Full screen keeps the text, the caret and the undo history, and Escape closes it', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await focusText(page);
  await page.keyboard.type('One two three');
  await page.getByRole('button', { name: 'Full screen' }).click();
  await expect(findRichText(page)).toBeFocused();
  const screen = page.getByRole('dialog', { name: 'Content, full screen' });
  await expect.poll(() => screen.boundingBox()).toMatchObject({ x: 0, y: 0, width: 1440, height: 900 });
  await page.keyboard.type(' four');
  await expect(screen.getByText('4 words')).toBeVisible();
  await expectNoAxeViolations(page);
  await page.keyboard.press('Escape');
  await expect(screen).toBeHidden();
  await expect(findRichText(page)).toBeFocused();
  await expect(findRichText(page)).toHaveText('One two three four');
  await page.keyboard.press('Control+z');
  await expect(findRichText(page)).not.toHaveText('One two three four');
});

test('Full screen shows the title and saves the form', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByLabel('Title').fill('Early');
  await focusText(page);
  await page.keyboard.type('One two three');
  await page.getByRole('button', { name: 'Full screen' }).click();
  const screen = page.getByRole('dialog', { name: 'Content, full screen' });
  await expect(screen.getByLabel('Title')).toHaveValue('Early');
  await screen.getByLabel('Title').fill('Written in full screen');
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL('/admin/posts');
  const { data } = await site.service.from('posts').select().eq('content', 'One two three').single().throwOnError();
  expect(data.title).toBe('Written in full screen');
});

test('On a phone only the page scrolls, and the toolbar stays above the text', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await writeMarkdown(page, `${'line\n\n'.repeat(60)}end`);
  await findRichText(page).getByText('end').click();
  const box = findRichText(page).locator('..');
  expect(await box.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
  await expect(page.getByRole('toolbar', { name: 'Formatting' })).toBeInViewport({ ratio: 0.9 });
});

test('The menu of a selection follows its line and applies headings', async ({ page }) => {
  await writeMarkdown(page, `First\n\nwinter\n\n${'line\n\n'.repeat(100)}`);
  await selectWords(page, 'winter');
  const menu = page.getByRole('toolbar', { name: 'Selection' });
  await menu.getByRole('button', { name: 'Heading', exact: true }).click();
  await expect(findRichText(page).getByRole('heading', { name: 'winter' })).toBeVisible();
  const before = (await menu.boundingBox())?.y ?? 0;
  await findRichText(page)
    .locator('..')
    .evaluate((box) => box.scrollTo({ top: 20 }));
  await expect.poll(async () => (await menu.boundingBox())?.y).toBeLessThan(before);
});

test('An article of 100,000 characters can be opened, edited and saved', async ({ page, site }) => {
  const section =
    '## Part\n\nThe *fjord* lies still, and **no one** answers [the mail](https://example.com).\n\n- one\n- two\n\n';
  const count = Math.ceil(100_000 / section.length);
  const content = section.repeat(count);
  const insert = site.service.from('posts').insert({ title: 'Long', slug: 'long-one', content });
  const { data } = await insert.select('id').single().throwOnError();
  await page.goto(`/admin/posts/${data.id}/edit`);
  await expect(findRichText(page)).toHaveAttribute('contenteditable', 'true');
  // The end of a long text is added after its start is shown.
  await expect(findRichText(page).getByText('Part')).toHaveCount(count);
  await findRichText(page).getByText('Part').last().click();
  await page.keyboard.press('End');
  await page.keyboard.type(' of the end');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page).toHaveURL('/admin/posts');
  const post = await site.service.from('posts').select('content').eq('id', data.id).single().throwOnError();
  const headingEnd = content.lastIndexOf('## Part') + '## Part'.length;
  expect(post.data.content).toBe(`${content.slice(0, headingEnd)} of the end${content.slice(headingEnd)}`);
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
