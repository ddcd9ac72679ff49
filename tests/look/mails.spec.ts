import { join } from 'node:path';
import { test } from '@playwright/test';
import { TEMPLATE_NAMES } from '../../server/mails/templates.ts';
import { showMail } from '../support/show-mail.ts';
import { LOOKS, SCREENSHOTS_FOLDER } from './looks.ts';

// A phone and a mailbox window. Emails look the same in wider windows.
for (const { name, width, theme } of LOOKS.filter((variant) => variant.width < 1000)) {
  test.describe(name, () => {
    test.use({ viewport: { width, height: 700 }, colorScheme: theme });

    test('takes screenshots of emails', async ({ page }) => {
      for (const template of TEMPLATE_NAMES) {
        await showMail(page, template);
        await page.screenshot({ path: join(SCREENSHOTS_FOLDER, name, `mail_${template}.png`), fullPage: true });
      }
    });
  });
}
