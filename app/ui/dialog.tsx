import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode, RefObject } from 'react';
import { buttonClass } from './button.tsx';
import { useReturnFocus } from './use-return-focus.ts';

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  /** Buttons at the bottom right. */
  footer?: ReactNode;
  size?: 'md' | 'lg';
  /** Receives keyboard focus if the element that opened the dialog is removed. */
  focusAfter?: RefObject<HTMLElement | null> | undefined;
  children?: ReactNode;
}

export const SCRIM_CLASS = 'fixed inset-0 z-50 bg-scrim data-[state=open]:animate-fade';

/** Excludes file inputs, which are hidden behind a button. */
const FIELD = ':is(input:not([type=file], [type=hidden]), select, textarea):not(:disabled)';

/**
 * Modal dialog with a focus trap. Escape and the overlay close it. Initially focuses the element with
 * `data-initial-focus`, or else the first field, or else the heading. Lazy-loaded fields that have not rendered yet are
 * not focused.
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  footer,
  size = 'md',
  focusAfter,
  children,
}: DialogProps) {
  const returnFocus = useReturnFocus(focusAfter);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={SCRIM_CLASS} />
        <Radix.Content
          onOpenAutoFocus={(event) => {
            returnFocus.onOpenAutoFocus();
            const content = event.currentTarget instanceof Element ? event.currentTarget : null;
            const target =
              content?.querySelector<HTMLElement>('[data-initial-focus]') ??
              content?.querySelector<HTMLElement>(FIELD) ??
              content?.querySelector<HTMLElement>('h2');
            if (!target) return;
            event.preventDefault();
            target.focus();
          }}
          onCloseAutoFocus={returnFocus.onCloseAutoFocus}
          {...(description === undefined && { 'aria-describedby': undefined })}
          className={clsx(
            'fixed inset-x-4 top-1/2 z-50 mx-auto flex max-h-[min(90dvh,54rem)] -translate-y-1/2 flex-col',
            'rounded-lg border border-line bg-surface shadow-lg data-[state=open]:animate-fade',
            size === 'lg' ? 'max-w-4xl' : 'max-w-lg',
          )}
        >
          <header className="flex items-start justify-between gap-4 px-6 pt-5 pb-4">
            <div className="grid gap-1.5">
              <Radix.Title tabIndex={-1} className="text-display-3">
                {title}
              </Radix.Title>
              {description !== undefined && (
                <Radix.Description className="text-[0.9375rem] text-muted">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close
              aria-label="Close"
              className={buttonClass({ variant: 'ghost', size: 'icon' }, '-mr-3 -mt-1.5')}
            >
              <X />
            </Radix.Close>
          </header>
          {/* Space for the focus ring of the first element, which scrolling would clip. */}
          <div className="-mt-1.5 min-h-0 overflow-y-auto px-6 pt-1.5 pb-6">{children}</div>
          {footer && (
            <div className="flex flex-wrap justify-end gap-3 border-t border-line px-6 py-4 max-sm:*:grow">
              {footer}
            </div>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
