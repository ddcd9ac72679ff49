import { restoreMutation } from '../../accounts/registrations.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';

/** Undoes a rejection and tells whether the person had been notified. */
export function useUndoRejection() {
  return useMutationWithToasts(restoreMutation, {
    success: (untold, { email }) => [
      'Rejection undone',
      untold ? `${email} is pending again. No email was sent.` : `${email} is pending again.`,
    ],
    failure: 'Failed to undo the rejection',
  });
}
