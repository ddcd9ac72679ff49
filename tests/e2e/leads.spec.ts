import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { openAdmin, signIn } from '../support/admin-session.ts';
import { findChat, readStoredId, test } from '../support/chat.ts';
import { expect, expectNoAxeViolations, type Site, waitUntilHydrated } from '../support/e2e.ts';
import { reply } from '../support/fake-upstream.ts';
import { readNewestMail } from '../support/outbox.ts';

const SWITCHES = ['keep_contact_messages', 'leads_from_chat', 'newsletter_signup'];

async function setSwitches(site: Site, setting_value: 'on' | 'off'): Promise<void> {
  const rows = SWITCHES.map((setting_key) => ({ setting_key, setting_value }));
  await site.service.from('site_settings').upsert(rows, { onConflict: 'setting_key' }).throwOnError();
}

// Chromium logs the rejected call.
test.use({ allowedProblems: [/400 \(Bad Request\)/] });

/** Starts recording the API calls of the page, such as 'POST /rest/v1/conversations'. */
function recordApiCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/\/v1\//.test(pathname)) calls.push(`${request.method()} ${pathname}`);
  });
  return calls;
}

async function fillContactForm(page: Page, email: string): Promise<void> {
  const form = await waitUntilHydrated(page.getByRole('form', { name: 'Contact' }));
  await form.getByLabel('Name').fill('Kari Nordmann');
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Message').fill('Can you help us in Bergen?');
  await form.getByRole('button', { name: 'Send message' }).click();
}

test('Pages make only their base calls if all features are off', async ({ page, site, upstream }) => {
  await setSwitches(site, 'off');
  upstream.behave(reply('A person can answer that: [write to us](/contact#person).'));
  const calls = recordApiCalls(page);
  await page.goto('/contact');
  await fillContactForm(page, 'off@example.com');
  await expect(page.getByText("Message sent! We'll get back to you soon.")).toBeVisible();
  await page.getByRole('textbox', { name: 'Email address' }).fill('off@example.com');
  await page.getByRole('textbox', { name: 'Email address' }).press('Enter');
  expect(calls).toEqual([]);

  const chat = findChat(page);
  await chat.open();
  await chat.ask('I am off@example.com, send me a proposal');
  await expect(chat.log).toContainText('A person can answer that');
  await expect(chat.input).toBeEnabled();
  await expect
    .poll(() => calls)
    .toEqual([
      'POST /rest/v1/conversations',
      'GET /rest/v1/chat_messages',
      'GET /rest/v1/chat_messages',
      'POST /functions/v1/ai-chat',
      'POST /rest/v1/chat_messages',
      'PATCH /rest/v1/conversations',
      'POST /rest/v1/chat_messages',
      'PATCH /rest/v1/conversations',
    ]);
  await expect(chat.window.getByText('May a person write to you')).toHaveCount(0);
  expect((await site.service.from('leads').select()).data).toEqual([]);
});

