import { openAdmin, signIn } from '../support/admin-session.ts';
import { ADMIN, expect, type Site, test } from '../support/e2e.ts';

async function insertPost(site: Site, values: Record<string, unknown>) {
  const { data } = await site.service.from('posts').insert(values).select().single().throwOnError();
  return data as { id: string; updated_at: string; published_date: string };
}

async function readPost(site: Site, id: string) {
  return (await site.service.from('posts').select().eq('id', id).single().throwOnError()).data;
}

test.describe('Slug', () => {
  test.use({ allowedProblems: [/409/] });

  test('is generated from the title, and a duplicate is reported at the field', async ({ page, site }) => {
    await insertPost(site, { title: 'Taken', slug: 'taken' });
    await openAdmin(page, site, '/admin/posts/new');
    await page.getByLabel('Title').fill('  Cold Mail in Norway ');
    await page.getByRole('button', { name: 'Generate' }).click();
    await expect(page.getByLabel('Slug')).toHaveValue('cold-mail-in-norway');
    await page.getByLabel('Slug').fill('taken');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(page.getByText('Another post already has this slug.')).toBeVisible();
    await expect(page.getByText('Error creating post')).toBeVisible();
    await expect(page.getByLabel('Slug')).toBeFocused();
    await expect(page.getByLabel('Title')).toHaveValue('  Cold Mail in Norway ');
    await page.getByLabel('Title').fill('Made On Saving');
    await page.getByLabel('Slug').fill('');
    const before = Date.now();
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(page).toHaveURL('/admin/posts');
    const { data } = await site.service.from('posts').select().eq('slug', 'made-on-saving').single().throwOnError();
    expect(Date.parse(data.published_date)).toBeGreaterThan(before - 5000);
    expect(Date.parse(data.published_date)).toBeLessThan(Date.now() + 5000);
  });
});

test('A form with invalid fields is not sent, and lists the errors with links to the fields', async ({
  page,
  site,
}) => {
  await openAdmin(page, site, '/admin/reviews/new');
  await expect(page.getByText('Required', { exact: true })).toHaveCount(1);
  await expect(page.getByText('Required to publish')).toHaveCount(1);
  await expect(page.getByLabel('Rating').getByRole('option')).toHaveText(['1', '2', '3', '4', '5']);
  await expect(page.getByLabel('Rating')).toHaveValue('5');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByText('Author name is required')).toBeVisible();
  await expect(page.getByText('Quote is required')).toBeVisible();
  await expect(page.getByLabel('Author name')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Author name')).toBeFocused();
  await expect(page).toHaveURL('/admin/reviews/new');
  await expect(page.getByText('Please correct 2 fields:')).toBeVisible();
  await page.getByRole('button', { name: 'Quote', exact: true }).click();
  await expect(page.getByLabel('Quote')).toBeFocused();
  await page.keyboard.type('They listen.');
  await expect(page.getByText('Please correct one field:')).toBeVisible();
  await page.getByLabel('Author name').fill('Ada');
  await expect(page.getByText('Please correct one field:')).toBeHidden();
});

test.describe('A save that the backend rejects', () => {
  test.use({ allowedProblems: [/500/] });

  test('shows the error above the form fields and in a toast that closes with the form', async ({ page, site }) => {
    await openAdmin(page, site, '/admin/posts/new');
    await page.route('**/rest/v1/posts*', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 500, json: { message: 'disk full', code: 'XX000' } })
        : route.continue(),
    );
    await page.getByLabel('Title').fill('Kept');
    await page.getByRole('button', { name: 'Create' }).click();
    const toast = page.locator('[data-sonner-toast]');
    await expect(toast).toContainText('Error creating post');
    await expect(page.getByRole('alert').filter({ hasText: 'Not saved' })).toContainText('disk full');
    await expect(page.getByLabel('Title')).toHaveValue('Kept');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
    await expect(page).toHaveURL('/admin/posts');
    await expect(toast).toHaveCount(0);
  });
});

