/**
 * Id of this browser's conversation: a raw string in localStorage, so that every tab is in the same one. In a frame on
 * another site, which may have no storage, the page around the frame keeps it: /embed.js hands it in through the
 * fragment and is told of every change.
 */
const STORAGE_KEY = 'chatbot_conversation_id';
const SHARED_NAME = 'chatbot_conversation';

/** Undefined until it is read from the fragment. */
let remembered: string | null | undefined;

export function storedConversationId(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    if (remembered === undefined) remembered = handedInId();
    return remembered;
  }
}

export function storeConversationId(id: string | null): void {
  remembered = id;
  try {
    if (id === null) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, id);
  } catch {
    if (window.parent !== window) window.parent.postMessage({ type: 'chat-conversation', id }, '*');
  }
}

/** The conversation in which an offer was declined, so that it stays away after a reload. */
const DECLINED_KEY = 'chatbot_declined';

export function hasDeclined(id: string): boolean {
  try {
    return localStorage.getItem(DECLINED_KEY) === id;
  } catch {
    return false;
  }
}

export function rememberDecline(id: string): void {
  try {
    localStorage.setItem(DECLINED_KEY, id);
  } catch {
    // Declined until the frame is loaded again.
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Null outside of a frame, where a link could otherwise lead somebody into the conversation of another. */
function handedInId(): string | null {
  if (window.parent === window) return null;
  const id = new URLSearchParams(window.location.hash.slice(1)).get('conversation');
  return id && UUID.test(id) ? id : null;
}

export interface OtherTabs {
  /** Says that the conversation has changed. */
  tell(): void;
  close(): void;
}

/** Calls `onChange` after another tab has written to the conversation or moved to another one. */
export function connectToOtherTabs(onChange: () => void): OtherTabs {
  const channel = new BroadcastChannel(SHARED_NAME);
  channel.onmessage = onChange;
  const onStorage = (event: StorageEvent) => {
    if (event.key === STORAGE_KEY && event.newValue) onChange();
  };
  window.addEventListener('storage', onStorage);
  return {
    tell: () => channel.postMessage(null),
    close() {
      channel.close();
      window.removeEventListener('storage', onStorage);
    },
  };
}

/**
 * Runs `work` while no other tab writes to the conversation. Without locks (a page without https), or when they are
 * denied (a frame that may not store anything), it just runs.
 */
export async function oneTabAtATime<T>(work: () => Promise<T>): Promise<T> {
  if (!navigator.locks) return work();
  let isRunning = false;
  try {
    return await navigator.locks.request(SHARED_NAME, () => {
      isRunning = true;
      return work();
    });
  } catch (error) {
    if (isRunning) throw error;
    return work();
  }
}
