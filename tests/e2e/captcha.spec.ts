/** The captcha in the forms of the site. The provider is faked in the browser, and its verification API on loopback. */
import type { Page } from '@playwright/test';
import { saveAvailability } from '../support/booking.ts';
import {
  expect,
  expectNoAxeViolations,
  expectNoHorizontalScroll,
  type Site,
  test,
  waitUntilHydrated,
} from '../support/e2e.ts';
import { startFakeCaptcha } from '../support/fake-captcha.ts';
import { stubCaptchaWidget } from '../support/fake-captcha-widget.ts';
import { readNewestMail } from '../support/outbox.ts';
import { readViolations, watchPolicy } from '../support/policy-violations.ts';

test.use({
  timezoneId: 'Europe/Oslo',
  environment: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      const provider = await startFakeCaptcha();
      await use({
        CAPTCHA_PROVIDER: 'turnstile',
        CAPTCHA_SECRET: 'geheim',
        CAPTCHA_SITE_KEY: '0x4AAA-test',
        CAPTCHA_URL: provider.url,
      });
      await provider.close();
    },
    { scope: 'worker' },
  ],
  // The provider's host is requested. The browser logs the other messages.
  allowedProblems: [
    /^request to another host: https:\/\/challenges\.cloudflare\.com\/|status of 4(00|28)|ERR_BLOCKED_BY_CLIENT/,
  ],
});

test.beforeEach(({ page }) => watchPolicy(page));
test.afterEach(async ({ page }) => expect(await readViolations(page)).toEqual([]));

const captcha = (page: Page) => page.getByRole('dialog', { name: 'Please complete this check' });

