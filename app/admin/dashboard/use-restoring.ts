import { restoreMutation } from '../../accounts/registrations.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';

/** Takes the rejection of a person back and tells whether they had heard of it. */
export function useRestoring() {
  return useMutationWithToasts(restoreMutation, {
    success: (untold, { email }) => [
      'Rejection taken back',
      untold ? `${email} waits for a decision again. No mail was sent.` : `${email} waits for a decision again.`,
    ],
    failure: 'Failed to take the rejection back',
  });
}
