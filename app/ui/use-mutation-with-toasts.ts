import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { showError } from './show-error.ts';
import { toast } from './toast.ts';

interface ToastTexts<Data, Variables> {
  /** Success message. A pair adds a description, undefined shows no toast. */
  success?: ToastText | ((data: Data, variables: Variables) => ToastText | undefined);
  /** Error message, followed by the server's message. Null if the screen handles the error. */
  failure: string | ((error: Error) => string | null);
}

type ToastText = string | readonly [title: string, description: string];

/**
 * Runs a mutation and shows a toast with its result. Write the messages literally, so that they can be found by search:
 *
 * const remove = useMutationWithToasts(deletePost, { success: 'Post deleted successfully', failure: 'Error deleting
 * post', }); remove.mutate(id, { onSuccess: close });
 *
 * The success toast precedes the mutation's own `onSuccess`, and `isPending` lasts until it settles. A mutation fails
 * immediately if the browser is offline.
 */
export function useMutationWithToasts<Data, Variables = void, OnMutateResult = unknown>(
  mutation: UseMutationOptions<Data, Error, Variables, OnMutateResult>,
  { success, failure }: ToastTexts<Data, Variables>,
) {
  return useMutation<Data, Error, Variables, OnMutateResult>({
    networkMode: 'always',
    ...mutation,
    onSuccess: (...args) => {
      const [data, variables] = args;
      const toastText = typeof success === 'function' ? success(data, variables) : success;
      if (toastText !== undefined) toast.success(...toLines(toastText));
      return mutation.onSuccess?.(...args);
    },
    onError: (...args) => {
      const [error] = args;
      const toastText = typeof failure === 'function' ? failure(error) : failure;
      if (toastText !== null) showError(toastText, error);
      return mutation.onError?.(...args);
    },
  });
}

function toLines(toastText: ToastText): readonly [title: string, description?: string] {
  return typeof toastText === 'string' ? [toastText] : toastText;
}
