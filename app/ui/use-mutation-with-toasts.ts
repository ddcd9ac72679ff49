import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { showError } from './show-error.ts';
import { toast } from './toast.ts';

interface Sentences<Data, Variables> {
  /** Success message. A pair adds a description, undefined shows no toast. */
  success?: Sentence | ((data: Data, variables: Variables) => Sentence | undefined);
  /** Error message, followed by the server's message. Null if the screen handles the error. */
  failure: string | ((error: Error) => string | null);
}

type Sentence = string | readonly [title: string, description: string];

/**
 * Runs a mutation and shows a toast with its result. Write the messages literally, so that they can be found by search:
 *
 *     const remove = useMutationWithToasts(deletePost, {
 *       success: 'Post deleted successfully',
 *       failure: 'Error deleting post',
 *     });
 *     remove.mutate(id, { onSuccess: close });
 *
 * The success toast precedes the mutation's own `onSuccess`, and `isPending` lasts until it settles. Without a
 * network, a mutation fails immediately.
 */
export function useMutationWithToasts<Data, Variables = void, OnMutateResult = unknown>(
  mutation: UseMutationOptions<Data, Error, Variables, OnMutateResult>,
  { success, failure }: Sentences<Data, Variables>,
) {
  return useMutation<Data, Error, Variables, OnMutateResult>({
    networkMode: 'always',
    ...mutation,
    onSuccess: (...args) => {
      const [data, variables] = args;
      const sentence = typeof success === 'function' ? success(data, variables) : success;
      if (sentence !== undefined) toast.success(...toLines(sentence));
      return mutation.onSuccess?.(...args);
    },
    onError: (...args) => {
      const [error] = args;
      const sentence = typeof failure === 'function' ? failure(error) : failure;
      if (sentence !== null) showError(sentence, error);
      return mutation.onError?.(...args);
    },
  });
}

function toLines(sentence: Sentence): readonly [title: string, description?: string] {
  return typeof sentence === 'string' ? [sentence] : sentence;
}
