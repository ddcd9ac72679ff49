import { useBlocker } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { useFormState } from 'react-hook-form';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

interface LeaveGuardProps {
  /** True from the moment the form was saved: then leaving loses nothing. */
  saved: RefObject<boolean>;
}

/** Asks before the surrounding form's unsaved changes are lost, by a link, the back button or closing the tab. */
export function LeaveGuard({ saved }: LeaveGuardProps) {
  const { isDirty } = useFormState();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && !saved.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty && !saved.current,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      open={status === 'blocked'}
      onOpenChange={(open) => !open && reset?.()}
      title="Leave without saving?"
      description="Your changes on this page are not saved yet."
      confirmLabel="Leave"
      cancelLabel="Stay"
      destructive
      onConfirm={() => proceed?.()}
    />
  );
}
