import type { Page } from '@playwright/test';
import { openAdmin, signIn } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, type Site, test } from '../support/e2e.ts';

async function insertPost(site: Site, values: Record<string, unknown>) {
  const { data } = await site.service.from('posts').insert(values).select().single().throwOnError();
  return data as { id: string };
}

/** Reads the stored drafts of unsaved forms in this browser. */
function readDrafts(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const databases = await indexedDB.databases();
    // Opening a missing database would create it.
    if (!databases.some(({ name }) => name === 'unsaved-work')) return [];
    return new Promise<string[]>((resolve, reject) => {
      const openRequest = indexedDB.open('unsaved-work');
      openRequest.onerror = () => reject(openRequest.error);
      openRequest.onsuccess = () => {
        const readRequest = openRequest.result.transaction('forms').objectStore('forms').getAll();
        readRequest.onsuccess = () => {
          openRequest.result.close();
          resolve(readRequest.result.map((form) => JSON.stringify(form.values)));
        };
      };
    });
  });
}

async function waitForDraft(page: Page, text: string): Promise<void> {
  await expect.poll(async () => (await readDrafts(page)).join()).toContain(text);
}

/** Closes the page without events, as in a crash, and opens a new tab of the same browser. */
async function simulateCrash(page: Page): Promise<Page> {
  const context = page.context();
  await page.close({ runBeforeUnload: false });
  return context.newPage();
}

function findRestoreButton(page: Page) {
  return page.getByRole('button', { name: /^Restore changes made at \d\d:\d\d$/ });
}

test('Unsaved changes are offered after a reload until they are saved', async ({ page, site }) => {
  const { id } = await insertPost(site, { title: 'Reloaded', slug: 'reloaded', content: 'As it was' });
  await openAdmin(page, site, `/admin/posts/${id}/edit`);
  await page.getByRole('textbox', { name: 'Content' }).fill('Written, not saved');
  await waitForDraft(page, 'Written, not saved');
  await page.reload();

  await expect(findRestoreButton(page)).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Content' })).toHaveText('As it was');
  await findRestoreButton(page).click();
  await expect(page.getByLabel('Title')).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Content' })).toHaveText('Written, not saved');
  await expect(findRestoreButton(page)).toBeHidden();
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page).toHaveURL('/admin/posts');
  const { data } = await site.service.from('posts').select('content').eq('id', id).single().throwOnError();
  expect(data.content).toBe('Written, not saved');
  await expect.poll(() => readDrafts(page)).toEqual([]);
});

test('A draft that was restored and saved is not offered by the next new item', async ({ page, site }) => {
  const saveActions = {
    'by button': () => page.getByRole('button', { name: 'Create' }).click(),
    'by key': () => page.keyboard.press('Control+s'),
  };
  await openAdmin(page, site, '/admin/posts/new');
  // Test with and without text that is added to the restored draft.
  for (const addedText of ['', 'More']) {
    for (const [label, save] of Object.entries(saveActions)) {
      const title = `Restored ${label} ${addedText}`.trim();
      await page.getByLabel('Title').fill(title);
      await waitForDraft(page, title);
      await page.reload();
      await findRestoreButton(page).click();
      await expect(page.getByLabel('Title')).toHaveValue(title);
      if (addedText) await page.getByRole('textbox', { name: 'Content' }).fill(addedText);
      await save();
      await expect(page).toHaveURL('/admin/posts');
      await page.getByRole('link', { name: 'New Post' }).click();
      await expect(page.getByLabel('Title')).toHaveValue('');
      await expect.poll(() => readDrafts(page)).toEqual([]);
      await expect(findRestoreButton(page)).toBeHidden();
    }
  }
});

test('The restore prompt passes axe, and a discarded draft is not offered again', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/reviews/new');
  await page.getByLabel('Quote').fill('An unsaved quote');
  await waitForDraft(page, 'An unsaved quote');
  await page.reload();
  await expect(findRestoreButton(page)).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(findRestoreButton(page)).toBeHidden();
  await expect.poll(() => readDrafts(page)).toEqual([]);
  await expect(page.getByLabel('Quote')).toHaveValue('');
});

