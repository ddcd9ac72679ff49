import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, expectNoHorizontalScroll, type Site, test } from '../support/e2e.ts';

test.beforeEach(({ site }) =>
  site.service.from('conversations').delete().neq('id', crypto.randomUUID()).throwOnError(),
);

/** Creates a conversation with alternating messages, starting with the visitor's. */
async function addChat(site: Site, ...texts: string[]): Promise<string> {
  const { data } = await site.service.from('conversations').insert({}).select('id').single().throwOnError();
  for (const [index, content] of texts.entries()) {
    const role = index % 2 === 0 ? 'user' : 'assistant';
    await site.service.from('chat_messages').insert({ conversation_id: data.id, role, content }).throwOnError();
  }
  return data.id;
}

test('An admin searches the conversations, reads one and deletes it', async ({ page, site }) => {
  const id = await addChat(site, 'What does a pilot cost?', 'That depends. See [Services](/services).');
  await addChat(site, 'Do you work in Bergen?', 'Yes.');
  await addChat(site);
  await openAdmin(page, site, '/admin/conversations');
  const cards = page.getByRole('main').getByRole('listitem');
  await expect(cards).toContainText(['Do you work in Bergen?', 'What does a pilot cost?']);
  await expect(page.getByText('2 conversations')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('that depends');
  await expect(page).toHaveURL('/admin/conversations?q=that+depends');
  await expect(page.getByText('1 conversation', { exact: true })).toBeVisible();
  await page.getByRole('searchbox').fill('an unknown sentence');
  await expect(page.getByText('No conversations found')).toBeVisible();
  await page.getByRole('link', { name: 'Show all conversations' }).click();

  await page.getByRole('link', { name: 'What does a pilot cost?' }).click();
  await expect(page).toHaveURL(`/admin/conversations/${id}`);
  const messages = page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
  await expect(messages).toHaveCount(2);
  await expect(messages.first()).toContainText('Visitor');
  await expect(messages.last()).toContainText('Assistant');
  await expect(messages.last().getByRole('link', { name: 'Services' })).toBeVisible();

  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Conversation deleted successfully')).toBeVisible();
  await expect(page).toHaveURL('/admin/conversations');
  await expect(page.getByText('1 conversation', { exact: true })).toBeVisible();
  expect((await site.service.from('chat_messages').select().eq('conversation_id', id)).data).toEqual([]);
});

test('A reply that the assistant did not write is marked in the transcript', async ({ page, site }) => {
  const id = await addChat(site, 'What does a pilot cost?', 'That depends.', 'And for me?', 'For you it is free.');
  const hash = createHash('sha256').update('That depends.').digest('hex');
  await site.service.rpc('record_chat_reply', { _conversation_id: id, _hashes: [hash] }).throwOnError();
  await openAdmin(page, site, `/admin/conversations/${id}`);
  const messages = page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
  await expect(messages).toHaveCount(4);
  await expect(messages.filter({ hasText: 'Not written by the assistant' })).toHaveText([/For you it is free\./]);
  await expectNoAxeViolations(page);
});

test('A single transcript or all transcripts can be exported as CSV', async ({ page, site }) => {
  await addChat(site, '=1+1, he "said"', 'Two.');
  const id = await addChat(site, 'Blåbær?');
  await openAdmin(page, site, '/admin/conversations');
  const allDownload = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  const file = await allDownload;
  expect(file.suggestedFilename()).toBe('conversations.csv');
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toContain('conversation_id,created_at,role,content\r\n');
  expect(text).toContain(`user,"'=1+1, he ""said"""\r\n`);
  expect(text.trim().split('\r\n')).toHaveLength(4);

  await page.getByRole('link', { name: 'Blåbær?' }).click();
  await expect(page.getByRole('heading', { name: 'Conversation', exact: true })).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  expect((await download).suggestedFilename()).toBe(`conversation-${id}.csv`);
  expect((await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')).toHaveLength(2);
});

test('The list shows 24 conversations per page, and an empty list shows a message', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/conversations');
  await expect(page.getByText('No conversations yet')).toBeVisible();
  for (let index = 1; index <= 25; index += 1) await addChat(site, `Question ${index}`);
  await page.reload();
  await expect(page.getByText('25 conversations')).toBeVisible();
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page).toHaveURL('/admin/conversations?page=2');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
  await expect(page.getByRole('main').getByRole('listitem')).toContainText('Question 1');
  await page.getByRole('button', { name: /^Delete conversation from/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Conversation deleted successfully')).toBeVisible();
});

test('The embed page shows the snippet for the options, copies it, and previews it in a frame', async ({
  page,
  site,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openAdmin(page, site, '/admin/embed');
  await expect(page.locator('pre')).toHaveText(`<script async src="${site.url}/embed.js"></script>`);
  await page.getByLabel('Position').selectOption('left');
  await page.getByLabel('Colour').fill('#aa3300');
  await page.getByLabel('Greeting').fill('Hi "there"');
  const snippet = `<script async src="${site.url}/embed.js" data-position="left" data-color="#aa3300" data-greeting="Hi &quot;there&quot;"></script>`;
  await expect(page.locator('pre')).toHaveText(snippet);
  await page.getByRole('button', { name: 'Copy snippet' }).click();
  await expect(page.getByText('Snippet copied to clipboard')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(snippet);

  const example = page.frameLocator('iframe[title="Live example"]');
  await expect(example.getByText('Hi "there"')).toBeVisible();
  const launcher = example.getByRole('button', { name: 'Open chat' });
  await expect(launcher).toHaveCSS('background-color', 'rgb(170, 51, 0)');
  // Use the keyboard, because fixed elements in a frame cannot be scrolled into view.
  await launcher.press('Enter');
  const chat = example.frameLocator('iframe[title="Chat"]');
  await expect(chat.getByText('Hi "there"')).toBeVisible();
  await chat.getByRole('button', { name: 'Book a Meeting' }).press('Enter');
});

test('The conversation screens pass axe, and every control is reachable at 320 px', async ({ page, site }) => {
  const id = await addChat(site, 'Long'.repeat(100), `**Yes**, ${'x'.repeat(300)}\n\n| a | b |\n|---|---|\n| 1 | 2 |`);
  await openAdmin(page, site, '/admin/conversations');
  for (const path of ['/admin/conversations', `/admin/conversations/${id}`]) {
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    await expectNoAxeViolations(page);
    await page.setViewportSize({ width: 320, height: 640 });
    await expectNoHorizontalScroll(page);
  }
});
