import type { Page } from '@playwright/test';
import { addDays, dayOf, formatDay, startOfWeek } from '../../app/ui/lib/zoned-times.ts';
import { openAdmin } from '../support/admin-session.ts';
import { saveAvailability } from '../support/booking.ts';
import { findChat, test } from '../support/chat.ts';
import { expect, expectNoAxeViolations } from '../support/e2e.ts';
import { reply } from '../support/fake-upstream.ts';
import { readNewestMail } from '../support/outbox.ts';

// The browser logs the responses for an unavailable time and an invalid booking.
test.use({ timezoneId: 'America/New_York', allowedProblems: [/status of 40[49]/] });

const hourInOslo = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Oslo', hour: '2-digit', hourCycle: 'h23' });

test.beforeEach(async ({ site }) => {
  // The notice period ends at midnight after tomorrow, so that the first bookable day is always complete.
  const notice = 48 - Number(hourInOslo.format(new Date()));
  await saveAvailability(site.service, { _hours: [], _notice_minutes: notice * 60 });
  await site.service.from('bookings').delete().neq('name', '').throwOnError();
});

/** Records the API calls of a page. */
function recordApiCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.includes('/v1/')) calls.push(pathname);
  });
  return calls;
}

const section = (page: Page) => page.getByRole('region', { name: 'Ready to Scale Your Outbound?' });
const findTimes = (page: Page) => page.getByRole('group', { name: /^Times on/ }).getByRole('radio');

/** Selects the time with the keyboard only. @returns its label */
async function chooseTime(page: Page, position: number): Promise<string> {
  const time = findTimes(page).nth(position);
  await time.press('Space');
  await expect(time).toBeChecked();
  return (await time.getAttribute('aria-label')) ?? '';
}

test('If no hours are saved, the section shows its placeholder and makes no calls', async ({ page }) => {
  const calls = recordApiCalls(page);
  await page.goto('/#booking');
  await expect(section(page)).toContainText('The scheduling calendar appears here.');
  await page.waitForLoadState('networkidle');
  expect(calls).toEqual([]);
});

test('An admin can edit the week with the pointer or keys, and enter other minutes', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/bookings?tab=availability');
  const grid = page.getByRole('grid', { name: 'Weekly hours' });
  const cell = (name: string) => grid.getByRole('gridcell', { name });
  const middle = async (name: string) => {
    const { x, y, width, height } = (await cell(name).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    return [x + width / 2, y + height / 2] as const;
  };
  const dragCells = async (from: string, to: string) => {
    // The save bar covers the end of the viewport.
    await grid.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
    await page.mouse.move(...(await middle(from)));
    await page.mouse.down();
    await page.mouse.move(...(await middle(to)), { steps: 4 });
    await page.mouse.up();
  };
  await dragCells('Monday 09:00', 'Friday 15:30');
  await expect(page.getByLabel('Friday, to')).toHaveValue('16:00');
  await dragCells('Wednesday 12:30', 'Tuesday 12:00');
  await expect(page.getByLabel('Tuesday, to')).toHaveCount(2);
  await expect(page.getByLabel('Tuesday, from').last()).toHaveValue('13:00');
  await expect(cell('Wednesday 12:00')).toHaveAttribute('aria-selected', 'false');
  await expect(cell('Thursday 12:00')).toHaveAttribute('aria-selected', 'true');

  await cell('Saturday 10:00').click();
  await expect(page.getByLabel('Saturday, to')).toHaveValue('10:30');
  // The second key press arrives before the page has rendered the first, as on a busy machine.
  await page.evaluate(async () => {
    const press = { key: 'ArrowRight', shiftKey: true, bubbles: true, cancelable: true };
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', press));
    await Promise.resolve();
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', press));
  });
  for (const key of ['ArrowDown', 'Space']) await page.keyboard.press(key);
  await expect(page.getByLabel('Saturday, to')).toHaveValue('11:30');
  await expect(page.getByLabel('Sunday, from')).toHaveValue('11:00');
  await expect(cell('Sunday 11:00')).toBeFocused();
  const ring = await cell('Sunday 11:00').evaluate((element) => {
    const { outlineColor, backgroundColor, outlineStyle } = getComputedStyle(element);
    return { isDrawn: outlineStyle !== 'none', differs: outlineColor !== backgroundColor };
  });
  expect(ring).toEqual({ isDrawn: true, differs: true });
  await page.getByLabel('Sunday, from').fill('11:10');
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Availability saved')).toBeVisible();
  const { data } = await site.service.from('availability').select('starts_at, ends_at').eq('weekday', 7).throwOnError();
  expect(data).toEqual([{ starts_at: '11:10:00', ends_at: '11:30:00' }]);
  // Times are not cut off beside the sidebar of a tablet.
  await page.setViewportSize({ width: 834, height: 1112 });
  const width = async () => (await page.getByLabel('Sunday, from').boundingBox())?.width;
  await expect.poll(width).toBeGreaterThan(90);
});

