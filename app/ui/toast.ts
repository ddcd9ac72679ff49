/** What the toaster is asked to show. */
export interface ToastRequest {
  tone: 'success' | 'error';
  title: string;
  description: string | undefined;
}

type Show = (request: ToastRequest) => void;

/** Requests made before the toaster is on the page, which loads with the first of them. */
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

/** The toaster's frame asks to be told when the first toast is wanted. */
export function whenToastIsWanted(listener: () => void): () => void {
  onFirstRequest = listener;
  if (waiting.length > 0) listener();
  return () => {
    onFirstRequest = null;
  };
}

/** The toaster, once on the page, takes over; what waited is shown at once. */
export function connectToaster(display: Show): () => void {
  show = display;
  for (const request of waiting.splice(0)) display(request);
  return () => {
    show = null;
  };
}
