/** Toasts on the page. Use them through toast.ts. */
import { toast } from 'sonner';
import type { ToastRequest } from './toast.ts';

/** Duration of a toast with a button in milliseconds. It is long enough to reach the button by keyboard. */
const ACTION_MS = 8000;

/** Toasts that become outdated on navigation or retry. Success toasts are not included. */
const pageToastIds = new Set<string | number>();

export function showToast({ tone, title, description, action }: ToastRequest): void {
  const id =
    tone === 'error'
      ? toast.error(title, { description, className: 'destructive' })
      : toast.success(title, { description, ...(action && { action, duration: ACTION_MS }) });
  if (tone === 'error' || action?.isAboutForm) pageToastIds.add(id);
}

export function clearToasts(): void {
  for (const id of pageToastIds) toast.dismiss(id);
  pageToastIds.clear();
}
