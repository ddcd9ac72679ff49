/**
 * `localStorage` key for the ID of this browser's conversation, which all tabs share. Frames on other sites may have no
 * storage, so the host page stores the ID. /embed.js passes the ID to the frame in the URL fragment, and the frame
 * notifies the host page of changes.
 */
const STORAGE_KEY = 'chatbot_conversation_id';
/** Name of the channel and of the lock that the tabs share. */
const SHARED_NAME = 'chatbot_conversation';

/** Undefined until the id is read from the fragment. */
let cachedId: string | null | undefined;

export function storedConversationId(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    if (cachedId === undefined) cachedId = idFromFragment();
    return cachedId;
  }
}

export function storeConversationId(id: string | null): void {
  cachedId = id;
  try {
    if (id === null) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, id);
  } catch {
    if (window.parent !== window) window.parent.postMessage({ type: 'chat-conversation', id }, '*');
  }
}

/** Key for the ID of the conversation in which the visitor declined an offer. The offer stays hidden after a reload. */
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
    // Without storage, the offer stays hidden until the frame is reloaded.
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Null outside of a frame, where a crafted link could open another person's conversation. */
function idFromFragment(): string | null {
  if (window.parent === window) return null;
  const id = new URLSearchParams(window.location.hash.slice(1)).get('conversation');
  return id && UUID.test(id) ? id : null;
}

export interface OtherTabs {
  /** Notifies other tabs of a change. */
  notify(): void;
  close(): void;
}

/** Calls `onChange` when another tab changes the conversation or starts a new one. */
export function connectToOtherTabs(onChange: () => void): OtherTabs {
  const channel = new BroadcastChannel(SHARED_NAME);
  channel.onmessage = onChange;
  const onStorage = (event: StorageEvent) => {
    if (event.key === STORAGE_KEY && event.newValue) onChange();
  };
  window.addEventListener('storage', onStorage);
  return {
    notify: () => channel.postMessage(null),
    close() {
      channel.close();
      window.removeEventListener('storage', onStorage);
    },
  };
}

/**
 * Runs `work` under a lock shared by all tabs, or without a lock if locks are unavailable (no HTTPS) or denied (frame
 * without storage).
 */
export async function withTabLock<T>(work: () => Promise<T>): Promise<T> {
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
