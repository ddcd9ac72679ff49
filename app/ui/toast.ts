/** What the toaster is asked to show. */
export interface ToastRequest {
  tone: 'success' | 'error';
  title: string;
  description: string | undefined;
}

type Show = (request: ToastRequest) => void;

/** Requests from before the toaster is on the page; its code loads with the first of them. */
const waiting: ToastRequest[] = [];
let show: Show | null = null;
let onFirstRequest: (() => void) | null = null;

function request(tone: ToastRequest['tone'], title: string, description?: string) {
  if (show) return show({ tone, title, description });
  waiting.push({ tone, title, description });
  onFirstRequest?.();
}

/** Messages that go away by themselves: `toast.success('Saved')`, `toast.error('Sign in failed', error.message)`. */
export const toast = {
  success: (title: string, description?: string) => request('success', title, description),
  /** Destructive in style; the description carries the reason. */
  error: (title: string, description?: string) => request('error', title, description),
};

/** Calls the listener when the first toast is requested. Returns what stops that. */
export function whenToastIsWanted(listener: () => void): () => void {
  onFirstRequest = listener;
  if (waiting.length > 0) listener();
  return () => {
    onFirstRequest = null;
  };
}

/** Shows every toast from now on with `display`, at once those that waited. Returns what disconnects it. */
export function connectToaster(display: Show): () => void {
  show = display;
  for (const request of waiting.splice(0)) display(request);
  return () => {
    show = null;
  };
}
