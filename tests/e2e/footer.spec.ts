import { expect, test } from '../support/e2e.ts';

test('The footer shows its defaults, and its newsletter form is inactive', async ({ page }) => {
  await page.goto('/');
  const footer = page.getByRole('contentinfo');
  await expect(footer.getByRole('heading', { name: 'Stay Connected' })).toBeVisible();
  await expect(footer.getByRole('textbox', { name: 'Email address' })).toBeVisible();
  for (const [label, path] of [
    ['Home', '/'],
    ['About Us', '/about'],
    ['Services', '/services'],
    ['Projects', '/projects'],
    ['Contact', '/contact'],
    ['Privacy Policy', '/privacy'],
    ['Terms of Service', '/terms'],
    ['Cookie Settings', '/cookies'],
  ] as const) {
    await expect(footer.getByRole('link', { name: label, exact: true })).toHaveAttribute('href', path);
  }
  await expect(footer.getByText('Oslo, Norway')).toBeVisible();
  await expect(footer.getByRole('link', { name: 'Instagram' })).toBeVisible();
  for (const platform of ['Facebook', 'X (Twitter)', 'LinkedIn']) {
    await expect(footer.getByRole('link', { name: platform })).toHaveCount(0);
  }
  await expect(footer.getByText(/2025/)).toBeVisible();

  const requestedUrls: string[] = [];
  page.on('request', (request) => {
    // Sections load their code and images when they are near the viewport.
    if (['document', 'fetch', 'xhr'].includes(request.resourceType())) requestedUrls.push(request.url());
  });
  await page.getByRole('textbox', { name: 'Email address' }).fill('ingrid@example.com');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');
  expect(requestedUrls).toEqual([]);
});

test('Links without a URL are hidden', async ({ page, site }) => {
  const bottom = { copyright: '©', legalLinks: ['#', ' ', '/terms'].map((url) => ({ label: `To ${url}`, url })) };
  await site.service
    .from('page_content')
    .upsert(
      { page_slug: 'home', section_name: 'footer', content: JSON.stringify({ bottom }), content_type: 'json' },
      { onConflict: 'page_slug,section_name' },
    )
    .throwOnError();
  await page.goto('/');
  await expect(page.getByRole('contentinfo').getByRole('link', { name: /^To/ })).toHaveText(['To /terms']);
  await site.service.from('page_content').delete().eq('section_name', 'footer').throwOnError();
});

test('The footer shows the contact email from the settings unless it has its own', async ({ page, site }) => {
  const footer = page.getByRole('contentinfo');
  await site.service
    .from('site_settings')
    .upsert({ setting_key: 'contact_email', setting_value: 'post@fjord.example' }, { onConflict: 'setting_key' })
    .throwOnError();
  await page.goto('/about');
  await expect(footer.getByRole('link', { name: 'post@fjord.example' })).toBeVisible();
  const content = JSON.stringify({
    contact: { title: 'Contact', address: ['Oslo, Norway'], email: 'own@fjord.example' },
  });
  const row = { page_slug: 'home', section_name: 'footer', content, content_type: 'json' };
  await site.service.from('page_content').upsert(row, { onConflict: 'page_slug,section_name' }).throwOnError();
  await page.goto('/about');
  await expect(footer.getByRole('link', { name: 'own@fjord.example' })).toBeVisible();
  await site.service.from('page_content').delete().eq('section_name', 'footer').throwOnError();
  await site.service.from('site_settings').delete().eq('setting_key', 'contact_email').throwOnError();
});

test('The server renders the footer', async ({ request }) => {
  expect(await (await request.get('/')).text()).toContain('Stay Connected');
});

test('Saved content replaces the defaults, but invalid JSON keeps them', async ({ page, site }) => {
  const saveContent = (content: string) =>
    site.service
      .from('page_content')
      .upsert(
        { page_slug: 'home', section_name: 'footer', content, content_type: 'json' },
        { onConflict: 'page_slug,section_name' },
      )
      .throwOnError();
  const newsletter = { heading: 'Letters from Oslo', description: 'Once a month.', placeholder: 'you@example.com' };
  await saveContent(JSON.stringify({ newsletter }));
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Letters from Oslo' })).toBeVisible();
  await expect(page.getByRole('contentinfo').getByText('Oslo, Norway')).toBeVisible();

  await saveContent('{not json');
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Stay Connected' })).toBeVisible();
  await site.service.from('page_content').delete().eq('section_name', 'footer').throwOnError();
});
