import { useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { type UnsavedWorkOptions, useUnsavedWork } from './use-unsaved-work.ts';

/** Stores unsaved input of the surrounding form in this browser, and offers to restore earlier input. */
export function UnsavedBar(props: UnsavedWorkOptions) {
  const { offer, restoreInput, discard } = useUnsavedWork(props);
  const bar = useRef<HTMLDivElement>(null);
  const runAndMoveFocus = (action: () => void) => {
    action();
    // The bar unmounts together with the focused button, so move the focus to the first field.
    const field = bar.current?.closest('form')?.querySelector<HTMLElement>('input, textarea, select');
    field?.focus({ preventScroll: true });
  };
  return (
    <div ref={bar} role="status" className="empty:hidden">
      {offer && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-line bg-sunken py-2 pr-3 pl-4 text-[0.9375rem]">
          <p className="mr-auto">You have unsaved changes from an earlier visit.</p>
          <div className="flex flex-wrap gap-x-3 gap-y-1">
            <Button
              variant="secondary"
              size="sm"
              className="py-1 text-left whitespace-normal!"
              onClick={() => runAndMoveFocus(restoreInput)}
            >
              Restore changes made {formatSavedAt(offer.keptAt)}
            </Button>
            <Button variant="link" className="min-h-9 px-1 text-sm" onClick={() => runAndMoveFocus(discard)}>
              Discard
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Formats a timestamp as 'at 13:52' if it is today, otherwise as 'on 20 November at 13:52'. */
function formatSavedAt(timestamp: number): string {
  const date = new Date(timestamp);
  const isToday = date.toDateString() === new Date().toDateString();
  return `${isToday ? '' : `on ${day.format(date)} `}at ${time.format(date)}`;
}
