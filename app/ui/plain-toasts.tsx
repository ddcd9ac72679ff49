import { Button } from './button.tsx';
import { discardQueuedToasts, type ToastRequest } from './toast.ts';

/** Fallback that shows toasts if the toaster cannot be loaded. */
export function PlainToasts({ queuedToasts }: { queuedToasts: readonly ToastRequest[] }) {
  const messages = new Set(
    queuedToasts.map(({ title, description }) => [title, description].filter(Boolean).join(': ')),
  );
  return (
    <div
      role="alert"
      className="fixed right-4 bottom-(--toasts-bottom) left-4 z-50 ml-auto grid max-w-md justify-items-start gap-3 rounded-md border border-line bg-surface p-4 text-ink shadow-lg"
    >
      {[...messages].map((message) => (
        <p key={message} className="wrap-anywhere">
          {message}
        </p>
      ))}
      <Button variant="secondary" size="sm" onClick={discardQueuedToasts}>
        Close
      </Button>
    </div>
  );
}