test.describe('Without a network', () => {
  test.use({ allowedProblems: [/ERR_INTERNET_DISCONNECTED/] });

  test('the text and its lists survive a crash', async ({ page, site }) => {
    await openAdmin(page, site, '/admin/services/new');
    await page.getByLabel('Title').fill('Before the tunnel');
    await page.context().setOffline(true);
    await page.getByLabel('Deliverables').fill('A map');
    await page.getByLabel('Deliverables').press('Enter');
    await waitForDraft(page, 'A map');
    const newPage = await simulateCrash(page);
    await newPage.context().setOffline(false);

    await newPage.goto('/admin/services/new');
    await findRestoreButton(newPage).click();
    await expect(newPage.getByLabel('Title')).toHaveValue('Before the tunnel');
    await newPage.getByRole('button', { name: 'Create' }).click();
    await expect(newPage).toHaveURL('/admin/services');
    const { data } = await site.service
      .from('services')
      .select('deliverables')
      .eq('title', 'Before the tunnel')
      .single()
      .throwOnError();
    expect(data.deliverables).toEqual(['A map']);
  });
});

test('Drafts are offered to their author only, in a shared browser', async ({ page, site }) => {
  const otherAdmin = await site.createUser({ role: 'admin' });
  await openAdmin(page, site, '/admin/posts/new');
  await page.getByLabel('Title').fill('Not yours to read');
  await waitForDraft(page, 'Not yours to read');

  const newPage = await simulateCrash(page);
  await signIn(newPage, site, otherAdmin);
  await newPage.goto('/admin/posts/new');
  await newPage.getByLabel('Title').fill('By the other one');
  await waitForDraft(newPage, 'By the other one');
  await expect(newPage.getByText('You have unsaved changes from an earlier visit.')).toBeHidden();

  const thirdPage = await simulateCrash(newPage);
  await openAdmin(thirdPage, site, '/admin/posts/new');
  await findRestoreButton(thirdPage).click();
  await expect(thirdPage.getByLabel('Title')).toHaveValue('Not yours to read');
});

test('A draft is not offered if its content has already been saved', async ({ page, site }) => {
  const { id } = await insertPost(site, { title: 'Same', slug: 'same' });
  await openAdmin(page, site, `/admin/posts/${id}/edit`);
  await page.getByLabel('Excerpt').fill('The same words');
  await waitForDraft(page, 'The same words');
  const newPage = await simulateCrash(page);
  await site.service.from('posts').update({ excerpt: 'The same words' }).eq('id', id).throwOnError();

  await newPage.goto(`/admin/posts/${id}/edit`);
  await expect(newPage.getByLabel('Excerpt')).toHaveValue('The same words');
  await expect.poll(() => readDrafts(newPage)).toEqual([]);
  await expect(findRestoreButton(newPage)).toBeHidden();
});

test('Text typed while the offer is shown is kept when the older draft is restored', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/team/new');
  await page.getByLabel('Name').fill('First Text');
  await waitForDraft(page, 'First Text');
  await page.reload();
  await expect(findRestoreButton(page)).toBeVisible();
  await page.getByLabel('Name').fill('Second Text');
  await findRestoreButton(page).click();
  await expect(page.getByLabel('Name')).toHaveValue('First Text');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL('/admin/team');
  // The form deletes its draft when it closes, which a page load would interrupt.
  await expect.poll(async () => (await readDrafts(page)).join()).not.toContain('First Text');

  await page.goto('/admin/team/new');
  await findRestoreButton(page).click();
  await expect(page.getByLabel('Name')).toHaveValue('Second Text');
});

test('Restoring the draft of an item that another user changed opens the conflict dialog', async ({ page, site }) => {
  const { id } = await insertPost(site, { title: 'Two of us', slug: 'two-of-us', content: 'Old' });
  await openAdmin(page, site, `/admin/posts/${id}/edit`);
  await page.getByRole('textbox', { name: 'Content' }).fill('Mine');
  await waitForDraft(page, 'Mine');
  const newPage = await simulateCrash(page);
  await site.service.from('posts').update({ content: 'Theirs' }).eq('id', id).throwOnError();

  await newPage.goto(`/admin/posts/${id}/edit`);
  await expect(newPage.getByRole('textbox', { name: 'Content' })).toHaveText('Theirs');
  await findRestoreButton(newPage).click();
  await newPage.getByRole('button', { name: 'Update' }).click();
  const dialog = newPage.getByRole('dialog', { name: 'Someone else changed this post' });
  await expect(dialog).toContainText('Theirs');
  await expect(dialog).toContainText('Mine');
  await dialog.getByRole('button', { name: 'Discard mine and load theirs' }).click();
  await expect(newPage.getByRole('textbox', { name: 'Content' })).toHaveText('Theirs');
  await expect.poll(() => readDrafts(newPage)).toEqual([]);
});

