import { AlertDialog as Radix } from 'radix-ui';
import type { ReactNode, RefObject } from 'react';
import { Button } from './button.tsx';
import { SCRIM_CLASS } from './dialog.tsx';
import { useReturnFocus } from './use-return-focus.ts';

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: ReactNode;
  /** Label of the confirm button. */
  confirmLabel: string;
  cancelLabel?: string;
  /** True for destructive actions. */
  destructive?: boolean;
  loading?: boolean;
  /** Receives keyboard focus if the element that opened the dialog is removed. */
  focusAfter?: RefObject<HTMLElement | null>;
  /** Called on confirmation. The caller closes the dialog by changing `open`. */
  onConfirm: () => void;
}

/** Confirmation for irreversible actions. Focus starts on Cancel, and a click outside does not close the dialog. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onOpenChange, title, description, confirmLabel, cancelLabel = 'Cancel', onConfirm } = props;
  const returnFocus = useReturnFocus(props.focusAfter);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={SCRIM_CLASS} />
        <Radix.Content
          {...returnFocus}
          className="fixed inset-x-4 top-1/2 z-50 mx-auto grid max-w-md -translate-y-1/2 gap-2 rounded-lg border border-line bg-surface p-6 shadow-lg data-[state=open]:animate-fade"
        >
          <Radix.Title className="text-display-3">{title}</Radix.Title>
          <Radix.Description className="text-[0.9375rem] text-muted [overflow-wrap:anywhere]">
            {description}
          </Radix.Description>
          <div className="mt-4 flex flex-wrap justify-end gap-3">
            <Radix.Cancel asChild>
              <Button variant="secondary">{cancelLabel}</Button>
            </Radix.Cancel>
            <Button variant={props.destructive ? 'danger' : 'primary'} loading={props.loading} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
