import { openAdmin } from '../support/admin-session.ts';
import { saveAvailability } from '../support/booking.ts';
import { expect, expectNoAxeViolations, test } from '../support/e2e.ts';
import { findZoneAtNoon } from '../support/zone-at-noon.ts';

test.use({ starterContent: false, timezoneId: findZoneAtNoon() });

test('The dashboard shows the latest changes with their authors, and recent questions', async ({ page, site }) => {
  const countedPaths: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'HEAD') countedPaths.push(new URL(request.url()).pathname);
  });
  await openAdmin(page, site, '/admin/dashboard');
  // HEAD requests return counts without rows.
  const tables = ['posts', 'projects', 'reviews', 'services'].map((table) => `/rest/v1/${table}`);
  await expect.poll(() => countedPaths).toEqual(expect.arrayContaining(tables));
  const changes = page.getByRole('region', { name: 'Latest changes' });
  const conversations = page.getByRole('region', { name: 'Latest conversations' });
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
  await expect(conversations).toHaveCount(0);

  const postRow = { title: 'Fjord', slug: 'fjord', content: 'Cold' };
  const post = (await site.service.from('posts').insert(postRow).select('id').single().throwOnError()).data;
  await site.service.from('posts').update({ title: 'Fjord in spring' }).eq('id', post.id).throwOnError();
  await site.service.from('reviews').insert({ author_name: 'Kari', quote: 'Good' }).throwOnError();
  await site.service
    .from('site_settings')
    .insert({ setting_key: 'site_tagline', setting_value: 'Calm' })
    .throwOnError();
  await site.service
    .from('page_content')
    .insert({ page_slug: 'home', section_name: 'hero', content: '{}' })
    .throwOnError();
  await site.service.from('reviews').delete().eq('author_name', 'Kari').throwOnError();
  const conversation = (await site.service.from('conversations').insert({}).select('id').single().throwOnError()).data;
  await site.service
    .from('chat_messages')
    .insert([
      { conversation_id: conversation.id, role: 'user', content: 'What does a pilot cost?' },
      { conversation_id: conversation.id, role: 'assistant', content: 'From 4,000 euros.' },
    ])
    .throwOnError();

  await page.goto('/admin/posts');
  await page.getByRole('link', { name: 'Fjord in spring', exact: true }).click();
  await page.getByLabel('Title').fill('Fjord in winter');
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await expect(page).toHaveURL(/\/admin\/posts$/);

  await page.goto('/admin/dashboard');
  const rows = changes.getByRole('listitem');
  // Each item is listed once with its author, latest change first.
  await expect(rows).toHaveText([
    /Fjord in winter.*Post · Changed: Title.*admin/,
    /Kari.*Review · Deleted, /,
    /Home: Hero.*Page section · Created/,
    /Site tagline.*Setting · Created/,
  ]);
  await expect(conversations.getByRole('listitem')).toContainText(['What does a pilot cost?']);
  await expectNoAxeViolations(page);

  for (const [row, path] of [
    ['Fjord in winter', `/admin/posts/${post.id}/edit`],
    ['Kari', '/admin/reviews/deleted'],
    ['Home: Hero', '/admin/pages/home?tab=hero'],
    ['Site tagline', '/admin/settings#site_tagline'],
  ] as const) {
    await page.goto('/admin/dashboard');
    await changes.getByRole('link', { name: row }).click();
    await expect(page).toHaveURL(path);
  }
  await page.goto('/admin/dashboard');
  await conversations.getByRole('link', { name: 'What does a pilot cost?' }).click();
  await expect(page.getByText('From 4,000 euros.')).toBeVisible();
});

