/** Asks the page that holds the chat (this one, or the one that frames it) to show its booking section. */
export function askForBooking(): void {
  window.parent.postMessage({ type: 'scroll-to-booking' }, '*');
}

/** Tells whether a link of a reply means the booking section. */
export function isBookingLink(link: URL): boolean {
  return link.origin === window.location.origin && link.pathname === '/' && link.hash === '#booking';
}
