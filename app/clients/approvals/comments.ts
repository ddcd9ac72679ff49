/** Comments on approval versions. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import { KEY } from './approvals.ts';

/** Reads the comments on all versions of an approval, oldest first. */
export function commentsQuery(clientId: string, id: string) {
  return queryOptions({
    staleTime: 0,
    queryKey: [...KEY, 'comments', clientId, id],
    queryFn: readAsSignedIn((api) => api.rpc('list_comments', { _client_id: clientId, _approval_id: id })),
  });
}

export const commentSchema = z.object({
  /** Quoted passage. Empty for the whole text. */
  quote: z.string().max(2000, 'Select at most 2,000 characters of the text.'),
  text: z.string().trim().min(1, 'A comment is required').max(2000, 'Write at most 2,000 characters.'),
});

interface CommentInput extends z.output<typeof commentSchema> {
  clientId: string;
  id: string;
  /** Version shown to the user. */
  number: number;
}

export const commentMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id, number, quote, text }: CommentInput) =>
    api.rpc('comment_on_version', {
      _client_id: clientId,
      _approval_id: id,
      _number: number,
      _text: text,
      _quote: quote,
    }),
  ),
  ...reloadOnSettled(KEY),
});
