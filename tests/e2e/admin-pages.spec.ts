import type { Page } from '@playwright/test';
import { picture } from '../../packages/backend/tests/support/sample-files.ts';
import { openAdmin } from '../support/admin-session.ts';
import {
  dragOnto,
  expect,
  expectNoAxeViolations,
  expectNoHorizontalScroll,
  moveDown,
  type Site,
  test,
} from '../support/e2e.ts';

test.use({ starterContent: false });

const preview = (page: Page) => page.frameLocator('iframe[title="Preview"]');
const saveForm = (page: Page) => page.getByRole('button', { name: 'Save Changes' }).click();
const expectVisible = (page: Page, text: string) => expect(page.getByText(text, { exact: true })).toBeVisible();

/** Opens an editor without saved content. */
async function openEditor(page: Page, site: Site, path: string): Promise<void> {
  await site.service.from('page_content').delete().neq('page_slug', '').throwOnError();
  await openAdmin(page, site, path);
  await expect(page.getByRole('button', { name: 'Save Changes' })).toBeVisible();
}

async function readContent(site: Site, page: string, section: string): Promise<unknown> {
  const { data } = await site.service
    .from('page_content')
    .select()
    .eq('page_slug', page)
    .eq('section_name', section)
    .single()
    .throwOnError();
  expect(data.content_type).toBe('json');
  return JSON.parse(data.content);
}

test('Cards link to the editors, and each editor has its tabs', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/pages');
  await page.getByRole('link', { name: /^Page Headers/ }).click();
  await expect(page).toHaveURL('/admin/pages/headers');
  await expect(page.getByRole('tab')).toHaveText([
    'About',
    'Services',
    'Projects',
    'News',
    'Contact',
    'Domain check',
    'Questions',
  ]);
  await page.getByRole('link', { name: 'All pages' }).click();
  await page.getByRole('link', { name: /^About: Story, Team and Careers/ }).click();
  await expect(page).toHaveURL('/admin/pages/about');
  await expect(page.getByRole('tab')).toHaveText(['Story', 'Team', 'Careers']);
  await page.getByRole('link', { name: 'All pages' }).click();
  await page.getByRole('link', { name: /^Home Page/ }).click();
  const sections = page.getByRole('tablist', { name: 'Sections' }).getByRole('tab');
  const mainSections = ['Hero', 'Logo Banner', 'USPs', 'Testimonials', 'Booking', 'Footer'];
  await expect(sections).toHaveText([
    ...mainSections,
    'Feature Tiles',
    'Section Intros',
    'Order',
    'Sequence',
    'Deliverability',
    'Handover',
  ]);

  await page.getByRole('tab', { name: 'Hero' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Logo Banner' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'USPs' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/admin/pages/home?tab=usps');
  const cards = page.getByRole('tablist', { name: 'Cards' }).getByRole('tab');
  await expect(cards).toHaveText(['Testimonial', 'Fact 01', 'Case Study', 'Fact 02', 'Process', 'About']);
});

test('The preview has desktop and phone widths, the theme of the page and inert links', async ({ page, site }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await openEditor(page, site, '/admin/pages/home');
  const width = () =>
    preview(page)
      .locator('body')
      .evaluate((body) => body.ownerDocument.defaultView?.innerWidth);
  await expect.poll(width).toBe(1280);
  await page.getByRole('button', { name: 'Phone' }).click();
  await expect.poll(width).toBe(390);
  const textColors = () =>
    Promise.all(
      [page.locator('html'), preview(page).locator('html')].map((root) =>
        root.evaluate((element) => getComputedStyle(element).color),
      ),
    );
  const areEqual = async () => new Set(await textColors()).size === 1;
  await expect.poll(areEqual).toBe(true);
  const [dark] = await textColors();
  await page.getByRole('button', { name: 'Toggle theme' }).click();
  await expect.poll(async () => (await areEqual()) && (await textColors())[0] !== dark).toBe(true);

  await page.getByRole('tab', { name: 'Footer' }).click();
  await preview(page).getByRole('link', { name: 'Services' }).click();
  await preview(page).getByRole('button', { name: 'Subscribe' }).click();
  await expect(page).toHaveURL('/admin/pages/home?tab=footer');
  await page.getByRole('tab', { name: 'Testimonials' }).click();
  const active = preview(page).locator('[data-active]');
  await expect(active).toContainText('Marit Fossum');
  await preview(page).getByRole('button', { name: 'Next testimonial' }).click();
  await expect(active).toContainText('Jonas Brekke');
});

