import type { Page } from '@playwright/test';
import { BUILT_IN_BRANDING, drawMark, type MailBranding } from '../../server/mails/mail-branding.ts';
import { LOGO_ID, renderMail, type TemplateName } from '../../server/mails/templates.ts';
import { mailSample } from './mail-samples.ts';

/** Shows an email in the browser as a mail client does, with its embedded image. */
export async function showMail(page: Page, template: TemplateName): Promise<void> {
  const logo = await drawMark(BUILT_IN_BRANDING.accent);
  const branding: MailBranding = { ...BUILT_IN_BRANDING, logo };
  const { html } = await renderMail(template, mailSample(template), branding);
  await page.setContent(html.replaceAll(`cid:${LOGO_ID}`, `data:image/png;base64,${logo.png.toString('base64')}`));
}
