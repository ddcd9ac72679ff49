/** Toast to show. */
export interface ToastRequest {
  tone: 'success' | 'error';
  title: string;
  description: string | undefined;
  action: ToastAction | undefined;
}

/** Button in a toast, which is then shown longer. */
interface ToastAction {
  label: string;
  onClick: () => void;
  /** True if it changes the form of the page. The toast is removed with the form. */
  isOfForm?: true;
}

interface Display {
  show: (request: ToastRequest) => void;
  /** Removes outdated toasts after navigation or a retry. */
  clear: () => void;
}

/** Toasts queued before the toaster is mounted. */
let waiting: readonly ToastRequest[] = [];
let display: Display | null = null;
let onWaiting: ((waiting: readonly ToastRequest[]) => void) | null = null;

function request(request: ToastRequest) {
  if (display) return display.show(request);
  setWaiting([...waiting, request]);
}

function setWaiting(requests: readonly ToastRequest[]) {
  waiting = requests;
  onWaiting?.(waiting);
}

/** Temporary messages: `toast.success('Saved')`, `toast.error('Sign in failed', error.message)`. */
export const toast = {
  success: (title: string, description?: string, action?: ToastAction) =>
    request({ tone: 'success', title, description, action }),
  /** Destructive style. The description contains the reason. */
  error: (title: string, description?: string) => request({ tone: 'error', title, description, action: undefined }),
};

/** Calls the listener with queued toasts when they change. Returns a function that unsubscribes. */
export function whenToastsWait(listener: (waiting: readonly ToastRequest[]) => void): () => void {
  onWaiting = listener;
  if (waiting.length > 0) listener(waiting);
  return () => {
    onWaiting = null;
  };
}

/** Discards queued toasts. */
export function discardQueuedToasts(): void {
  setWaiting([]);
}

/** Removes outdated toasts after navigation or a retry. */
export function clearToastsOfPage(): void {
  display?.clear();
}

/** Connects the toaster and shows queued toasts. Returns a function that disconnects it. */
export function connectToaster(next: Display): () => void {
  display = next;
  for (const request of waiting) next.show(request);
  waiting = [];
  return () => {
    display = null;
  };
}
