/** Toast that the toaster is asked to show. */
export interface ToastRequest {
  tone: 'success' | 'error';
  title: string;
  description: string | undefined;
  action: ToastAction | undefined;
}

/** A button in a toast. The toast stays longer with one. */
interface ToastAction {
  label: string;
  onClick: () => void;
  /** It does something to the form of the page, and goes with it. */
  isOfForm?: true;
}

interface Display {
  show: (request: ToastRequest) => void;
  /** Takes away the toasts that speak of a page, or of a try, that is over. */
  clear: () => void;
}

/** Requests from before the toaster is on the page. */
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

/** Messages that go away by themselves: `toast.success('Saved')`, `toast.error('Sign in failed', error.message)`. */
export const toast = {
  success: (title: string, description?: string, action?: ToastAction) =>
    request({ tone: 'success', title, description, action }),
  /** Destructive in style; the description carries the reason. */
  error: (title: string, description?: string) => request({ tone: 'error', title, description, action: undefined }),
};

/** Calls the listener with the toasts that wait for the toaster, whenever they change. Returns what stops that. */
export function whenToastsWait(listener: (waiting: readonly ToastRequest[]) => void): () => void {
  onWaiting = listener;
  if (waiting.length > 0) listener(waiting);
  return () => {
    onWaiting = null;
  };
}

/** Forgets the toasts that still wait. */
export function dropWaitingToasts(): void {
  setWaiting([]);
}

/** Takes away the toasts that speak of a page, or of a try, that is over. */
export function clearToastsOfPage(): void {
  display?.clear();
}

/** Shows every toast from now on with `next`, at once those that waited. Returns what disconnects it. */
export function connectToaster(next: Display): () => void {
  display = next;
  for (const request of waiting) next.show(request);
  waiting = [];
  return () => {
    display = null;
  };
}