test('The icon of a service is selected from pictures', async ({ page, site }) => {
  const { data } = await site.service
    .from('services')
    .insert({ title: 'With an icon', slug: 'with-an-icon', icon_name: 'anchor' })
    .select()
    .single()
    .throwOnError();
  await openAdmin(page, site, `/admin/services/${data.id}/edit`);
  const icon = (name: string) => page.getByRole('group', { name: 'Icon' }).getByRole('radio', { name, exact: true });
  // An unknown icon name is kept until the user selects another.
  await expect(icon('anchor')).toBeChecked();
  await icon('radar').check();
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page).toHaveURL('/admin/services');
  const readIcon = async () => (await site.service.from('services').select().eq('id', data.id).single()).data.icon_name;
  expect(await readIcon()).toBe('radar');
  await page.getByRole('link', { name: 'With an icon', exact: true }).click();
  await icon('No icon').check();
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page).toHaveURL('/admin/services');
  expect(await readIcon()).toBeNull();
});

test('A draft requires only a title or name, and a team member can have a negative display order', async ({
  page,
  site,
}) => {
  await signIn(page, site, ADMIN);
  for (const [kind, label] of [
    ['posts', 'Title'],
    ['projects', 'Title'],
    ['services', 'Title'],
    ['reviews', 'Author name'],
    ['team', 'Name'],
  ] as const) {
    await page.goto(`/admin/${kind}/new`);
    await page.getByLabel(label, { exact: true }).fill(`Unfinished ${kind}`);
    if (kind === 'team') {
      await expect(page.getByLabel('Display order')).toHaveValue('0');
      await page.getByLabel('Display order').fill('-5');
    }
    await page.getByLabel('Status').selectOption('draft');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(page).toHaveURL(`/admin/${kind}`);
    await expect(page.getByRole('listitem').filter({ hasText: `Unfinished ${kind}` })).toContainText('draft');
  }
  const { data } = await site.service.from('team_members').select().eq('name', 'Unfinished team').single();
  expect(data?.display_order).toBe(-5);
});

test('Deliverables can be added with Add or Enter and removed, and are trimmed', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/services/new');
  await page.getByLabel('Title').fill('With deliverables');
  const input = page.getByLabel('Deliverables');
  await input.fill('  By button ');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await input.fill('By Enter');
  await input.press('Enter');
  await input.fill('   ');
  await input.press('Enter');
  await input.fill('Taken back');
  await input.press('Enter');
  await page.getByRole('button', { name: 'Remove Taken back' }).click();
  await expect(page).toHaveURL('/admin/services/new');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL('/admin/services');
  const { data } = await site.service
    .from('services')
    .select()
    .eq('title', 'With deliverables')
    .single()
    .throwOnError();
  expect(data.deliverables).toEqual(['By button', 'By Enter']);
});

test('Ctrl+S saves from any field and returns to the list', async ({ page, site }) => {
  const { id, published_date } = await insertPost(site, { title: 'By keyboard', slug: 'by-keyboard' });
  await openAdmin(page, site, `/admin/posts/${id}/edit`);
  await page.getByLabel('Excerpt').fill('Short.');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Post updated successfully')).toBeVisible();
  await expect(page).toHaveURL('/admin/posts');
  expect(await readPost(site, id)).toMatchObject({ excerpt: 'Short.', published_date });
});