async function submitSignIn(page: Page, email: string, password: string) {
  await (await waitUntilHydrated(page.getByRole('main').getByLabel('Email'))).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('Sign-in loads the captcha only when the form is sent', async ({ page, site }) => {
  const { email, password } = await site.createUser({ role: 'client' });
  const widget = await stubCaptchaWidget(page);
  const response = await page.goto('/auth');
  const policy = response?.headers()['content-security-policy'] ?? '';
  expect(policy.match(/[a-z-]+ [^;]*cloudflare[^;]*/g)).toEqual([
    expect.stringMatching(/^script-src 'self' .* https:\/\/challenges\.cloudflare\.com$/),
    expect.stringMatching(/^frame-src 'self' .*https:\/\/challenges\.cloudflare\.com$/),
  ]);
  await waitUntilHydrated(page.getByRole('main').getByLabel('Email'));
  await page.waitForLoadState('networkidle');
  expect(widget.requestedPaths).toEqual([]);

  await submitSignIn(page, email, password);
  await expect(captcha(page)).toBeFocused();
  await expect(captcha(page)).toContainText('Provided by Cloudflare Turnstile');
  await expect(widget.frame.getByRole('button', { name: 'I am a person' })).toBeVisible();
  expect(widget.requestedPaths).toEqual([
    '/turnstile/v0/api.js?render=explicit&onload=captchaIsReady',
    '/widget?theme=light&key=0x4AAA-test',
  ]);
  await expectNoAxeViolations(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);

  // Only the widget can be reached with the keyboard, not the page behind it.
  await page.keyboard.press('Tab');
  await expect(widget.frame.getByRole('button', { name: 'I am a person' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/client-dashboard');
});

test('Closing the captcha keeps the input, and a rejected captcha can be repeated', async ({ page, site }) => {
  const { email, password } = await site.createUser({ role: 'client' });
  const widget = await stubCaptchaWidget(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/auth');
  await submitSignIn(page, email, password);
  await expect(widget.frame.getByRole('button', { name: 'Guess' })).toBeVisible();
  expect(widget.requestedPaths.at(-1)).toBe('/widget?theme=dark&key=0x4AAA-test');
  await expectNoAxeViolations(page);
  await captcha(page).press('Escape');
  await expect(captcha(page)).toHaveCount(0);
  await expect(page.getByText('You closed the check, so nothing was sent.').first()).toBeVisible();
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(password);

  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
  await widget.frame.getByRole('button', { name: 'Guess' }).click();
  await expect(page.getByText('The check was not accepted. Please try again.').first()).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
  await widget.frame.getByRole('button', { name: 'I am a person' }).click();
  await expect(page).toHaveURL('/client-dashboard');
});

test('Sign-up and link requests require a captcha', async ({ page, site }) => {
  const widget = await stubCaptchaWidget(page);
  const email = `person-${crypto.randomUUID().slice(0, 8)}@example.com`;
  await page.goto('/auth');
  await (await waitUntilHydrated(page.getByRole('button', { name: 'Email me a sign-in link' }))).click();
  await page.getByRole('main').getByLabel('Email').fill('admin@example.com');
  await page.getByRole('button', { name: 'Send sign-in link' }).click();
  await widget.frame.getByRole('button', { name: 'I am a person' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your email');
  await readNewestMail(site.dataFolder, 'admin@example.com', /sign-in link/i);

  await page.goto('/auth?screen=sign-up');
  await (await waitUntilHydrated(page.getByRole('main').getByLabel('Email'))).fill(email);
  await page.getByLabel('Password', { exact: true }).fill('Fjord-2026-signal');
  await page.getByRole('main').getByRole('button', { name: 'Sign up', exact: true }).click();
  await widget.frame.getByRole('button', { name: 'I am a person' }).click();
  await expect(page).toHaveURL('/client-dashboard');
});

/** Creates as many messages as are accepted per day without proof. */
async function useUpMessages({ service }: Site) {
  const setting = { setting_key: 'keep_contact_messages', setting_value: 'on' };
  await service.from('site_settings').upsert(setting, { onConflict: 'setting_key' }).throwOnError();
  for (;;) {
    const message = { _source: 'contact', _email: 's@example.com', _name: 'Stranger', _message: 'Hello' };
    const { error } = await service.rpc('submit_lead', message);
    if (error?.code === 'PT428') return;
  }
}

async function sendMessage(page: Page, email: string) {
  const form = await waitUntilHydrated(page.getByRole('form', { name: 'Contact' }));
  await form.getByLabel('Name').fill('Liv Hansen');
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Message').fill('Can you help us in Bergen?');
  await form.getByRole('button', { name: 'Send message' }).click();
  return form;
}

test('Above the daily limit, a message requires a captcha or an emailed confirmation', async ({ page, site }) => {
  await useUpMessages(site);
  const widget = await stubCaptchaWidget(page);
  await page.goto('/contact');
  const form = await sendMessage(page, 'liv@example.com');
  await expect(captcha(page)).toContainText('We are receiving many messages.');
  await expect(widget.frame.getByRole('button', { name: 'Guess' })).toBeVisible();
  await expectNoAxeViolations(page);
  await widget.frame.getByRole('button', { name: 'Wait' }).click();
  await expect(captcha(page).getByRole('alert')).toHaveText('The check has expired. Please complete it again.');
  await widget.frame.getByRole('button', { name: 'Guess' }).click();
  await expect(captcha(page).getByRole('alert')).toHaveText('The check was not accepted. Please complete it again.');
  await widget.frame.getByRole('button', { name: 'I am a person' }).click();
  await expect(form.getByRole('status')).toContainText('Your message has been sent. We will reply by email to liv@');
  const readLeads = async (email: string) =>
    (await site.service.from('leads').select('message').eq('email', email)).data;
  expect(await readLeads('liv@example.com')).toEqual([{ message: 'Can you help us in Bergen?' }]);

  await sendMessage(page, 'ada@example.com');
  await captcha(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('You closed the check, so nothing was sent.')).toBeVisible();
  await expect(form.getByLabel('Message')).toHaveValue('Can you help us in Bergen?');
  await form.getByRole('button', { name: 'Send message' }).click();
  await captcha(page).getByRole('button', { name: 'Email me a link instead' }).click();
  await expect(form.getByRole('status')).toContainText('We sent a link to ada@example.com');
  await readNewestMail(site.dataFolder, 'ada@example.com', /Confirm your message within 15 minutes/);
  expect(await readLeads('ada@example.com')).toEqual([]);
});

test('If the provider is blocked, the captcha offers a retry and the emailed link', async ({ page, site }) => {
  await useUpMessages(site);
  const widget = await stubCaptchaWidget(page);
  widget.block(true);
  await page.goto('/contact');
  const form = await sendMessage(page, 'kari@example.com');
  await expect(captcha(page).getByRole('alert')).toContainText('A content blocker or your network may be blocking it.');
  await expectNoAxeViolations(page);
  widget.block(false);
  await captcha(page).getByRole('button', { name: 'Try again' }).click();
  await widget.frame.getByRole('button', { name: 'Break' }).click();
  await expect(captcha(page).getByRole('alert')).toContainText('The security check could not load.');
  await captcha(page).getByRole('button', { name: 'Email me a link instead' }).click();
  await expect(form.getByRole('status')).toContainText('We sent a link to kari@example.com');
});

test('Above the daily limit of calls, a booking requires a captcha', async ({ page, site }) => {
  await saveAvailability(site.service);
  const [now, day] = [Date.now(), 24 * 60 * 60 * 1000];
  const bookings = Array.from({ length: 150 }, (_, index) => ({
    slot: `[${new Date(now - (index + 2) * day).toISOString()},${new Date(now - (index + 1) * day).toISOString()})`,
    name: 'Stranger',
    email: `stranger-${index}@example.com`,
    time_zone: 'UTC',
    token_hash: index.toString(16).padStart(64, '0'),
  }));
  await site.service.from('bookings').insert(bookings).throwOnError();
  const widget = await stubCaptchaWidget(page);
  await page.goto('/#booking');
  const section = page.getByRole('region', { name: 'Ready to Scale Your Outbound?' });
  await section
    .getByRole('group', { name: /^Times on/ })
    .getByRole('radio')
    .first()
    .press('Space');
  await section.getByLabel('Name').fill('Kari Nordmann');
  await section.getByLabel('Email').fill('kari@example.com');
  await section.getByRole('button', { name: 'Book this time' }).click();
  await expect(captcha(page)).toContainText('Many calls are being booked.');
  await widget.frame.getByRole('button', { name: 'I am a person' }).click();
  await expect(section.getByRole('heading', { name: 'Your call is booked' })).toBeFocused();
});
