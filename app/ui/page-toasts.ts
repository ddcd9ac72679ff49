/** Toasts on the page, a part of the toaster. Others reach it through toast.ts. */
import { toast } from 'sonner';
import type { ToastRequest } from './toast.ts';

/** Time that a toast with a button stays, in milliseconds: long enough to reach it, by keyboard too. */
const ACTION_MS = 8000;

/**
 * Toasts that mean nothing on another page, or once somebody tries again. News of success stay true, and are not among
 * them.
 */
const ofPage = new Set<string | number>();

export function showToast({ tone, title, description, action }: ToastRequest): void {
  const id =
    tone === 'error'
      ? toast.error(title, { description, className: 'destructive' })
      : toast.success(title, { description, ...(action && { action, duration: ACTION_MS }) });
  if (tone === 'error' || action?.isOfForm) ofPage.add(id);
}

export function clearToasts(): void {
  for (const id of ofPage) toast.dismiss(id);
  ofPage.clear();
}
