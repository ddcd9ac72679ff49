/** Requests the booking section from this page, or from the parent page if the chat is in a frame. */
export function requestBooking(): void {
  window.parent.postMessage({ type: 'scroll-to-booking' }, '*');
}

/** Returns whether a link in a reply is the booking link. */
export function isBookingLink(link: URL): boolean {
  return link.origin === window.location.origin && link.pathname === '/' && link.hash === '#booking';
}
