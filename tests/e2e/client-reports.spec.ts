import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { addDays, dayOf, startOfWeek } from '../../app/ui/lib/zoned-times.ts';
import { openStrictZip } from '../../packages/backend/src/export-import/strict-zip.ts';
import { mailsTo } from '../../packages/backend/tests/support/received-mails.ts';
import { picture } from '../../packages/backend/tests/support/sample-files.ts';
import { signIn } from '../support/admin-session.ts';
import {
  ADMIN,
  expect,
  expectNoAxeViolations,
  expectNoHorizontalScroll,
  expectWithinFrame,
  test,
} from '../support/e2e.ts';
import { addFigures, newClient } from '../support/site-clients.ts';

const THIS_WEEK = startOfWeek(dayOf(new Date().toISOString(), 'Europe/Oslo'));
const LAST_WEEK = addDays(THIS_WEEK, -7);

test('An approved report is emailed, and its readers see it unchanged on a phone', async ({ page, site, browser }) => {
  const { id, member, teamMember } = await newClient(site, 'Bre AS');
  await site.service.from('clients').update({ meetings_goal: 20 }).eq('id', id).throwOnError();
  await addFigures(site, id, teamMember.id, [
    { metric: 'meetings', day: LAST_WEEK, value: 6, days: 7 },
    { metric: 'replies', day: LAST_WEEK, value: 1234, days: 7 },
    { metric: 'replies', day: addDays(LAST_WEEK, -14), value: 12, days: 7 },
  ]);
  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=reports`);
  const reports = page.getByRole('region', { name: 'Reports, Bre AS' });
  await expect(reports).toContainText('No reports yet.');
  await reports.getByRole('button', { name: 'New report for Bre AS' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'New report' })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Create draft' }).click();

  const sheet = page.getByRole('article');
  await expect(sheet.getByRole('heading', { level: 1, name: 'Bre AS' })).toBeVisible();
  await expect(sheet.locator('dl > div')).toHaveText([
    /^Meetings6No figures for the week before6 of 20 in \w+ · 30%$/,
    /^Replies1,234No figures for the week before$/,
  ]);
  await expect(sheet).toContainText('Draft, not sent');
  const row = 'Bre AS in spring 1,234 6 of 1,234 · 0.49%';
  await expect(sheet.getByRole('row', { name: row, exact: true })).toBeVisible();
  await expect(sheet).toContainText('Sources: weeks.csv');
  await page.getByLabel('Summary').fill('A calm week.\nThe second mail works.');
  await expect(page.getByRole('button', { name: 'Approve and send…' })).toBeDisabled();
  await page.getByRole('button', { name: 'Save summary' }).click();
  await expect(sheet.getByRole('heading', { level: 2, name: 'Summary' })).toBeVisible();
  await expectNoAxeViolations(page);

  // Newly imported figures appear in the draft, and its summary must be checked again.
  await addFigures(site, id, teamMember.id, [{ metric: 'positive_replies', day: LAST_WEEK, value: 30, days: 7 }]);
  await page.reload();
  const counts = 'Bre AS in spring 1,234 30 of 1,234 · 2.4% 6 of 1,234 · 0.49%';
  await expect(sheet.getByRole('row', { name: counts, exact: true })).toBeVisible();
  await expect(page.getByRole('note')).toContainText('The figures have changed since this summary was saved.');
  await expect(page.getByRole('button', { name: 'Approve and send…' })).toBeDisabled();
  await page.getByRole('button', { name: 'Save summary' }).click();
  await expect(page.getByRole('note')).toHaveCount(0);
  await page.getByRole('button', { name: 'Approve and send…' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('It cannot be changed afterwards');
  await page.getByRole('button', { name: 'Approve and send', exact: true }).click();
  await expect(sheet).toContainText('This report cannot be changed.');
  await expect(page.getByLabel('Summary')).toHaveCount(0);
  const hash = await sheet.locator('code').innerText();
  await expect.poll(async () => (await mailsTo(site.dataFolder, member.email))[0]?.text).toContain(hash);

  const phone = await browser.newPage({ viewport: { width: 320, height: 700 } });
  await signIn(phone, site, member);
  await phone.goto('/client-dashboard?tab=reports');
  await phone.getByRole('region', { name: 'Reports, Bre AS' }).getByRole('link').click();
  await expect(phone).toHaveURL(page.url());
  await expect(phone.getByRole('article')).toContainText('The second mail works.');
  await expect(phone.getByRole('article')).toContainText(hash);
  await expect(phone.getByRole('button', { name: 'Create a correction' })).toHaveCount(0);
  await expectNoHorizontalScroll(phone);
  await expectNoAxeViolations(phone);
  await phone.emulateMedia({ media: 'print' });
  await expect(phone.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(phone.getByRole('article')).toBeVisible();
  await phone.emulateMedia({ media: 'screen' });
  // The import is deleted. The report of that week stays and is still shown under Generate Report.
  await site.service.from('campaign_figures').delete().eq('client_id', id).throwOnError();
  await phone.goto('/client-dashboard/report');
  await expect(phone.getByRole('row', { name: counts, exact: true })).toBeVisible();
  await phone.getByRole('figure').getByText('Show the figures by week').click();
  await expect(phone.getByRole('row', { name: /^\d.* – –$/ })).toHaveCount(10);
  await expect(phone.getByRole('row', { name: /^\d.* 0 12$/ })).toBeVisible();
  await expect(phone.getByRole('row', { name: /^\d.* 6 1,234$/ })).toBeVisible();
  await expect(phone.getByRole('article')).toContainText(hash);
  await expectNoHorizontalScroll(phone);
  await phone.close();
});

test('A report that was sent before reports had weekly figures is shown without a chart', async ({ page, site }) => {
  const { id, member } = await newClient(site, 'Eik AS');
  const figures = {
    client: { name: 'Eik AS', currency: 'NOK' },
    result: [
      { metric: 'replies', value: 23, before: 25 },
      { metric: 'meetings', value: 5, before: null },
    ],
    campaigns: [
      { name: 'Winter', channel: 'email', figures: { replies: 23 } },
      { name: 'No campaign', channel: 'other', figures: { meetings: 5 } },
    ],
    meetings: { held: 0, no_show: 0, booked: 5, disputed: 0 },
    ...{ goals: [], changes: [], next: [], wishes: [], imports: [] },
  };
  const week = { client_id: id, span: 'week', first_day: LAST_WEEK, last_day: addDays(LAST_WEEK, 6), figures };
  const sentFields = { hash: '0'.repeat(64), sent_at: new Date().toISOString() };
  const { data } = await site.service
    .from('client_reports')
    .insert({ ...week, ...sentFields })
    .select('id')
    .single()
    .throwOnError();
  await signIn(page, site, member);
  await page.goto(`/reports/${data.id}`);
  const sheet = page.getByRole('article');
  await expect(sheet.locator('dl > div')).toHaveText([
    'Meetings5No figures for the week before',
    'Replies23−2 vs. week before',
  ]);
  // There is no meeting rate, because the meetings and the replies belong to different campaigns.
  await expect(sheet.getByRole('row')).toHaveText([
    'CampaignRepliesMeetings',
    'WinterReplies23 Meetings–',
    'No campaignReplies– Meetings5',
    'All campaignsReplies23 Meetings5',
    'Previous weekReplies25Meetings–',
  ]);
  await expect(sheet.getByRole('figure')).toHaveCount(0);
});

test('On a phone, a report with four figures hides the minor ones until the reader asks for them', async ({
  page,
  site,
}) => {
  const { id, member, teamMember } = await newClient(site, 'Gran AS');
  await addFigures(
    site,
    id,
    teamMember.id,
    (['delivered', 'replies', 'positive_replies', 'meetings'] as const).map((metric, index) => ({
      ...{ metric, day: LAST_WEEK, value: 100 - index, days: 7 },
    })),
  );
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, site, member);
  await page.goto('/client-dashboard/report');
  const campaign = page.getByRole('rowgroup').filter({ hasText: 'Gran AS in spring' });
  await expect(campaign).toContainText('Delivered');
  await expect(campaign.getByText('Positive replies')).toBeHidden();
  await page.getByRole('button', { name: 'Show all figures' }).press('Enter');
  await expect(campaign.getByText('Positive replies')).toBeVisible();
  await expectNoHorizontalScroll(page);
});

test('A sent report can be replaced by a correction that links to it, and a draft can be discarded', async ({
  page,
  site,
}) => {
  const { id } = await newClient(site, 'Skog AS');
  await signIn(page, site, ADMIN);
  await page.goto(`/admin/clients/${id}?tab=reports`);
  const createDraft = async () => {
    await page.getByRole('button', { name: 'New report for Skog AS' }).press('Enter');
    await page.getByLabel('Report type').selectOption('Month');
    await page.getByRole('button', { name: 'Create draft' }).click();
  };
  await createDraft();
  await page.getByRole('button', { name: 'Approve and send…' }).click();
  await page.getByRole('button', { name: 'Approve and send', exact: true }).click();
  await page.getByRole('button', { name: 'Create a correction' }).click();
  await expect(page.getByRole('article')).toContainText('This report corrects an earlier report');
  await page.getByRole('button', { name: 'Approve and send…' }).click();
  await page.getByRole('button', { name: 'Approve and send', exact: true }).click();
  await expect(page.getByRole('article')).toContainText('This report cannot be changed.');
  await page.getByRole('link', { name: 'an earlier report' }).click();
  await expect(page.getByRole('article')).toContainText('A later report corrects it.');

  await page.goto(`/admin/clients/${id}?tab=reports`);
  const reports = page.getByRole('region', { name: 'Reports, Skog AS' });
  await expect(reports.getByRole('listitem')).toHaveText([/Correction/, /Sent \d/]);
  await page.getByRole('button', { name: 'New report for Skog AS' }).press('Enter');
  await page.getByRole('button', { name: 'Create draft' }).click();
  await page.getByRole('button', { name: 'Discard draft' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard draft' }).click();
  await expect(page).toHaveURL(/\/admin\/dashboard$/);
  await page.goto(`/admin/clients/${id}?tab=reports`);
  await expect(reports.getByRole('listitem')).toHaveCount(2);
});

test('A client can download all data and verify the archive with sha256sum', async ({ page, site }) => {
  const { id, member, teamMember } = await newClient(site, 'Vann AS');
  await addFigures(site, id, teamMember.id, [{ metric: 'replies', day: LAST_WEEK, value: 5, days: 7 }]);
  await site.service.from('campaigns').update({ name: '=1+1' }).eq('client_id', id).throwOnError();
  const figures = { result: [], campaigns: [] };
  const week = { client_id: id, span: 'week', first_day: LAST_WEEK, last_day: addDays(LAST_WEEK, 6), figures };
  const sentFields = { hash: '0'.repeat(64), sent_at: new Date().toISOString() };
  await site.service
    .from('client_reports')
    .insert({ ...week, ...sentFields })
    .throwOnError();
  for (const text of ['first', 'second']) {
    const options = { contentType: 'text/plain', metadata: { name: 'notes.txt' } };
    const bytes = new TextEncoder().encode(text);
    const { error } = await site.service.storage
      .from('client-files')
      .upload(`${id}/${crypto.randomUUID()}.txt`, bytes, options);
    expect(error).toBeNull();
  }
  await signIn(page, site, member);
  await page.goto('/client-dashboard?tab=reports');
  const downloading = page.waitForEvent('download');
  // Use the keyboard: other parts of the page still load, so the button could move under the pointer.
  await page.getByRole('button', { name: 'Download everything for Vann AS' }).press('Enter');
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^everything-\d{4}-\d\d-\d\d\.zip$/);
  const folder = await unpack(await download.path());
  try {
    const report = `reports/001-${LAST_WEEK}-week.json`;
    const output = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' });
    const tables = [
      'campaigns',
      'figures',
      'imports',
      'approvals',
      'meetings',
      'meeting_changes',
      'meeting_results',
      'fees',
      'leads',
      'lead_changes',
      'leave_alone',
      'figures_on_the_site',
    ].map((name) => `${name}.csv`);
    const approvalFiles = ['approval_rows.csv', 'approval_rows_taken_off.csv', 'approval_comments.csv'];
    const files = ['files/001-notes.txt', 'files/002-notes.txt'];
    const fileNames = ['README.txt', ...tables, ...approvalFiles, report, ...files];
    expect(output.trim().split('\n')).toEqual(fileNames.map((name) => `${name}: OK`));
    expect(await readFile(join(folder, files[1] ?? ''), 'utf8')).toBe('second');
    expect(await readFile(join(folder, 'figures.csv'), 'utf8')).toContain(`\r\n'=1+1,replies,${LAST_WEEK},`);
    await writeFile(join(folder, 'figures.csv'), 'forged');
    expect(() => execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder, stdio: 'pipe' })).toThrow();
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** Unpacks an archive into a new folder. */
async function unpack(path: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-archive-'));
  const zip = await openStrictZip(path, () => true);
  for (const [name, entry] of zip.entries) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), await zip.read(entry));
  }
  zip.close();
  return folder;
}

