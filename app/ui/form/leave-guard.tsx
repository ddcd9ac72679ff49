import { useBlocker } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { useFormState } from 'react-hook-form';
import { ConfirmDialog } from '../confirm-dialog.tsx';

interface LeaveGuardProps {
  /** True from the moment the form was saved: then leaving loses nothing. For forms that are left by saving them. */
  saved?: RefObject<boolean>;
}

/** Asks before the surrounding form's unsaved changes are lost, by a link, a tab, the back button or closing the window. */
export function LeaveGuard({ saved }: LeaveGuardProps) {
  const { isDirty } = useFormState();
  const wouldLose = () => isDirty && !saved?.current;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => wouldLose() && placeOf(current) !== placeOf(next),
    enableBeforeUnload: wouldLose,
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

/** Returns the place of a form: a path with its search (the tab of an editor), never a hash. */
function placeOf({ pathname, search }: { pathname: string; search: object }): string {
  return pathname + JSON.stringify(search);
}