test('A draft of an older build fills the fields that still exist', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/posts/new');
  await page.getByLabel('Title').fill('From before');
  await waitForDraft(page, 'From before');
  const newPage = await simulateCrash(page);
  await newPage.goto('/robots.txt');
  await newPage.evaluate(async () => {
    const openRequest = indexedDB.open('unsaved-work');
    await new Promise((resolve) => {
      openRequest.onsuccess = resolve;
    });
    const forms = openRequest.result.transaction('forms', 'readwrite').objectStore('forms');
    const readRequest = forms.openCursor();
    await new Promise<void>((resolve) => {
      readRequest.onsuccess = () => {
        const cursor = readRequest.result;
        if (!cursor) return resolve();
        const values = { ...cursor.value.values, headline: 'No such field', excerpt: null, status: ['draft'] };
        cursor.update({ ...cursor.value, values });
        cursor.continue();
      };
    });
    openRequest.result.close();
  });
  await newPage.goto('/admin/posts/new');
  await findRestoreButton(newPage).click();
  await expect(newPage.getByLabel('Title')).toHaveValue('From before');
  await expect(newPage.getByLabel('Excerpt')).toHaveValue('');
  await newPage.getByRole('button', { name: 'Create' }).click();
  await expect(newPage).toHaveURL('/admin/posts');
});

test('Editing and saving work without browser storage', async ({ page, site }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'indexedDB', {
      get() {
        throw new DOMException('Storage is denied', 'SecurityError');
      },
    });
  });
  await openAdmin(page, site, '/admin/posts/new');
  await page.getByLabel('Title').fill('Kept nowhere');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL('/admin/posts');
  await expect(page.getByText('Kept nowhere')).toBeVisible();
});

test('Drafts of a page section and a setting are offered', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/pages/home?tab=testimonials');
  await page.getByLabel('Heading', { exact: true }).first().fill('Heard on the fjord');
  await page.getByRole('button', { name: 'Remove testimonial 1', exact: true }).click();
  await waitForDraft(page, 'Heard on the fjord');
  // The draft includes its list.
  await expect.poll(async () => (await readDrafts(page)).join()).not.toContain('Marit Fossum');
  await page.reload();
  await findRestoreButton(page).click();
  await expect(page.getByLabel('Heading', { exact: true }).first()).toHaveValue('Heard on the fjord');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Content updated successfully')).toBeVisible();
  await expect.poll(() => readDrafts(page)).toEqual([]);
  const { data: section } = await site.service
    .from('page_content')
    .select('content')
    .eq('section_name', 'testimonials')
    .single()
    .throwOnError();
  expect(JSON.parse(section.content)).toMatchObject({ heading: 'Heard on the fjord' });
  expect(JSON.parse(section.content).testimonials).toHaveLength(19);

  await page.goto('/admin/settings');
  await page.getByLabel('Chat instructions').fill('Speak like a ferryman.');
  await waitForDraft(page, 'ferryman');
  await page.reload();
  await findRestoreButton(page).click();
  await expect(page.getByLabel('Chat instructions')).toHaveValue('Speak like a ferryman.');
  await page.getByLabel('Chat instructions').press('Control+s');
  await expect(page.getByText('Setting updated successfully')).toBeVisible();
  await expect.poll(() => readDrafts(page)).toEqual([]);
});

test('Signing out asks for confirmation and deletes all unsaved changes', async ({ page, site }) => {
  const { id } = await insertPost(site, { title: 'Left behind', slug: 'left-behind' });
  await openAdmin(page, site, `/admin/posts/${id}/edit`);
  await page.getByLabel('Title').fill('Left behind, half done');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL('/admin/posts');
  await waitForDraft(page, 'half done');

  await page.getByRole('button', { name: 'Sign Out' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Sign out without saving?' });
  await dialog.getByRole('button', { name: 'Stay' }).click();
  expect(await readDrafts(page)).toHaveLength(1);
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await dialog.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/');
  await expect.poll(() => readDrafts(page)).toEqual([]);
});