test("A user cannot open another client's report", async ({ page, site }) => {
  const client = await newClient(site, 'Elv AS');
  const { id: client_id } = await newClient(site, 'Fjord AS');
  const { data } = await site.service
    .from('client_reports')
    .insert({ client_id, span: 'week', first_day: LAST_WEEK, last_day: addDays(LAST_WEEK, 6), figures: {} })
    .select('id')
    .single()
    .throwOnError();
  await signIn(page, site, client.member);
  await page.goto(`/reports/${data.id}`);
  await expect(page.getByText('Report not found')).toBeVisible();
  await page.goto('/reports/nonsense');
  await expect(page.getByText('Report not found')).toBeVisible();
});

test('HTML in names and texts is escaped in every form of a sent report', async ({ page, site }) => {
  const html = '<img src=x onerror=alert(1)><a href="https://attack.invalid">Click</a>';
  const { id, member, teamMember } = await newClient(site, `Dal ${html}`);
  const campaign = { name: `Spring ${html}`, next_step: `Write ${html}` };
  await site.service.from('campaigns').update(campaign).eq('client_id', id).throwOnError();
  await addFigures(site, id, teamMember.id, [{ metric: 'replies', day: LAST_WEEK, value: 7, days: 7 }]);
  await site.service
    .from('approvals')
    .insert({ client_id: id, title: `Mail ${html}` })
    .throwOnError();
  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=reports`);
  await page.getByRole('button', { name: /^New report for Dal/ }).click();
  await page.getByRole('button', { name: 'Create draft' }).click();
  await page.getByLabel('Summary').fill(`Calm. ${html}`);
  await page.getByRole('button', { name: 'Save summary' }).click();
  await page.getByRole('button', { name: 'Approve and send…' }).click();
  await page.getByRole('button', { name: 'Approve and send', exact: true }).click();

  const sheet = page.getByRole('article');
  await expect(sheet).toContainText('This report cannot be changed.');
  for (const label of ['Dal', 'Spring', 'Write', 'Calm.']) await expect(sheet).toContainText(`${label} ${html}`);
  await page.emulateMedia({ media: 'print' });
  await expect(sheet.locator('img[src="x"], [onerror], a[href*="attack.invalid"]')).toHaveCount(0);
  const hasAttackLink = async () => /attack\.invalid\/?\)/.test((await page.pdf()).toString('latin1'));
  expect(await hasAttackLink()).toBe(false);
  // Verify that the check finds a link.
  await sheet.evaluate((element) => {
    const link = document.createElement('a');
    link.href = 'https://attack.invalid/';
    link.textContent = 'Click';
    element.append(link);
  });
  expect(await hasAttackLink()).toBe(true);

  await expect.poll(async () => (await mailsTo(site.dataFolder, member.email)).length).toBeGreaterThan(0);
  const [mail] = await mailsTo(site.dataFolder, member.email);
  expect(mail?.html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(mail?.html).not.toContain('<img src=x');
  expect(mail?.html).not.toContain('href="https://attack.invalid"');
});

test("A report shows its client's logo in a white frame, and prints on white in both themes", async ({
  page,
  site,
}) => {
  const { id, teamMember } = await newClient(site, 'Lia AS');
  const object = `${id}/logo.png`;
  const upload = { contentType: 'image/png', metadata: { name: 'logo.png' } };
  const { error } = await site.service.storage.from('client-files').upload(object, await picture(600, 200), upload);
  expect(error).toBeNull();
  await site.service.from('clients').update({ logo: object }).eq('id', id).throwOnError();
  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=reports`);
  await page.getByRole('button', { name: 'New report for Lia AS' }).press('Enter');
  await page.getByRole('button', { name: 'Create draft' }).click();
  const sheet = page.getByRole('article');
  const logo = sheet.locator('img');
  const readBackground = () => sheet.evaluate((element) => getComputedStyle(element).backgroundColor);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, media: 'screen' });
    await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(600);
    await expect(logo.locator('..')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
    // The page applies a new colour scheme asynchronously.
    await expect.poll(async () => parseLightness(await readBackground()) > 0.5).toBe(colorScheme === 'light');
    const onScreen = await readBackground();
    await page.emulateMedia({ colorScheme, media: 'print' });
    await expect(logo).toBeVisible();
    await expect.poll(async () => parseLightness(await readBackground())).toBeGreaterThan(0.95);
    await expectWithinFrame(logo);
    await page.emulateMedia({ colorScheme, media: 'screen' });
    await expect.poll(readBackground).toBe(onScreen);
    await page.emulateMedia({ colorScheme, media: null });
    const [fillColour = '0'] = readFillColours(await page.pdf({ printBackground: true }));
    expect(Math.min(...fillColour.split(' ').map(Number))).toBeGreaterThan(0.9);
    await expect.poll(readBackground).toBe(onScreen);
  }
});

/** Returns the fill colours of a PDF in page order. */
function readFillColours(pdf: Buffer): string[] {
  const streams = [...pdf.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)endstream/g)].map(([, text = '']) => {
    try {
      return inflateSync(Buffer.from(text, 'latin1')).toString('latin1');
    } catch {
      // The stream is an image or a font.
      return '';
    }
  });
  return streams.flatMap((text) => [...text.matchAll(/([\d.]+ [\d.]+ [\d.]+) rg/g)].map(([, colour = '']) => colour));
}

/** Returns the lightness of a computed colour, such as 'oklch(0.99 0.01 100)'. */
function parseLightness(colour: string): number {
  return Number(/^oklch\(([\d.]+)/.exec(colour)?.[1]);
}
