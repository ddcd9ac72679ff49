export interface ToastRequest {
  tone: 'success' | 'error';
  title: string;
  description: string | undefined;
  action: ToastAction | undefined;
}

/** Button in a toast. Toasts with a button are shown longer. */
interface ToastAction {
  label: string;
  onClick: () => void;
  /** True if the action changes the form on the page. The toast is removed with the form. */
  isAboutForm?: true;
}

interface ToastDisplay {
  show: (request: ToastRequest) => void;
  /** Removes outdated toasts after navigation or a retry. */
  clear: () => void;
}

/** Toasts queued before the toaster is mounted. */
let queue: readonly ToastRequest[] = [];
let display: ToastDisplay | null = null;
let onQueueChange: ((queue: readonly ToastRequest[]) => void) | null = null;

function showOrQueue(request: ToastRequest) {
  if (display) return display.show(request);
  setQueue([...queue, request]);
}

function setQueue(requests: readonly ToastRequest[]) {
  queue = requests;
  onQueueChange?.(queue);
}

/** Temporary messages: `toast.success('Saved')`, `toast.error('Sign in failed', error.message)`. */
export const toast = {
  success: (title: string, description?: string, action?: ToastAction) =>
    showOrQueue({ tone: 'success', title, description, action }),
  /** Shows an error toast. The description contains the reason. */
  error: (title: string, description?: string) => showOrQueue({ tone: 'error', title, description, action: undefined }),
};

/** Calls the listener with queued toasts when they change. Returns a function that unsubscribes. */
export function onQueuedToasts(listener: (queue: readonly ToastRequest[]) => void): () => void {
  onQueueChange = listener;
  if (queue.length > 0) listener(queue);
  return () => {
    onQueueChange = null;
  };
}

export function discardQueuedToasts(): void {
  setQueue([]);
}

/** Removes outdated toasts after navigation or a retry. */
export function clearToastsOfPage(): void {
  display?.clear();
}

/** Connects the toaster and shows queued toasts. Returns a function that disconnects it. */
export function connectToaster(next: ToastDisplay): () => void {
  display = next;
  for (const request of queue) next.show(request);
  queue = [];
  return () => {
    display = null;
  };
}
