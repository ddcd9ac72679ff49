/** What the toaster is asked to show. */
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

type Show = (request: ToastRequest) => void;

/** Requests from before the toaster is on the page. */
let waiting: readonly ToastRequest[] = [];
let show: Show | null = null;
let onWaiting: ((waiting: readonly ToastRequest[]) => void) | null = null;

function request(request: ToastRequest) {
  if (show) return show(request);
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

/** Shows every toast from now on with `display`, at once those that waited. Returns what disconnects it. */
export function connectToaster(display: Show): () => void {
  show = display;
  for (const request of waiting) display(request);
  waiting = [];
  return () => {
    show = null;
  };
}