test('The preview scrolls to the focused field, and the tab bar scrolls to the open tab', async ({ page, site }) => {
  await openEditor(page, site, '/admin/pages/home?tab=headings');
  const projects = preview(page).locator('#projects');
  await expect(projects).not.toBeInViewport();
  await page.getByRole('group', { name: 'Projects' }).getByLabel('Heading', { exact: true }).focus();
  await expect(projects).toBeInViewport();
  await page.getByRole('tab', { name: 'Order' }).click();
  await expect(preview(page).locator('#booking')).toBeAttached();
  await page.getByRole('button', { name: 'Move booking up' }).focus();
  await expect(preview(page).locator('#booking')).toBeInViewport();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('tablist', { name: 'Sections' }).scrollIntoViewIfNeeded();
  await expect(page.getByRole('tab', { name: 'Order' })).toBeInViewport();
});

test('A page header can be saved, and its editor opens with the saved content', async ({ page, site }) => {
  await openEditor(page, site, '/admin/pages/headers?tab=contact');
  await page.getByLabel('Title').fill('Write before you call');
  await expect(preview(page).getByRole('heading', { level: 1 })).toHaveText('Write before you call');
  await saveForm(page);
  await expectVisible(page, 'Content updated successfully');
  expect(await (await page.request.get('/contact')).text()).toContain('Write before you call');
  await page.getByRole('tab', { name: 'News' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('Notes from the outbound workshop');
  await page.getByRole('tab', { name: 'Contact' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('Write before you call');
});

test('Reset to default asks for confirmation, deletes the saved content and shows the built-in texts', async ({
  page,
  site,
}) => {
  await openEditor(page, site, '/admin/pages/home?tab=booking');
  await page.getByLabel('Heading').fill('Talk');
  await page.getByLabel('Calendly placeholder').fill('Soon here');
  await expect(preview(page).getByText('Soon here')).toBeVisible();
  await saveForm(page);
  await expectVisible(page, 'Content updated successfully');
  await page.getByRole('button', { name: 'Reset to default' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByLabel('Heading')).toHaveValue('Talk');
  await page.getByRole('button', { name: 'Reset to default' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset' }).click();
  await expect(page.getByLabel('Heading')).toHaveValue('Ready to Scale Your Outbound?');
  await expect(preview(page).getByRole('heading', { name: 'Ready to Scale Your Outbound?' })).toBeVisible();
  await expect.poll(async () => (await site.service.from('page_content').select()).data).toEqual([]);
});

test('Switching the tab or page asks about unsaved changes', async ({ page, site }) => {
  await openEditor(page, site, '/admin/pages/about?tab=careers');
  await page.getByLabel('Heading', { exact: true }).fill('Join in');
  await page.getByRole('tab', { name: 'Team' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('Heading', { exact: true })).toHaveValue('Join in');
  await expect(preview(page).getByRole('heading', { name: 'Join in' })).toBeVisible();
  await page.getByRole('link', { name: 'All pages' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL('/admin/pages');
});

test('The cards of the USPs are saved together', async ({ page, site }) => {
  await openEditor(page, site, '/admin/pages/home?tab=usps');
  await page.getByLabel('Client name').fill('Kari Nordmann');
  await page.getByRole('tab', { name: 'Fact 01' }).click();
  await page.getByLabel('Percentage').fill('55%');
  await page.getByRole('tab', { name: 'Process' }).click();
  await page.getByLabel('Phase 2 duration').fill('6 Weeks');
  await expect(preview(page).getByText('55%')).toBeVisible();
  await expect(preview(page).getByText('Kari Nordmann')).toBeVisible();
  await saveForm(page);
  await expectVisible(page, 'Content updated successfully');
  expect(await readContent(site, 'home', 'usps')).toMatchObject({
    card1: { clientName: 'Kari Nordmann', clientCompany: 'Fjellhus' },
    card2: { percentage: '55%' },
    card4: { dollarAmount: '$2M+' },
    card5: { timeline: { phase2: { name: 'Build', duration: '6 Weeks' }, phase3: { duration: '4 Months' } } },
  });
});

test('Testimonials can be added, moved with the keyboard, removed, and given an uploaded picture', async ({
  page,
  site,
}) => {
  await openEditor(page, site, '/admin/pages/home?tab=testimonials');
  await page.getByRole('button', { name: 'Move testimonial 2 up', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Move testimonial 1 up' })).toBeFocused();
  await page.getByRole('button', { name: 'Remove testimonial 2', exact: true }).click();
  await page.getByRole('button', { name: 'Add testimonial' }).click();
  const last = page.getByRole('listitem').filter({ hasText: 'Testimonial 20' });
  await last.getByLabel('Testimonial', { exact: true }).fill('Worth it.');
  await last.getByLabel('By').fill('Ola Hansen, CEO at Skog');
  await last
    .locator('input[type=file]')
    .setInputFiles({ name: 'ola.PNG', mimeType: 'image/png', buffer: await picture(40, 40) });
  await expectVisible(page, 'Image uploaded successfully');
  await expect(preview(page).getByText('“Worth it.”')).toBeVisible();
  await saveForm(page);
  await expectVisible(page, 'Content updated successfully');
  const { testimonials } = (await readContent(site, 'home', 'testimonials')) as {
    testimonials: { tempId: number; by: string; imgSrc: string }[];
  };
  expect(testimonials.map(({ tempId }) => tempId)).toEqual([1, ...Array.from({ length: 18 }, (_, i) => i + 2), 20]);
  expect(testimonials.at(-1)).toMatchObject({ by: 'Ola Hansen, CEO at Skog', testimonial: 'Worth it.' });
  expect(testimonials.at(-1)?.imgSrc).toMatch(/\/content-media\/testimonials\/[0-9a-f]{32}\.png$/);
});

test('Testimonials are collapsed rows that can be sorted with the keyboard and the pointer', async ({ page, site }) => {
  await openEditor(page, site, '/admin/pages/home?tab=testimonials');
  const rows = page.getByRole('button', { name: /^Testimonial \d+:/ });
  await expect(rows).toHaveCount(20);
  await expect(rows.nth(0)).toContainText('Marit Fossum');
  await expect(page.getByRole('button', { expanded: true })).toHaveCount(0);

  await moveDown(page, 'Testimonial 1', 1);
  await expect(rows.nth(1)).toContainText('Marit Fossum');

  const movedLabel = (await rows.nth(2).textContent())?.replace('Testimonial 3', 'Testimonial 1') ?? '';
  await dragOnto(page, ['Testimonial 3', 3], ['Testimonial 1', 1]);
  await expect(rows.nth(0)).toHaveText(movedLabel);
  await saveForm(page);
  await expectVisible(page, 'Content updated successfully');
  const { testimonials } = (await readContent(site, 'home', 'testimonials')) as { testimonials: { tempId: number }[] };
  expect(testimonials.map(({ tempId }) => tempId).slice(0, 4)).toEqual([2, 1, 0, 3]);
});

test('Lines, links and platforms of the footer can be edited, and an invalid URL is rejected', async ({
  page,
  site,
}) => {
  await openEditor(page, site, '/admin/pages/home?tab=footer');
  const row = page.getByRole('button', { name: 'Link 1: Home' });
  const urlField = page.getByRole('group', { name: 'Link 1' }).getByLabel('URL');
  await row.click();
  await urlField.fill('javascript:alert(1)');
  await page.getByRole('button', { name: 'Link 2: About Us' }).click();
  await expect(urlField).toHaveCount(0);
  await saveForm(page);
  await expect(page.getByText('Enter a URL that starts with /')).toBeVisible();
  await expect(urlField).toBeFocused();
  await expect(page.getByRole('button', { expanded: true })).toHaveCount(1);
  expect((await site.service.from('page_content').select()).data).toEqual([]);
  await urlField.fill('/');
  await expect(page.getByText('Please correct one field:')).toBeHidden();

  await page.getByRole('textbox', { name: 'Address' }).filter({ hasText: 'Oslo' }).fill('Fjordgata 1\n\nOslo, Norway');
  await page.getByRole('switch', { name: 'Show LinkedIn' }).check();
  await page.getByRole('button', { name: 'Remove legal link 3' }).click();
  await page.getByRole('button', { name: 'Move link 5 up' }).click();
  await expect(preview(page).getByRole('link', { name: 'LinkedIn' })).toBeVisible();
  await expect(preview(page).getByText('Fjordgata 1')).toBeVisible();
  await saveForm(page);
  await expectVisible(page, 'Content updated successfully');
  expect(await readContent(site, 'home', 'footer')).toMatchObject({
    contact: { address: ['Fjordgata 1', 'Oslo, Norway'] },
    information: {
      links: [
        { label: 'Home' },
        { label: 'About Us' },
        { label: 'Services' },
        { label: 'Contact' },
        { url: '/projects' },
      ],
    },
    social: { links: [{ enabled: false }, { enabled: false }, { enabled: true }, { enabled: true }] },
    bottom: { legalLinks: [{ label: 'Privacy Policy' }, { label: 'Terms of Service' }] },
  });
  expect(await (await page.request.get('/news')).text()).toContain('Fjordgata 1');
});

test('The people on the about page can be edited', async ({ page, site }) => {
  await openEditor(page, site, '/admin/pages/about?tab=team');
  await page.getByRole('button', { name: /^Person 1:/ }).click();
  await page.getByRole('listitem').filter({ hasText: 'Person 1' }).getByLabel('Name').fill('Ada Vik');
  await expect(preview(page).getByText('Ada Vik')).toBeVisible();
  await saveForm(page);
  await expectVisible(page, 'Content updated successfully');
  expect(await (await page.request.get('/about')).text()).toContain('Ada Vik');
});

test.describe('A save that the backend rejects', () => {
  test.use({ allowedProblems: [/500/] });

  test('shows an error and keeps the text, and the next save updates the public page immediately', async ({
    page,
    site,
  }) => {
    await openEditor(page, site, '/admin/pages/home');
    await expect(page.getByLabel('Main heading')).toHaveValue('Build something');
    await expect(page.getByLabel('Rotating words')).toHaveValue(
      'innovative, powerful, transformative, intelligent, seamless',
    );
    await page.route('**/rest/v1/page_content*', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 500, json: { message: 'disk full', code: 'XX000' } })
        : route.continue(),
    );
    await page.getByLabel('Main heading').fill('Kept');
    await saveForm(page);
    await expectVisible(page, 'Error updating content');
    await expectVisible(page, 'disk full');
    await expect(page.getByLabel('Main heading')).toHaveValue('Kept');
    await page.unroute('**/rest/v1/page_content*');

    const suggestion = page.getByRole('button', { name: /^Turn quiet signals into/ });
    await suggestion.focus();
    await page.keyboard.press('Enter');
    await expect(suggestion).toHaveAttribute('aria-pressed', 'true');
    await expect(page.getByLabel('Main heading')).toHaveValue('Turn quiet signals into');
    await expect(page.getByLabel('Rotating words')).toHaveValue('answers, meetings, clients');
    await expect(preview(page).getByRole('heading', { level: 1 })).toContainText('Turn quiet signals into answers');
    await saveForm(page);
    await expectVisible(page, 'Content updated successfully');
    const hero = { mainHeading: 'Turn quiet signals into', rotatingWords: ['answers', 'meetings', 'clients'] };
    expect(await readContent(site, 'home', 'hero')).toMatchObject(hero);

    await page.getByLabel('Main heading').fill('Sell something');
    await page.getByLabel('Rotating words').fill('calm, , clear ,');
    await expect(preview(page).getByRole('heading', { level: 1 })).toContainText('Sell something calm, clear');
    await expect(page.getByLabel('Rotating words')).toHaveValue('calm, , clear ,');
    await page.keyboard.press('Control+s');
    await expect
      .poll(() => readContent(site, 'home', 'hero'))
      .toMatchObject({ mainHeading: 'Sell something', rotatingWords: ['calm', 'clear'], ctaText: 'Work with us' });
    expect(await (await page.request.get('/')).text()).toContain('Sell something');
  });
});

/** Tabs that admin-screens.spec.ts does not open, with their previews. */
const TABS = ['Logo Banner', 'USPs', 'Testimonials', 'Booking', 'Footer'];

test('The other editor tabs pass axe and fit on 320 px, and the selected tab is in view', async ({ page, site }) => {
  test.slow();
  await openAdmin(page, site, '/admin/pages/home');
  const expectAccessible = async () => {
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect(preview(page).locator('body > section > *').first()).toBeVisible();
    await expectNoAxeViolations(page);
    await page.setViewportSize({ width: 320, height: 640 });
    await expectNoHorizontalScroll(page);
    await page.setViewportSize({ width: 1280, height: 720 });
  };
  for (const name of TABS) {
    const tab = page.getByRole('tablist', { name: 'Sections' }).getByRole('tab', { name });
    await tab.click();
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    await expectAccessible();
  }
  await page.goto('/admin/pages/about?tab=careers');
  await expectAccessible();

  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/admin/pages/home?tab=handover');
  const tabs = page.getByRole('tablist', { name: 'Sections' });
  await expect(tabs.getByRole('tab', { name: 'Handover', selected: true })).toBeInViewport();
  await expect(tabs.getByRole('tab', { name: 'Hero' })).not.toBeInViewport();
});
