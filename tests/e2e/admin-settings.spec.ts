import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, test } from '../support/e2e.ts';

test.use({ starterContent: false });

const LABELS = [
  'Site name',
  'Site tagline',
  'Contact email',
  'Contact phone',
  'Social links',
  'SEO description',
  'SEO keywords',
  'Questions on the contact page',
  'Visit statistics',
  'Domain check',
  'Chat instructions',
  'Chat daily cap',
  'Chat allowed origins',
  'Chat languages',
  'Chat retention days',
  'Keep contact messages',
  'Response time',
  'Leads from the chat',
  'Newsletter sign-up',
  'Lead webhook',
  'Alt texts required',
  'Second factor for admins',
];

test('Every setting has a row with its default and a save button, and an invalid email address is rejected', async ({
  page,
  site,
}) => {
  await site.service.from('site_settings').delete().neq('setting_key', '').throwOnError();
  await openAdmin(page, site, '/admin/settings');
  for (const label of LABELS) await expect(page.getByLabel(label)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save Changes' })).toHaveCount(LABELS.length);
  await expect(page.getByLabel('Site tagline')).toHaveValue('AI Outbound Systems for Brand-First Growth');
  await expect(page.getByLabel('Contact email')).toHaveAttribute('type', 'email');

  await page.setViewportSize({ width: 1440, height: 900 });
  const row = page.locator('#site_tagline');
  const save = row.getByRole('button', { name: 'Save Changes' });
  await expect(save).toHaveCSS('opacity', '0');
  const quietHeight = (await row.boundingBox())?.height;
  await page.getByLabel('Site tagline').fill('Not saved yet');
  await expect(page.getByRole('button', { name: /^Save to a release/ })).toBeVisible();
  await expect(save).toHaveCSS('opacity', '1');
  expect((await row.boundingBox())?.height).toBe(quietHeight);
  const effect = await row.getByText('Home page title:').boundingBox();
  expect(effect?.height).toBeLessThan(25);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(2600);
  const groups = page.getByRole('navigation', { name: 'Groups of settings' });
  for (const name of ['Media', 'Access', 'Site']) {
    await groups.getByRole('link', { name }).press('Enter');
    const heading = page.getByRole('heading', { level: 2, name });
    await expect(heading).toBeFocused();
    await expect(heading).toBeInViewport();
  }
  await expect(page.getByLabel('Site tagline')).toHaveValue('Not saved yet');

  const card = page.locator('#contact_email');
  await page.getByLabel('Contact email').fill('not an address');
  await card.getByRole('button', { name: 'Save Changes' }).click();
  await expect(card.getByText('Enter a valid email address.')).toBeVisible();
  expect((await site.service.from('site_settings').select().eq('setting_key', 'contact_email')).data).toEqual([]);
});

test('The search filters settings and keeps unsaved changes, and Escape or a link to a setting clears it', async ({
  page,
  site,
}) => {
  await openAdmin(page, site, '/admin/settings');
  await page.getByLabel('Site tagline').fill('Not saved yet');
  const search = page.getByRole('searchbox', { name: 'Search settings' });
  await search.fill('webhook');
  await expect(page.getByRole('status').filter({ hasText: /^1 setting$/ })).toBeVisible();
  await expect(page.getByLabel('Lead webhook')).toBeVisible();
  await expect(page.getByLabel('Site tagline')).toBeHidden();
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Leads']);
  await expectNoAxeViolations(page);
  await search.press('Escape');
  await expect(page.getByRole('status').filter({ hasText: `${LABELS.length} settings` })).toBeVisible();
  await expect(search).toHaveValue('');
  await expect(page.getByLabel('Site tagline')).toHaveValue('Not saved yet');

  await search.fill('no such setting');
  await expect(page.getByText('No settings match this search.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all settings' }).click();
  await expect(search).toHaveValue('');

  await search.fill('webhook');
  await expect(page.getByLabel('Alt texts required')).toBeHidden();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('alt texts');
  await expect(page.getByRole('option', { name: 'Alt texts required' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Alt texts required')).toBeFocused();
  await expect(page).toHaveURL('/admin/settings#require_alt_text');
});

test('A saved setting is applied to the public site within a second, and booleans are switches', async ({
  page,
  site,
}) => {
  await openAdmin(page, site, '/admin/settings');
  const card = page.locator('#site_name');
  await page.getByLabel('Site name').fill('Nordlys');
  await page.getByLabel('Site tagline').fill('Not saved by that button');
  await card.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Setting updated successfully')).toBeVisible();
  const { data } = await site.service
    .from('site_settings')
    .select('setting_key, setting_value')
    .in('setting_key', ['site_name', 'site_tagline'])
    .throwOnError();
  expect(data).toEqual([{ setting_key: 'site_name', setting_value: 'Nordlys' }]);
  // The server closes idle connections after 5 s, possibly while this request reuses one.
  expect(await (await page.request.get('/', { maxRetries: 1 })).text()).toContain('Nordlys');

  const newsletterCard = page.locator('#newsletter_signup');
  const newsletterSwitch = newsletterCard.getByRole('switch', { name: 'Newsletter sign-up', exact: true });
  await expect(newsletterSwitch).not.toBeChecked();
  await newsletterSwitch.press('Space');
  await expect(newsletterSwitch).toBeChecked();
  await newsletterCard.getByRole('button', { name: 'Save Changes' }).click();
  await expect
    .poll(async () => (await site.service.from('site_settings').select().eq('setting_key', 'newsletter_signup')).data)
    .toMatchObject([{ setting_value: 'on' }]);
  await page.reload();
  await expect(newsletterSwitch).toBeChecked();
  await newsletterSwitch.uncheck();
  await newsletterCard.getByRole('button', { name: 'Save Changes' }).click();
  await expect
    .poll(async () => (await site.service.from('site_settings').select().eq('setting_key', 'newsletter_signup')).data)
    .toMatchObject([{ setting_value: 'off' }]);
  await site.service.from('site_settings').delete().eq('setting_key', 'newsletter_signup').throwOnError();
  await site.service.from('site_settings').delete().eq('setting_key', 'site_name').throwOnError();
});

test('Invalid JSON is not saved, and the card shows the reason without a toast', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/settings');
  const card = page.locator('#social_links');
  await card.getByRole('button', { name: 'Edit as JSON' }).click();
  await page.getByLabel('Social links').fill('{"linkedin": ');
  await card.getByRole('button', { name: 'Save Changes' }).click();
  await expect(card.getByText('Not saved. This is not valid JSON')).toBeVisible();
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
  expect((await site.service.from('site_settings').select().eq('setting_key', 'social_links')).data).toEqual([]);

  await page.getByLabel('Social links').fill('{"linkedin": "https://www.linkedin.com/", "rating": 5}');
  await card.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Setting updated successfully')).toBeVisible();
  const readLinks = async () =>
    (await site.service.from('site_settings').select().eq('setting_key', 'social_links').single().throwOnError()).data
      .setting_value;
  expect(await readLinks()).toBe('{"linkedin": "https://www.linkedin.com/", "rating": 5}');

  // One field per platform. Invalid entries are kept.
  await card.getByRole('button', { name: 'Edit as fields' }).click();
  await card.getByLabel('Instagram').fill('instagram');
  await expect(card.getByText('URLs must begin with https://')).toBeVisible();
  await card.getByLabel('Instagram').fill('https://www.instagram.com/nordlys');
  await card.getByLabel('LinkedIn').fill('');
  await card.getByRole('button', { name: 'Save Changes' }).click();
  await expect.poll(readLinks).toBe('{\n  "rating": 5,\n  "instagram": "https://www.instagram.com/nordlys"\n}');
});

test('Only changed settings are saved, and the button keeps the focus', async ({ page, site }) => {
  await site.service.from('site_settings').delete().neq('setting_key', '').throwOnError();
  await openAdmin(page, site, '/admin/settings');
  const save = page.locator('#site_tagline').getByRole('button', { name: 'Save Changes' });
  const field = page.getByLabel('Site tagline');
  const defaultTagline = 'AI Outbound Systems for Brand-First Growth';
  await expect(field).toHaveValue(defaultTagline);
  await expect(save).toBeDisabled();
  await field.press('Enter');
  await field.fill('Nordlys over Oslo');
  await expect(save).toBeEnabled();
  await field.fill(defaultTagline);
  await expect(save).toBeDisabled();
  await field.fill('Nordlys over Oslo');
  await save.press('Enter');
  await expect(page.getByText('Setting updated successfully')).toBeVisible();
  await expect(save).toBeDisabled();
  await expect(save).toBeFocused();
  const { data } = await site.service.from('site_settings').select('setting_key, setting_value').throwOnError();
  expect(data).toEqual([{ setting_key: 'site_tagline', setting_value: 'Nordlys over Oslo' }]);
  await site.service.from('site_settings').delete().neq('setting_key', '').throwOnError();
});

test.describe('A setting that cannot be saved', () => {
  test.use({ allowedProblems: [/500/] });

  test('shows an error in a toast and keeps the text', async ({ page, site }) => {
    await openAdmin(page, site, '/admin/settings');
    await page.route('**/rest/v1/site_settings*', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 500, json: { message: 'disk full', code: 'XX000' } })
        : route.continue(),
    );
    await page.getByLabel('Site name').fill('Kept');
    await page.locator('#site_name').getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText('Error updating setting')).toBeVisible();
    // The form also shows the error above its field.
    await expect(page.getByText('disk full', { exact: true })).toBeVisible();
    await expect(page.getByLabel('Site name')).toHaveValue('Kept');
  });
});
