/** Every email as mail clients show it, in light and dark mode. */
import { DARK, LIGHT } from '../../app/settings/brand/brand.ts';
import { TEMPLATE_NAMES } from '../../server/mails/templates.ts';
import { expect, expectNoViolations, test } from '../support/e2e.ts';
import { showMail } from '../support/show-mail.ts';

const rgb = (hex: string) => `rgb(${[1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16)).join(', ')})`;

test('Every email is readable in light and dark mail clients, and shows the logo with an alt text', async ({
  page,
}) => {
  for (const template of TEMPLATE_NAMES) {
    await showMail(page, template);
    const logo = page.getByRole('img', { name: 'Mark of Signalfjord' });
    expect(await logo.evaluate((picture: HTMLImageElement) => picture.naturalWidth), template).toBe(64);
    for (const [colorScheme, { canvas, surface, ink }] of [
      ['light', LIGHT],
      ['dark', DARK],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      const colours = await page.evaluate(() => {
        const card = document.querySelector('h1')?.closest('td');
        if (!card) throw new Error('The mail has no card');
        const { backgroundColor } = getComputedStyle(card);
        return [getComputedStyle(document.body).backgroundColor, backgroundColor, getComputedStyle(card).color];
      });
      expect(colours, `${template}, ${colorScheme}`).toEqual([canvas, surface, ink].map(rgb));
      await expectNoViolations(page, { runOnly: { type: 'rule', values: ['color-contrast', 'image-alt'] } }, template);
    }
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), template).toBeLessThanOrEqual(width);
    }
  }
});
