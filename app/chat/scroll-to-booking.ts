/** Asks the page, or the parent page of the frame, to show its booking section. */
export function requestBooking(): void {
  window.parent.postMessage({ type: 'scroll-to-booking' }, '*');
}

/** Returns whether a link in a reply is the booking link. */
export function isBookingLink(link: URL): boolean {
  return link.origin === window.location.origin && link.pathname === '/' && link.hash === '#booking';
}
