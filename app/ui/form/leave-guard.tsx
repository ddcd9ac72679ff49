import { useBlocker } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { useFormState } from 'react-hook-form';
import { ConfirmDialog } from '../confirm-dialog.tsx';

interface LeaveGuardProps {
  /** True after a save that closes the form. */
  saved?: RefObject<boolean>;
}

/** Warns about unsaved changes before navigation, tab changes, and closing the window. */
export function LeaveGuard({ saved }: LeaveGuardProps) {
  const { isDirty } = useFormState();
  const losesChanges = () => isDirty && !saved?.current;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => losesChanges() && formUrl(current) !== formUrl(next),
    enableBeforeUnload: losesChanges,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      open={status === 'blocked'}
      onOpenChange={(open) => !open && reset?.()}
      title="Leave without saving?"
      description="Your changes on this page have not been saved."
      confirmLabel="Leave"
      cancelLabel="Stay"
      destructive
      onConfirm={() => proceed?.()}
    />
  );
}

/** Returns the path and search of a URL, which identify a form. The hash is ignored. */
function formUrl({ pathname, search }: { pathname: string; search: object }): string {
  return pathname + JSON.stringify(search);
}
