/** Pages that the browser has translated. Translation replaces each text node, so React must not depend on it. */
import { saveAvailability } from '../support/booking.ts';
import { expect, test, waitUntilHydrated } from '../support/e2e.ts';
import { translatePage } from '../support/translate-page.ts';

// The browser logs the response to a wrong password.
test.use({ allowedProblems: [/status of 400/] });

const toast = '[data-sonner-toast][data-front=true]';

test('The contact form shows its errors and sends on a translated page', async ({ page }) => {
  await page.goto('/contact');
  const form = page.getByRole('form', { name: /Contact/ });
  await waitUntilHydrated(form.getByLabel('Name'));
  await translatePage(page);
  await form.getByRole('button').click();
  await expect(page.locator(toast)).toContainText('Name is required');
  await form.getByLabel('Name').fill('Kari');
  await form.getByLabel('Email').fill('kari@example.com');
  await form.getByLabel('Message').fill('Hello');
  await form.getByRole('button').click();
  await expect(page.locator(toast)).toContainText("Message sent! We'll get back to you soon.");
  await expect(form.getByLabel('Message')).toHaveValue('');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('A call can be booked on a translated page', async ({ page, site }) => {
  await saveAvailability(site.service);
  await page.goto('/#booking');
  const section = page.locator('#booking');
  await expect(section.getByRole('radio').first()).toBeVisible();
  await translatePage(page);
  await section.getByRole('radio').last().press('Space');
  const bookButton = section.getByRole('button', { name: 'Book this time' });
  await bookButton.click();
  await expect(section.getByText('Name is required')).toBeVisible();
  await section.getByLabel('Name').fill('Kari');
  await section.getByLabel('Email').fill('kari@example.com');
  await bookButton.click();
  await expect(section.getByRole('heading', { name: 'Your call is booked' })).toBeVisible();
  const { data } = await site.service.from('bookings').select('name').eq('email', 'kari@example.com').throwOnError();
  expect(data).toEqual([{ name: 'Kari' }]);
});

test('On a translated page, sign-in reports a wrong password and accepts the right one', async ({ page, site }) => {
  const { email, password } = await site.createUser({ role: 'client' });
  await page.goto('/auth');
  const field = await waitUntilHydrated(page.getByRole('main').getByLabel('Email'));
  await translatePage(page);
  await field.fill(email);
  const submit = page.locator('main form button[type=submit]');
  await page.locator('input[name=password]').fill('Password-2');
  await submit.click();
  await expect(page.locator(toast)).toContainText('Sign in failed');
  await page.locator('input[name=password]').fill(password);
  await submit.click();
  await expect(page).toHaveURL(/\/client-dashboard$/);
  await expect(page.getByText(email).first()).toBeVisible();
});
