/** Permanently failed emails on the home screen of the admin area. */
import { createClient } from '@supabase/supabase-js';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { openAdmin } from '../support/admin-session.ts';
import { ADMIN, expect, expectNoAxeViolations, test } from '../support/e2e.ts';
import { type SmtpServer, startSmtpServer } from '../support/smtp-server.ts';

let smtp: SmtpServer;

test.use({
  starterContent: false,
  environment: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      smtp = await startSmtpServer();
      await use({ SMTP_URL: smtp.url });
      await smtp.close();
    },
    { scope: 'worker' },
  ],
});

test('A failed email can be sent again or dismissed on the home screen', async ({ page, site }) => {
  smtp.recipientResponse = '550 no such mailbox';
  await openAdmin(page, site, '/admin/dashboard');
  for (const email of ['kari@example.com', 'ola@example.com']) {
    await site.service.auth.admin.inviteUserByEmail(email);
  }
  const queue = page.getByRole('region', { name: 'Pending tasks' });
  // The screen loads failed emails only once, so open it after both have failed.
  const admin = createClient(site.url, PUBLISHABLE_KEY, { auth: { persistSession: false } });
  expect((await admin.auth.signInWithPassword(ADMIN)).error).toBeNull();
  await expect.poll(async () => (await admin.rpc('list_failed_mails')).data).toHaveLength(2);
  await page.reload();
  await expect(queue.getByRole('listitem')).toHaveText([
    /^An email to ola@example.com could not be sent.*550 no such mailbox.*Send againDismiss$/,
    /^An email to kari@example.com could not be sent/,
  ]);
  await expectNoAxeViolations(page);

  smtp.recipientResponse = '250 ok';
  await queue.getByRole('button', { name: 'Send again: An email to ola@example.com' }).click();
  await expect(page.getByText('Email queued for sending')).toBeVisible();
  await expect(queue.getByRole('button', { name: 'Send again: An email to kari@example.com' })).toBeFocused();
  await expect.poll(() => smtp.received.filter((mail) => mail.includes('ola@example.com'))).toHaveLength(1);

  await queue.getByRole('button', { name: 'Dismiss: An email to kari@example.com' }).click();
  await expect(queue).toContainText('No pending tasks or registrations.');
  await expect(queue.getByRole('heading', { name: 'Pending tasks' })).toBeFocused();
});
