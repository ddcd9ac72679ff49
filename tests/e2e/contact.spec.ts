import type { Page } from '@playwright/test';
import { expect, test, waitUntilHydrated } from '../support/e2e.ts';

async function openForm(page: Page) {
  await page.goto('/contact');
  const form = await waitUntilHydrated(page.getByRole('form', { name: 'Contact' }));
  return {
    name: form.getByLabel('Name'),
    email: form.getByLabel('Email'),
    message: form.getByLabel('Message'),
    sendButton: form.getByRole('button'),
  };
}

test('A valid message is reported as sent without a call, and the form is cleared', async ({ page }) => {
  await page.clock.install({ time: 0 });
  const { name, email, message, sendButton } = await openForm(page);
  await name.fill('Kari Nordmann');
  await email.fill('kari@example.com');
  await message.fill('Hello there');
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') calls.push(request.url());
  });
  await page.clock.pauseAt(3_600_000);
  await sendButton.click();
  await expect(sendButton).toBeDisabled();
  await page.clock.runFor(999);
  await expect(sendButton).toBeDisabled();
  await expect(sendButton).toBeFocused();
  await page.clock.resume();
  await expect(page.getByText("Message sent! We'll get back to you soon.")).toBeVisible();
  for (const field of [name, email, message]) await expect(field).toHaveValue('');
  await expect(sendButton).toBeFocused();
  expect(calls).toEqual([]);
});

test('The form is rendered by the server, shows the first error in a toast and keeps the input', async ({
  page,
  request,
}) => {
  expect(await (await request.get('/contact')).text()).toContain('Send message');
  const { name, email, message, sendButton } = await openForm(page);
  await expect(page).toHaveTitle('Contact · Signalfjord');
  const toast = page.locator('[data-sonner-toast][data-front=true]');
  await email.fill('kari@');
  await message.fill('Kept');
  await sendButton.click();
  await expect(toast).toContainText('Name is required');
  await expect(message).toHaveValue('Kept');
  await name.fill('Kari');
  await sendButton.click();
  await expect(toast).toContainText('Invalid email address');
  await email.fill('kari@example.com');
  await message.fill('a'.repeat(1001));
  await sendButton.click();
  await expect(toast).toContainText('Message must be less than 1000 characters');
  await expect(name).toHaveValue('Kari');
  await expect(email).toHaveValue('kari@example.com');

  await name.fill('Kari & Ola');
  await message.fill('Two lines:\nhere');
  await expect(page.getByRole('link', { name: 'Open as an email draft' })).toHaveAttribute(
    'href',
    /^mailto:\S+@\S+\?subject=Message%20from%20Kari%20%26%20Ola&body=Two%20lines%3A%0Ahere$/,
  );
});

test('The contact page names the first four team members, the reply time and the questions', async ({ page, site }) => {
  await page.goto('/contact');
  const section = page.getByRole('region', { name: 'Write to us' });
  await expect(section.getByRole('listitem')).toHaveCount(4);
  await expect(section.getByText(/^We reply/)).toHaveCount(0);
  await expect(section.getByRole('link', { name: 'Questions and answers' })).toHaveCount(0);
  const reply = { setting_key: 'answer_time', setting_value: 'within one working day' };
  const faq = { setting_key: 'faq_on_contact', setting_value: 'on' };
  await site.service.from('site_settings').upsert([reply, faq], { onConflict: 'setting_key' }).throwOnError();
  await site.service.from('faq').insert({ question: 'Where?', answer: 'Here.', status: 'published' }).throwOnError();
  const extra = { name: 'Fifth Person', position: 'Research', status: 'published', display_order: 99 };
  await site.service.from('team_members').insert(extra).throwOnError();
  await page.goto('/contact');
  await expect(section.getByText('We reply within one working day.')).toBeVisible();
  await expect(section.getByText('Fifth Person')).toHaveCount(0);
  await section.getByRole('link', { name: 'Questions and answers' }).click();
  await expect(page.getByRole('region', { name: 'Questions and answers' })).toBeInViewport();
});

test.describe('The contact form without JavaScript', () => {
  // Chromium logs an error for each script that it does not load.
  test.use({ javaScriptEnabled: false, allowedProblems: [/\.js csp$/] });

  test('cannot be sent and shows what to do instead', async ({ page, site }) => {
    await page.goto('/contact');
    const form = page.getByRole('form', { name: 'Contact' });
    await form.getByLabel('Name').fill('Kari Nordmann');
    await form.getByLabel('Name').press('Enter');
    await expect(form.getByRole('button')).toBeHidden();
    // Playwright's text locators ignore noscript elements.
    const hint = form.locator('noscript p');
    await expect(hint).toBeVisible();
    expect(await hint.innerText()).toBe('This form needs JavaScript. Please write an email instead.');
    expect(page.url()).toBe(`${site.url}/contact`);
  });
});
