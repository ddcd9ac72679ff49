/** Dispatched on the window when the chat opens on a page of the site. */
export const CHAT_OPENED = 'signalfjord:chat-opened';