test('Leaving a form asks for confirmation only if there are unsaved changes', async ({ page, site }) => {
  const { id } = await insertPost(site, { title: 'Half written', slug: 'half-written' });
  await openAdmin(page, site, `/admin/posts/${id}/edit`);
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/admin/posts');

  await page.getByRole('link', { name: 'Half written', exact: true }).click();
  await page.getByLabel('Title').fill('Half written, half lost');
  await page.getByRole('link', { name: 'Cancel' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('Leave without saving?');
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('Half written, half lost');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL('/admin/posts');
  expect((await readPost(site, id)).title).toBe('Half written');
});

test.describe('Two editors of one item', () => {
  test('the second editor sees a conflict, keeps their text, and can overwrite or load the other version', async ({
    page,
    site,
  }) => {
    const { id } = await insertPost(site, { title: 'Shared', slug: 'shared-one', content: 'Old' });
    await openAdmin(page, site, `/admin/posts/${id}/edit`);
    await page.getByRole('textbox', { name: 'Content' }).fill('Mine');
    await site.service.from('posts').update({ content: 'Theirs' }).eq('id', id).throwOnError();

    await page.getByRole('button', { name: 'Update' }).click();
    const dialog = page.getByRole('dialog', { name: 'Someone else changed this post' });
    await expect(dialog).toContainText('Theirs');
    await expect(dialog).toContainText('Mine');
    expect((await readPost(site, id)).content).toBe('Theirs');

    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await expect(page.getByRole('textbox', { name: 'Content' })).toHaveText('Mine');
    await page.getByRole('button', { name: 'Update' }).click();
    await dialog.getByRole('button', { name: 'Overwrite with mine' }).click();
    await expect(page).toHaveURL('/admin/posts');
    expect((await readPost(site, id)).content).toBe('Mine');

    await page.getByRole('link', { name: 'Shared', exact: true }).click();
    await page.getByRole('textbox', { name: 'Content' }).fill('Mine again');
    await site.service.from('posts').update({ content: 'Theirs' }).eq('id', id).throwOnError();
    await page.getByRole('button', { name: 'Update' }).click();
    await dialog.getByRole('button', { name: 'Discard mine and load theirs' }).click();
    await expect(page.getByRole('textbox', { name: 'Content' })).toHaveText('Theirs');
    await page.getByLabel('Title').fill('Shared and merged');
    await page.getByRole('button', { name: 'Update' }).click();
    await expect(page).toHaveURL('/admin/posts');
    expect(await readPost(site, id)).toMatchObject({ title: 'Shared and merged', content: 'Theirs' });
  });

  test('an item that was deleted by the first editor can be saved as a new item', async ({ page, site }) => {
    const { id } = await insertPost(site, { title: 'Gone', slug: 'gone' });
    await openAdmin(page, site, `/admin/posts/${id}/edit`);
    await page.getByRole('textbox', { name: 'Content' }).fill('Rescued');
    await site.service.from('posts').delete().eq('id', id).throwOnError();
    await page.getByRole('button', { name: 'Update' }).click();
    await page.getByRole('button', { name: 'Save as a new post' }).click();
    await expect(page).toHaveURL('/admin/posts');
    const { data } = await site.service.from('posts').select().eq('slug', 'gone').single().throwOnError();
    expect(data.content).toBe('Rescued');
  });

  test('saving without a change by the first editor shows no conflict', async ({ page, site }) => {
    const { id } = await insertPost(site, { title: 'Touched', slug: 'touched' });
    await openAdmin(page, site, `/admin/posts/${id}/edit`);
    await page.getByLabel('Category').fill('Notes');
    await site.service.from('posts').update({ title: 'Touched' }).eq('id', id).throwOnError();
    await page.getByRole('button', { name: 'Update' }).click();
    await expect(page).toHaveURL('/admin/posts');
    expect((await readPost(site, id)).category).toBe('Notes');
  });
});

test.describe('A missing item', () => {
  test.use({ allowedProblems: [/400/] });

  test('shows a message, even if the id in the URL is invalid', async ({ page, site }) => {
    await signIn(page, site, ADMIN);
    for (const id of [crypto.randomUUID(), 'none']) {
      await page.goto(`/admin/posts/${id}/edit`);
      await expect(page.getByText('Post not found')).toBeVisible();
    }
    await page.getByRole('link', { name: 'Back to Blog Posts' }).click();
    await expect(page).toHaveURL('/admin/posts');
  });
});

test('A text of 100,000 characters with emoji and right-to-left script is stored exactly', async ({ page, site }) => {
  const content = `שלום 👩🏽‍💻 ${'fjord '.repeat(16_700)}end`;
  const { id } = await insertPost(site, { title: 'Long', slug: 'long', content });
  await openAdmin(page, site, `/admin/posts/${id}/edit`);
  await expect(page.getByRole('textbox', { name: 'Content' })).toHaveText(content);
  await page.getByLabel('Title').fill('Long 👋');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page).toHaveURL('/admin/posts');
  expect(await readPost(site, id)).toMatchObject({ content, title: 'Long 👋' });
});
