import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { tellFailure } from './show-error.ts';
import { toast } from './toast.ts';

interface Sentences<Data, Variables> {
  /** Sentence for success; a pair has a second line, undefined shows no toast. */
  success?: Sentence | ((data: Data, variables: Variables) => Sentence | undefined);
  /** Sentence for failure, with the backend's words below; null for an error that the screen itself answers. */
  failure: string | ((error: Error) => string | null);
}

type Sentence = string | readonly [title: string, description: string];

/**
 * Runs a mutation that tells its outcome. The sentences stand literally at the place of the action, so that a search
 * for one finds it:
 *
 *     const remove = useMutationWithToasts(deletePost, {
 *       success: 'Post deleted successfully',
 *       failure: 'Error deleting post',
 *     });
 *     remove.mutate(id, { onSuccess: close });
 *
 * Success is told before the mutation's own `onSuccess`; `isPending` lasts until that is through. Without a network a
 * mutation fails at once instead of waiting for one.
 */
export function useMutationWithToasts<Data, Variables = void, OnMutateResult = unknown>(
  mutation: UseMutationOptions<Data, Error, Variables, OnMutateResult>,
  { success, failure }: Sentences<Data, Variables>,
) {
  return useMutation<Data, Error, Variables, OnMutateResult>({
    networkMode: 'always',
    ...mutation,
    onSuccess: (...done) => {
      const [data, variables] = done;
      const sentence = typeof success === 'function' ? success(data, variables) : success;
      if (sentence !== undefined) toast.success(...toLines(sentence));
      return mutation.onSuccess?.(...done);
    },
    onError: (...failed) => {
      const [error] = failed;
      const sentence = typeof failure === 'function' ? failure(error) : failure;
      if (sentence !== null) tellFailure(sentence, error);
      return mutation.onError?.(...failed);
    },
  });
}

function toLines(sentence: Sentence): readonly [title: string, description?: string] {
  return typeof sentence === 'string' ? [sentence] : sentence;
}
