/** Scrolls to a heading and focuses it. The heading needs a tabindex. */
export function scrollToHeading(headingId: string): void {
  const heading = document.getElementById(headingId);
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}