test('The calendars tab shows the steps for one calendar program at a time', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/bookings?tab=calendars');
  const steps = page.getByText('copy the secret address in iCal format');
  await expect(steps).toBeHidden();
  await page.getByText('Google Calendar', { exact: true }).last().click();
  await expect(steps).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByText('Apple Calendar', { exact: true }).last().click();
  await expect(page.getByText('Select Public Calendar')).toBeVisible();
  await expect(steps).toBeHidden();
});

test('A visitor can book, move and cancel a call within the hours that an admin set', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/bookings');
  await page.getByRole('link', { name: 'Set hours' }).click();
  await expect(page.getByLabel('Where the call happens')).toBeVisible();
  // On the availability tab, the notice has no link to this tab.
  await expect(page.getByRole('link', { name: 'Set hours' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Mon to Fri, 9 to 16 with a break at 12' }).click();
  await expect(page.getByLabel('Friday, from')).toHaveCount(2);
  await page.getByRole('button', { name: 'Mon to Fri, 9 to 12' }).click();
  await expect(page.getByLabel('Friday, from')).toHaveCount(1);
  await page.getByRole('button', { name: 'Copy Monday’s hours to other days' }).click();
  await page.getByRole('menuitem', { name: 'Every day' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Copy Monday’s hours to other days' })).toBeFocused();
  await expect(page.getByLabel('Sunday, to')).toHaveValue('12:00');
  await expect(page.getByRole('button', { name: 'Save Changes' })).toBeInViewport();
  await page.getByLabel('Where the call happens').fill('We call you');
  await page.getByLabel('Monday, to').fill('08:00');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('The end must be later than the start.')).toBeVisible();
  await page.getByLabel('Monday, to').fill('15:00');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Availability saved')).toBeVisible();
  await expectNoAxeViolations(page);

  await page.goto('/#booking');
  await expect(page.getByLabel('Time zone')).toHaveValue('America/New_York');
  await expect(section(page).getByText(/^\d\d?( \w{3,4})? – \d\d? \w{3,4}$/)).toBeVisible();
  const bookedTime = await chooseTime(page, 0);
  await page.getByRole('button', { name: 'Book this time' }).click();
  await expect(page.getByText('Name is required')).toBeVisible();
  await expect(section(page).getByRole('link', { name: 'How we treat your data' })).toHaveAttribute('href', '/privacy');
  await section(page).getByLabel('Name').fill('Ada Lovelace');
  await section(page).getByLabel('Email').fill('ada@example.com');
  await expectNoAxeViolations(page);
  const { data: free } = await site.service
    .rpc('free_slots', { _from: new Date().toISOString(), _to: new Date(Date.now() + 10 * 86_400_000).toISOString() })
    .throwOnError();
  const call = { _starts_at: free[0].starts_at, _name: 'Faster', _email: 'faster@example.com' };
  await site.service.rpc('book', call).throwOnError();
  await page.getByRole('button', { name: 'Book this time' }).click();
  await expect(section(page).getByRole('alert')).toContainText('This time was just taken.');
  await expect(findTimes(page).first()).not.toHaveAccessibleName(bookedTime);
  await chooseTime(page, 1);
  await expect(section(page).getByLabel('Name')).toHaveValue('Ada Lovelace');
  await page.getByRole('button', { name: 'Book this time' }).click();
  const heading = page.getByRole('heading', { name: 'Your call is booked' });
  await expect(heading).toBeFocused();
  // The heading is near the middle of the viewport, where the longer form was.
  const top = async () => (await heading.boundingBox())?.y;
  await expect.poll(top).toBeGreaterThan(100);
  await expect.poll(top).toBeLessThan(page.viewportSize()?.height ?? 0);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Add to calendar' }).click();
  expect((await download).suggestedFilename()).toBe('call.ics');
  const mail = await readNewestMail(site.dataFolder, 'ada@example.com', /Your call is booked/);
  expect(mail).toContain('method=REQUEST');

  const token = /\/booking\/([0-9a-f]{64})/.exec(mail)?.[1];
  const response = await page.goto(`/booking/${token}`);
  expect(response?.headers()['cache-control']).toContain('no-store');
  await expect(page.getByText('We call you')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Add to calendar' })).toHaveClass(/bg-accent/);
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  await page.getByRole('button', { name: 'Choose another time' }).click();
  const newTime = await chooseTime(page, 2);
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: /^Move to / }).click();
  await expect(page.getByText('Your call was moved')).toBeVisible();
  await expect(page.getByRole('time')).toContainText(newTime);

  await openAdmin(page, site, '/admin/bookings?tab=list');
  await expect(page.getByRole('heading', { name: 'Ada Lovelace' })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.goto(`/booking/${token}`);
  await page.getByRole('button', { name: 'Cancel the call' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel the call' }).click();
  await expect(page.getByRole('heading', { name: 'Your call is cancelled' })).toBeVisible();
  let readCount = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/rpc/read_booking')) readCount++;
  });
  await page.goto(`/booking/${'0'.repeat(64)}`);
  await expect(page.getByRole('alert')).toContainText('Booking not found.');
  expect(readCount).toBe(1);
});

test('The assistant’s booking link shows three free times, and a visitor books one in the chat', async ({
  page,
  site,
  upstream,
}) => {
  await saveAvailability(site.service);
  upstream.behave(reply('Gladly: [book a call](/#booking).'));
  const chat = findChat(page);
  await page.goto('/services');
  await chat.open();
  await chat.ask('Can I talk to somebody?');
  const offer = chat.window.getByRole('group', { name: 'Free times (America/New York)' });
  const day = /^\w{3} \d\d? \w{3,4}, \d\d:\d\d$/;
  await expect(offer.getByRole('button')).toHaveText([day, day, day, 'More times']);
  await expect(offer.getByRole('button').first()).toHaveCSS('height', '40px');
  await offer.getByRole('button').nth(1).click();
  await expect(chat.window.getByLabel('Name')).toBeFocused();
  await chat.window.getByRole('button', { name: 'Back' }).click();
  await expect(offer.getByRole('button').first()).toBeFocused();
  await offer.getByRole('button').nth(1).click();
  await expect(chat.window.getByRole('link', { name: 'How we treat your data' })).toHaveAttribute('target', '_blank');
  await chat.window.getByLabel('Name').fill('Grace');
  await chat.window.getByLabel('Email').fill('grace@example.com');
  await chat.window.getByRole('button', { name: 'Book this time' }).click();
  await expect(chat.window.getByText('Please agree first')).toBeVisible();
  await chat.window.getByRole('checkbox').check();
  await expectNoAxeViolations(page);
  await chat.window.getByRole('button', { name: 'Book this time' }).click();
  await expect(chat.window.getByRole('heading', { name: 'Your call is booked' })).toBeVisible();
  const { data } = await site.service.from('bookings').select('name, time_zone').eq('email', 'grace@example.com');
  expect(data).toEqual([{ name: 'Grace', time_zone: 'America/New_York' }]);
});

test('Times of next week are offered on request, and opening a second booking form keeps the input of the first', async ({
  page,
  site,
  upstream,
}) => {
  const settings = site.service.from('site_settings');
  await settings.insert({ setting_key: 'leads_from_chat', setting_value: 'on' }).throwOnError();
  await saveAvailability(site.service);
  upstream.behave(reply('Times for a call: [book a call](/#booking).'));
  const chat = findChat(page);
  await page.goto('/services');
  await chat.open();
  await chat.ask('Can I book a call next week? I am ada@example.com.');
  const monday = addDays(startOfWeek(dayOf(new Date().toISOString(), 'America/New_York')), 7);
  await expect(chat.log.getByText('Times for a call')).toBeVisible();
  await expect(chat.input).toBeEnabled();
  await chat.ask('About lead generation.');
  await expect(chat.log.getByText('Times for a call')).toHaveCount(2);
  const times = chat.window.getByRole('group', { name: 'Free times next week (America/New York)' }).getByRole('button');
  for (const index of [0, 1, 2]) {
    const day = formatDay(addDays(monday, index), { weekday: 'short', day: 'numeric', month: 'short' });
    await expect(times.nth(index)).toContainText(day.replace(',', ''));
  }

  // More times stay within the requested week.
  await times.last().click();
  await expect(times).toHaveCount(12);
  await expect(page).toHaveURL(/\/services$/);

  const forms = chat.log.getByRole('form');
  await chat.window.getByRole('button', { name: 'Yes', exact: true }).click();
  await expect(forms.getByLabel('Email')).toBeFocused();
  await forms.getByLabel('Time (optional)').fill('After 14:00');
  await times.first().click();
  await expect(forms.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Ada');
  await expect(forms).toHaveCount(1);
  await expect(forms.getByText(/these details/)).toHaveCount(1);
  await chat.window.getByRole('button', { name: 'Yes', exact: true }).click();
  await expect(forms).toHaveCount(1);
  await expect(forms.getByLabel('Email')).toBeFocused();
  await expect(forms.getByLabel('Time (optional)')).toHaveValue('After 14:00');
  await chat.ask('Or rather this week?');
  await chat.window.getByRole('group', { name: 'Free times (America/New York)' }).getByRole('button').first().click();
  await expect(forms.getByLabel('Name')).toHaveValue('Ada');
  await settings.delete().eq('setting_key', 'leads_from_chat').throwOnError();
});