test('A visitor can leave an email address in the chat once, and an admin can follow up the lead', async ({
  page,
  site,
  upstream,
}) => {
  await setSwitches(site, 'on');
  upstream.behave(reply('Gladly. [A person can write to you](/contact#person).'));
  await page.goto('/');
  const chat = findChat(page);
  await chat.open();
  await chat.ask('My email is john@acme.example, send a proposal');
  const question = 'May a person write to you at john@acme.example?';
  const line = chat.window.getByText(question);
  const card = chat.window.getByRole('form', { name: question });
  await expect(line).toBeVisible();
  await expect(card).toHaveCount(0);
  await line.getByRole('button', { name: 'Yes' }).click();
  await expect(card.getByLabel('Email')).toBeFocused();
  await expect(card.getByRole('link', { name: 'How we treat your data' })).toHaveAttribute('href', '/privacy');
  await expect(card.getByLabel('Email')).toHaveValue('john@acme.example');
  await expectNoAxeViolations(page);

  // A visitor who declined is asked again only if they follow the link, even after a reload. A rejected or failed
  // request keeps the input.
  await card.getByRole('button', { name: 'No, thank you' }).click();
  await expect(line).toBeHidden();
  await expect(chat.input).toBeFocused();
  await page.reload();
  await chat.open();
  await expect(chat.log).toContainText('Gladly.');
  await expect(line).toBeHidden();
  await chat.window.getByRole('link', { name: 'A person can write to you' }).click();
  await expect(card.getByLabel('Email')).toBeFocused();
  await card.getByLabel('Phone (optional)').fill('call me');
  await page.keyboard.press('Enter');
  await expect(card.getByText('Enter a phone number with digits.')).toBeVisible();
  await expect(card.getByLabel('Phone (optional)')).toBeFocused();
  await card.getByLabel('Phone (optional)').fill('+47 22 00 00 00');
  await card.getByLabel('Time (optional)').fill('Tomorrow after 14');
  await site.service.from('site_settings').update({ setting_value: 'off' }).eq('setting_key', 'leads_from_chat');
  await card.getByRole('button', { name: 'Yes, write to me' }).click();
  await expect(card.getByRole('alert')).toHaveText('The contact form is disabled. Please send us an email instead.');
  await expect(card.getByLabel('Time (optional)')).toHaveValue('Tomorrow after 14');
  await site.service.from('site_settings').update({ setting_value: 'on' }).eq('setting_key', 'leads_from_chat');
  await card.getByRole('button', { name: 'Yes, write to me' }).click();
  await expect(chat.log).toContainText('Thank you. A person will write to you');
  await expect(card).toBeHidden();

  // The form is offered once per conversation, even after a reload and another offer.
  await chat.ask('And to me again?');
  await expect(chat.input).toBeEnabled();
  await expect(chat.window.getByRole('button', { name: 'Yes, write to me' })).toHaveCount(0);
  await page.reload();
  await chat.open();
  await expect(chat.log).toContainText('Thank you. A person will write to you');
  const conversation = await readStoredId(page);
  await page.goto('/chat-embed');
  await expect(page.getByRole('log')).toContainText('Thank you. A person will write to you');

  await openAdmin(page, site, '/admin/leads?status=new');
  await expect(page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Leads' })).toContainText('1');
  await page.getByRole('searchbox', { name: 'Search leads' }).fill('acme');
  await expect(page.getByText('1 lead', { exact: true })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole('link', { name: 'john@acme.example' }).click();
  await expect(page.getByText('They asked for this time: Tomorrow after 14')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Messages' })).toContainText('send a proposal');
  // On a wide screen the follow-up is beside the contact details.
  await page.setViewportSize({ width: 1440, height: 900 });
  const readLeft = async (name: string) => (await page.getByRole('heading', { name }).boundingBox())?.x ?? 0;
  await expect
    .poll(async () => (await readLeft('Follow-up')) - (await readLeft('Contact details')))
    .toBeGreaterThan(400);
  await expectNoAxeViolations(page);
  await page.getByLabel('Status').selectOption('Contacted');
  await page.getByLabel('Note').fill('Sent the proposal');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Lead updated successfully')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Leads' })).not.toContainText(
    '1',
  );

  await page.goto(`/admin/conversations/${conversation}`);
  await page.getByRole('link', { name: 'Open lead' }).click();
  await expect(page.getByLabel('Note')).toHaveValue('Sent the proposal');
  await page.getByRole('button', { name: 'Delete lead' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page).toHaveURL('/admin/leads');
  await page.goto(`/admin/conversations/${conversation}`);
  await page.getByRole('button', { name: 'Create lead' }).click();
  await expect(page.getByRole('dialog').getByLabel('Email')).toHaveValue('john@acme.example');
  await page.getByRole('dialog').getByRole('button', { name: 'Create lead' }).click();
  await expect(page.getByText('Lead created successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'john@acme.example', level: 1 })).toBeVisible();
});

test('Messages from the contact form are stored, exported as CSV and followed up by the team', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await setSwitches(site, 'on');
  await page.goto('/contact');
  // The page still assumes that messages are stored. The input survives the rejected request.
  await setSwitches(site, 'off');
  await fillContactForm(page, 'kari@example.com');
  await expect(page.getByText('The contact form is disabled. Please send us an email instead.')).toBeVisible();
  await expect(page.getByLabel('Message')).toHaveValue('Can you help us in Bergen?');
  await setSwitches(site, 'on');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByText("Message sent! We'll get back to you soon.")).toBeVisible();
  await expect(page.getByLabel('Message')).toHaveValue('');
  const form = page.getByRole('form', { name: 'Contact' });
  const status = form.getByRole('status');
  await expect(status).toHaveText('Your message has been sent. We will reply by email to kari@example.com.');
  await expect(status).toBeInViewport({ ratio: 1 });
  await expect(form.getByRole('link', { name: 'How we treat your data' })).toHaveAttribute('href', '/privacy');
  await expectNoAxeViolations(page);
  const lead = await site.service.from('leads').select('name, page').eq('email', 'kari@example.com').throwOnError();
  expect(lead.data).toEqual([{ name: 'Kari Nordmann', page: '/contact' }]);
  await site.service.from('leads').update({ name: '=HYPERLINK("x")' }).eq('email', 'kari@example.com').throwOnError();

  await openAdmin(page, site, '/admin/leads?source=contact');
  await expect(page.getByText('1 lead', { exact: true })).toBeVisible();
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  const text = await readFile(await (await file).path(), 'utf8');
  expect(text).toContain(`contact,new,"'=HYPERLINK(""x"")",kari@example.com`);

  await signIn(page, site, await site.createUser({ role: 'team' }));
  await page.goto('/team-dashboard');
  const leads = page.getByRole('region', { name: 'Leads' });
  await leads.getByRole('listitem').filter({ hasText: 'kari@example.com' }).getByRole('button').click();
  const followUp = leads.getByRole('form');
  await followUp.getByLabel('Status').selectOption('Won');
  await expectNoAxeViolations(page);
  await followUp.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Lead updated successfully')).toBeVisible();
  const { data } = await site.service.from('leads').select('status').eq('email', 'kari@example.com').throwOnError();
  expect(data).toEqual([{ status: 'won' }]);
});

test('A visitor subscribes to the newsletter, confirms by email and unsubscribes', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await setSwitches(site, 'on');
  await page.goto('/contact');
  const form = page.getByRole('form', { name: 'Newsletter' });
  await form.getByLabel('Email address').fill('unknown');
  await form.getByRole('button', { name: 'Subscribe' }).click();
  await expect(form.getByText('Invalid email address')).toBeVisible();
  await expect(form.getByText('We use your address for the newsletter only.')).toHaveCount(0);
  await form.getByLabel('Email address').fill('ingrid@example.com');
  await form.getByRole('button', { name: 'Subscribe' }).click();
  await expect(form.getByText('Open the email that we sent to ingrid@example.com')).toBeInViewport({ ratio: 1 });

  const confirmationMail = await readNewestMail(site.dataFolder, 'ingrid@example.com', /Confirm your newsletter/);
  await page.goto(/newsletter\/confirm\?token=[0-9a-f]+/.exec(confirmationMail)?.[0].replace(/^/, '/') ?? '');
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0);
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Confirm my subscription' }).click();
  await expect(page.getByText('You are now subscribed to our newsletter.')).toBeFocused();

  await openAdmin(page, site, '/admin/leads/subscribers');
  await expect(page.getByRole('main').getByRole('listitem')).toContainText(['ingrid@example.com']);
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  const unsubscribePath =
    /\/newsletter\/unsubscribe\?token=\S+/.exec(await readFile(await (await file).path(), 'utf8'))?.[0] ?? '';

  await page.goto(unsubscribePath);
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(page.getByText('You will receive no more newsletters from us.')).toBeFocused();
  expect((await site.service.from('newsletter_subscribers').select()).data).toEqual([]);
});

test('The webhook page shows the next step and the state of the last request', async ({ page, site }) => {
  await site.service.from('site_settings').delete().eq('setting_key', 'lead_webhook_url').throwOnError();
  await openAdmin(page, site, '/admin/leads/webhook');
  const main = page.getByRole('main');
  const current = main.locator('[aria-current=step]');
  await expect(main.getByText('Off', { exact: true })).toBeVisible();
  await expect(current).toContainText('URL');
  await expect(main.getByRole('button', { name: 'Send a test' })).toHaveCount(0);
  await main.getByRole('link', { name: 'Set the URL' }).click();
  await page.getByLabel('Lead webhook').fill('https://hooks.invalid/leads');
  await page.locator('#lead_webhook_url').getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Setting updated successfully')).toBeVisible();
  await page.goto('/admin/leads/webhook');
  await expect(main.getByText('On', { exact: true })).toBeVisible();
  await expect(current).toContainText('Delivery');
  await main.getByRole('button', { name: 'Send a test' }).click();
  await expect(current).toContainText(/(Queued|Failed)Last request: /);
});
