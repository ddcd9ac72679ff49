import { restoreMutation } from '../../accounts/registrations.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';

/** Undoes a rejection. The toast mentions if the person has not been notified. */
export function useUndoRejection() {
  return useMutationWithToasts(restoreMutation, {
    success: (isNotificationPending, { email }) => [
      'Rejection undone',
      isNotificationPending ? `${email} is pending again. No email was sent.` : `${email} is pending again.`,
    ],
    failure: 'Could not undo the rejection',
  });
}
