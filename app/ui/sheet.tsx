import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode, RefObject } from 'react';
import { buttonClass } from './button.tsx';
import { SCRIM_CLASS } from './dialog.tsx';

interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Accessible name. Render it in the content if it should be visible. */
  title: string;
  side?: 'left' | 'right';
  /** Width and padding. */
  className?: string;
  /** Prints the panel instead of the page while it is open. */
  isPrinted?: boolean;
  /** Receives keyboard focus if the panel was opened from a menu. */
  focusAfter?: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/** Modal panel at the side of the screen. */
export function Sheet({
  open,
  onOpenChange,
  title,
  side = 'right',
  className,
  isPrinted,
  focusAfter,
  children,
}: SheetProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={SCRIM_CLASS} />
        <Radix.Content
          aria-describedby={undefined}
          data-printed={isPrinted || undefined}
          onCloseAutoFocus={() => focusAfter?.current?.focus()}
          className={clsx(
            'fixed inset-y-0 z-50 flex max-w-[calc(100vw-3rem)] flex-col overflow-y-auto border-line bg-surface shadow-lg',
            side === 'left'
              ? 'left-0 border-r data-[state=open]:animate-[slide-in-left_250ms_var(--ease-out)]'
              : 'right-0 border-l data-[state=open]:animate-[slide-in-right_250ms_var(--ease-out)]',
            className ?? 'w-96 p-6',
          )}
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
          <Radix.Close
            aria-label="Close"
            className={buttonClass({ variant: 'ghost', size: 'icon' }, 'absolute top-3 right-3 print:hidden')}
          >
            <X />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
