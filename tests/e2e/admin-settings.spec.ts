import { openAdmin } from '../support/admin-session.ts';
import { expect, test } from '../support/e2e.ts';

test.use({ environment: { STARTER_CONTENT: 'off' } });

const LABELS = [
  'Site name',
  'Site tagline',
  'Contact email',
  'Contact phone',
  'Social links',
  'SEO description',
  'SEO keywords',
  'Questions on the contact page',
  'Figures of visits',
  'Chat instructions',
  'Chat daily cap',
  'Chat allowed origins',
  'Chat languages',
  'Chat retention days',
  'Keep contact messages',
  'Leads from the chat',
  'Newsletter sign-up',
  'Lead webhook',
  'Alt texts required',
  'Second factor for admins',
];

test('Every setting has a card with its default and its own Save Changes', async ({ page, site }) => {
  await site.service.from('site_settings').delete().neq('setting_key', '').throwOnError();
  await openAdmin(page, site, '/admin/settings');
  for (const label of LABELS) await expect(page.getByLabel(label)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save Changes' })).toHaveCount(LABELS.length);
  await expect(page.getByLabel('Site tagline')).toHaveValue('AI Outbound Systems for Brand-First Growth');
  await expect(page.getByLabel('Contact email')).toHaveAttribute('type', 'email');
});

test('A setting is saved by its own button and reaches the public site within a second', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/settings');
  const card = page.locator('form').filter({ hasText: 'site_name' });
  await page.getByLabel('Site name').fill('Nordlys');
  await page.getByLabel('Site tagline').fill('Not saved by that button');
  await card.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Setting updated successfully')).toBeVisible();
  const { data } = await site.service.from('site_settings').select('setting_key, setting_value').throwOnError();
  expect(data).toEqual([{ setting_key: 'site_name', setting_value: 'Nordlys' }]);
  expect(await (await page.request.get('/')).text()).toContain('Nordlys');
  await site.service.from('site_settings').delete().eq('setting_key', 'site_name').throwOnError();
});

test('JSON that is not valid is not saved, without a toast, and the card says why', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/settings');
  const card = page.locator('form').filter({ hasText: 'social_links' });
  await page.getByLabel('Social links').fill('{"linkedin": ');
  await card.getByRole('button', { name: 'Save Changes' }).click();
  await expect(card.getByText('Not saved, because this is not valid JSON')).toBeVisible();
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
  expect((await site.service.from('site_settings').select().eq('setting_key', 'social_links')).data).toEqual([]);

  await page.getByLabel('Social links').fill('{"linkedin": "https://www.linkedin.com/"}');
  await card.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Setting updated successfully')).toBeVisible();
  const { data } = await site.service.from('site_settings').select().eq('setting_key', 'social_links').single();
  expect(data.setting_value).toBe('{"linkedin": "https://www.linkedin.com/"}');
});

test('A contact e-mail that is none is refused in the card', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/settings');
  const card = page.locator('form').filter({ hasText: 'contact_email' });
  await page.getByLabel('Contact email').fill('not an address');
  await card.getByRole('button', { name: 'Save Changes' }).click();
  await expect(card.getByText('Enter a valid email address.')).toBeVisible();
  expect((await site.service.from('site_settings').select().eq('setting_key', 'contact_email')).data).toEqual([]);
});

test.describe('When saving fails', () => {
  test.use({ allowedProblems: [/500/] });

  test('a toast says so and the text stays', async ({ page, site }) => {
    await openAdmin(page, site, '/admin/settings');
    await page.route('**/rest/v1/site_settings*', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 500, json: { message: 'disk full', code: 'XX000' } })
        : route.continue(),
    );
    await page.getByLabel('Site name').fill('Kept');
    await page.locator('form').filter({ hasText: 'site_name' }).getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText('Error updating setting')).toBeVisible();
    await expect(page.getByText('disk full')).toBeVisible();
    await expect(page.getByLabel('Site name')).toHaveValue('Kept');
  });
});
