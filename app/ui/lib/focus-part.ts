/** Leads to a part of this screen: scrolls to its heading, which needs a tabindex, and puts the keyboard there. */
export function focusPart(headingId: string): void {
  const heading = document.getElementById(headingId);
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}
