/**
 * Moves the keyboard to the title of the page, or to its main part while there is no title yet, so that it goes on from
 * there and a screen reader says where the person is. Does nothing while they are in a dialog or type already.
 */
export function focusHeading(): void {
  if (document.activeElement?.closest('dialog, [role=dialog], main :is(input, textarea, select)')) return;
  const main = document.querySelector('main');
  const target = main?.querySelector('h1') ?? main;
  if (!target) return;
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