test('Pending tasks are shown first, sorted by urgency, with links to resolve them', async ({ page, site }) => {
  await site.service.from('posts').delete().neq('title', '').throwOnError();
  await openAdmin(page, site, '/admin/dashboard');
  const queue = page.getByRole('region', { name: 'Pending tasks' });
  await expect(queue).toContainText('No pending tasks or registrations.');
  const endOfDay = await page.evaluate(() => new Date(new Date().setHours(23, 59, 59)).toISOString());
  await site.service
    .from('releases')
    .insert([
      { name: 'Spring', failure: 'The slug is taken', failed_at: endOfDay },
      { name: 'Summer', publish_at: endOfDay },
    ])
    .throwOnError();
  for (const email of ['kari', 'ola', 'per', 'siri', 'tor']) {
    await site.service
      .from('leads')
      .insert({ source: 'contact', email: `${email}@example.com` })
      .throwOnError();
  }
  await site.service.from('projects').insert({ title: 'Harbour', slug: 'harbour' }).throwOnError();
  await site.service.from('reviews').insert({ author_name: 'Kari', quote: 'Good', status: 'draft' }).throwOnError();
  await page.reload();
  const rows = queue.getByRole('listitem');
  await expect(rows).toHaveText([
    'The release “Spring” could not be published',
    /^The release “Summer” will be published today/,
    /^kari@example.com is waiting for a replyContact form · just nowMark as contacted$/,
    /^ola@example.com is waiting for a reply/,
    '3 more new leads',
    '2 drafts are not published1 project, 1 review',
  ]);
  await expectNoAxeViolations(page);
  // Use only the keyboard to go to the first lead, answer it inline, and continue at the next.
  await queue.getByRole('link', { name: 'Summer' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(queue.getByRole('link', { name: 'kari@example.com' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Lead updated successfully')).toBeVisible();
  await expect(queue.getByRole('link', { name: 'ola@example.com' })).toBeFocused();
  await expect(queue).not.toContainText('kari@example.com');
  const lead = await site.service.from('leads').select('status').eq('email', 'kari@example.com').single();
  expect(lead.data).toEqual({ status: 'contacted' });

  await queue.getByRole('link', { name: '2 drafts' }).click();
  await expect(page).toHaveURL('/admin/projects?status=draft');
  await page.goBack();
  await queue.getByRole('link', { name: '2 more new leads' }).click();
  await expect(page).toHaveURL('/admin/leads?status=new');
  await site.service.from('leads').delete().neq('email', '').throwOnError();
});

test('Calls of today are listed by time, and people who booked a call are not waiting for a reply', async ({
  page,
  site,
}) => {
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  for (const [index, email] of ['ada', 'bo', 'cy'].map((name) => `${name}@example.com`).entries()) {
    await site.service.from('leads').insert({ source: 'contact', email }).throwOnError();
    // It is about noon in the browser, so that only the first call is today.
    const [from, to] = [index * 48 + 0.1, index * 48 + 0.6].map(inHours);
    const call = { slot: `[${from},${to})`, name: email, email: email.toUpperCase(), time_zone: 'UTC' };
    if (index < 2)
      await site.service
        .from('bookings')
        .insert({ ...call, token_hash: `${index}`.repeat(64) })
        .throwOnError();
  }
  await openAdmin(page, site, '/admin/dashboard');
  await expect(page.getByRole('region', { name: 'Pending tasks' }).getByRole('listitem')).toContainText([
    /^\d\d:\d\d Call with ada/,
    /^cy@example.com is waiting for a reply/,
    /^One new lead has booked a callbo@example.com$/,
  ]);
  await expect(page.getByRole('link', { name: 'ada@example.com' })).toHaveCount(1);
  for (const table of ['bookings', 'leads'])
    await site.service.from(table).delete().not('id', 'is', null).throwOnError();
});

test('An empty site lists the steps to go live, and ticks those that are done', async ({ page, site }) => {
  await site.service.from('site_settings').delete().eq('setting_key', 'contact_email').throwOnError();
  await site.service.from('posts').delete().neq('title', '').throwOnError();
  await openAdmin(page, site, '/admin/dashboard');
  const steps = page.getByRole('region', { name: 'Go live' });
  await expect(steps.getByRole('listitem')).toHaveText([
    /^Set your site name and contact email/,
    /^Publish your first project/,
    /^Publish your first post/,
    /^Set the hours for calls/,
    'Turn off the preview gateDone',
  ]);
  await expect(steps).toContainText('1 of 5 done');
  await expectNoAxeViolations(page);
  await steps.getByRole('link', { name: 'Set the hours' }).click();
  await expect(page).toHaveURL('/admin/bookings?tab=availability');

  await site.service
    .from('site_settings')
    .insert({ setting_key: 'contact_email', setting_value: 'kari@example.com' })
    .throwOnError();
  const item = { title: 'Own', slug: 'own', status: 'published' };
  await site.service.from('posts').insert(item).throwOnError();
  await site.service.from('projects').insert(item).throwOnError();
  await page.goto('/admin/dashboard');
  await expect(steps).toContainText('4 of 5 done');
  await saveAvailability(site.service);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Pending tasks' })).toBeVisible();
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
  await expect(steps).toHaveCount(0);
});

test('Pending tasks appear as they load, and the empty state is shown only when all are loaded', async ({
  page,
  site,
}) => {
  await site.service.from('leads').delete().neq('email', '').throwOnError();
  await site.service.from('leads').insert({ source: 'contact', email: 'kari@example.com' }).throwOnError();
  const release = Promise.withResolvers<void>();
  await page.route('**/rest/v1/releases*', async (route) => {
    await release.promise;
    await route.continue();
  });
  await openAdmin(page, site, '/admin/dashboard');
  const queue = page.getByRole('region', { name: 'Pending tasks' });
  await expect(queue).toContainText('kari@example.com is waiting for a reply');
  await expect(queue).not.toContainText('No pending tasks or registrations');
  release.resolve();
});

test.describe('Email addresses that cannot be loaded', () => {
  test.use({ allowedProblems: [/status of 500/] });

  test('are reported, and pending users are shown as Unknown and can still be approved', async ({ page, site }) => {
    const pendingUser = await site.createUser({ role: 'team', approved: false });
    await page.route('**/rest/v1/rpc/user_emails', (route) =>
      route.fulfill({ status: 500, json: { code: 'XX000', message: 'The lookup is broken' } }),
    );
    await openAdmin(page, site, '/admin/dashboard');
    const pending = page.getByRole('region', { name: 'Pending team members' });
    await expect(pending.getByRole('alert')).toContainText('could not be loaded: The lookup is broken');
    await expectNoAxeViolations(page);
    await pending.getByRole('button', { name: 'Approve Unknown' }).click();
    await expect(page.getByText('Team member approved successfully')).toBeVisible();
    await expect(pending).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Decisions' })).toContainText('By Unknown');
    const role = await site.service.from('user_roles').select('approved').eq('user_id', pendingUser.id).single();
    expect(role.data).toEqual({ approved: true });
  });
});
