/** Scrolls to the element of that id, smoothly where the visitor allows motion, and moves the keyboard there too. */
export function scrollToSection(id: string): void {
  const section = document.getElementById(id);
  if (!section) return;
  section.scrollIntoView();
  section.focus({ preventScroll: true });
}
