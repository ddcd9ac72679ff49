/**
 * Which conversation this browser is in: a raw string in localStorage, so that every tab is in the same one. Where
 * storage is not allowed (a frame on another site), the conversation lasts as long as the page.
 */
const STORAGE_KEY = 'chatbot_conversation_id';
const SHARED_NAME = 'chatbot_conversation';

let remembered: string | null = null;

export function storedConversationId(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return remembered;
  }
}

export function storeConversationId(id: string | null): void {
  remembered = id;
  try {
    if (id === null) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, id);
  } catch {
    // Remembered for this page only.
  }
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
 * Runs `work` while no other tab writes to the conversation. Where locks are missing (a page without https) or denied (a
 * frame that may not store anything) it just runs.
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
