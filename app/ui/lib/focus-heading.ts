/**
 * Focuses the page title, or main if there is no title yet, so that screen readers announce the page. Does nothing if
 * the user is in a dialog or a field.
 */
export function focusHeading(): void {
  if (document.activeElement?.closest('dialog, [role=dialog], main :is(input, textarea, select)')) return;
  const main = document.querySelector('main');
  const target = main?.querySelector('h1') ?? main;
  if (!target) return;
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
