import type { Page } from '@playwright/test';

/** Lists the controls that overlap the chat launcher, without scrolling. */
export function findOverlappedControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const launcher = document.querySelector('[aria-label="Open chat"]');
    if (!launcher) throw new Error('The chat launcher was not found');
    if (getComputedStyle(launcher).opacity === '0') return [];
    const box = launcher.getBoundingClientRect();
    const controls = document.querySelectorAll<HTMLElement>('main :is(a[href], button, input, textarea, select)');
    return [...controls].flatMap((control) => {
      const { left, right, top, bottom, height } = control.getBoundingClientRect();
      if (!control.checkVisibility() || (height > 120 && control.tagName !== 'TEXTAREA')) return [];
      const isApart = right < box.left || left > box.right || bottom < box.top || top > box.bottom;
      return isApart ? [] : [control.getAttribute('aria-label') ?? `${control.textContent || control.id}`];
    });
  });
}
