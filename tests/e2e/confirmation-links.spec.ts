import type { Locator } from '@playwright/test';
import { findFreeTimes, saveAvailability } from '../support/booking.ts';
import { expect, expectNoAxeViolations, test, waitUntilHydrated } from '../support/e2e.ts';
import { readNewestMail } from '../support/outbox.ts';

// The browser logs the responses for a booking that requires proof and for an unavailable time.
test.use({ timezoneId: 'Europe/Oslo', allowedProblems: [/status of 4(28|09|04)/] });

test('Above the limit of calls, a visitor books through an emailed link, and selects another time if the first one is taken', async ({
  page,
  site,
}) => {
  await saveAvailability(site.service);
  const [now, day] = [Date.now(), 24 * 60 * 60 * 1000];
  const strangers = Array.from({ length: 150 }, (_, index) => ({
    slot: `[${new Date(now - (index + 2) * day).toISOString()},${new Date(now - (index + 1) * day).toISOString()})`,
    name: 'Stranger',
    email: `stranger-${index}@example.com`,
    time_zone: 'UTC',
    token_hash: index.toString(16).padStart(64, '0'),
  }));
  await site.service.from('bookings').insert(strangers).throwOnError();

  await page.goto('/#booking');
  const section = page.getByRole('region', { name: 'Ready to Scale Your Outbound?' });
  const times = page.getByRole('group', { name: /^Times on/ }).getByRole('radio');
  const readName = (time: Locator) => time.evaluate((radio) => radio.closest('label')?.textContent ?? '');
  const requestBooking = async (email: string) => {
    const time = await readName(times.first());
    await times.first().press('Space');
    await section.getByLabel('Name').fill('Kari Nordmann');
    await section.getByLabel('Email').fill(email);
    await section.getByRole('button', { name: 'Book this time' }).click();
    await expect(section.getByRole('heading', { name: 'Open the email to book' })).toBeFocused();
    return time;
  };
  const heldTime = await requestBooking('kari@example.com');
  await expect(section.getByRole('status')).toContainText('We have sent a link to kari@example.com. Open it before');
  await expectNoAxeViolations(page);
  await section.getByRole('button', { name: 'Send the link again' }).click();
  await expect(section.getByRole('status')).toContainText('We have sent another link');
  await section.getByRole('button', { name: 'Choose another time' }).click();
  // The old times are shown until the new times have loaded.
  await expect.poll(() => readName(times.first())).not.toBe(heldTime);
  await times.first().press('Space');
  await expect(section.getByLabel('Name')).toHaveValue('Kari Nordmann');

  const readMailedLink = async (email: string) => {
    const mail = await readNewestMail(site.dataFolder, email, /Confirm your call within 15 minutes/);
    return /\/booking\/[0-9a-f]{64}/.exec(mail)?.[0] ?? '';
  };
  await page.goto(await readMailedLink('kari@example.com'));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm your call');
  await expectNoAxeViolations(page);
  expect((await site.service.from('bookings').select().eq('name', 'Kari Nordmann')).data).toEqual([]);
  await page.getByRole('button', { name: 'Book this call' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your call is booked');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your call is booked');

  await page.goto('/#booking');
  await requestBooking('ada@example.com');
  const link = await readMailedLink('ada@example.com');
  const [time] = (await site.service.from('bookings').select('starts_at').eq('name', 'Kari Nordmann')).data ?? [];
  const [freeTime = ''] = await findFreeTimes(site.service, 1);
  expect(time?.['starts_at']).not.toBe(freeTime);
  // Another visitor books the time first.
  const { data } = await site.service.rpc('read_booking', { _token: link.slice('/booking/'.length) }).throwOnError();
  const takenBooking = { ...strangers[0], slot: `[${data.starts_at},${data.ends_at})`, token_hash: 'f'.repeat(64) };
  await site.service.from('bookings').insert(takenBooking).throwOnError();
  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This time is no longer available');
  await times.first().press('Space');
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: /^Book [A-Z]/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your call is booked');
});

test('Above the limit of messages, a message is sent once through an emailed link', async ({ page, site }) => {
  const setting = { setting_key: 'keep_contact_messages', setting_value: 'on' };
  await site.service.from('site_settings').upsert(setting, { onConflict: 'setting_key' }).throwOnError();
  for (let index = 0; index < 500; index++) {
    const message = { _source: 'contact', _email: `s${index}@example.com`, _name: 'Stranger', _message: 'Hello' };
    await site.service.rpc('submit_lead', message).throwOnError();
  }
  await page.goto('/contact');
  const form = await waitUntilHydrated(page.getByRole('form', { name: 'Contact' }));
  await form.getByLabel('Name').fill('Liv Hansen');
  await form.getByLabel('Email').fill('liv@example.com');
  await form.getByLabel('Message').fill('Can you help us in Bergen?');
  await form.getByRole('button', { name: 'Send message' }).click();
  await expect(form.getByRole('status')).toContainText('We sent a link to liv@example.com');
  await expect(form.getByLabel('Message')).toHaveValue('Can you help us in Bergen?');
  await expectNoAxeViolations(page);

  const mail = await readNewestMail(site.dataFolder, 'liv@example.com', /Confirm your message within 15 minutes/);
  const link = /\/contact\/confirm\/[0-9a-f]{64}/.exec(mail)?.[0] ?? '';
  const response = await page.goto(link);
  expect(response?.headers()['cache-control']).toContain('no-store');
  await expect(page.getByRole('button', { name: 'Send my message' })).toBeVisible();
  await expectNoAxeViolations(page);
  const leads = async () => (await site.service.from('leads').select('message').eq('email', 'liv@example.com')).data;
  expect(await leads()).toEqual([]);
  await page.getByRole('button', { name: 'Send my message' }).click();
  await expect(page.getByText('Thank you. We received your message')).toBeFocused();
  expect(await leads()).toEqual([{ message: 'Can you help us in Bergen?' }]);
  await page.reload();
  await page.getByRole('button', { name: 'Send my message' }).click();
  await expect(page.getByText('This link has already been used')).toBeFocused();
});
