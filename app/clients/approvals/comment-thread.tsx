import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { splitSentences } from '../../ui/lib/sentences.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Approval } from './approvals.ts';
import { commentMutation, commentSchema, commentsQuery } from './comments.ts';

interface CommentsProps {
  clientId: string;
  approval: Approval;
  /** False for impersonated views. */
  canComment: boolean;
}

/** Comments on an approval, loaded when expanded, with a form to add a comment. */
export function Comments({ clientId, approval, canComment }: CommentsProps) {
  const [isOpen, setOpen] = useState(false);
  const [isWriting, setWriting] = useState(false);
  const { comment_count: count, title } = approval;
  if (count === 0 && !canComment) return null;
  return (
    <div className="grid grid-cols-1 gap-3">
      {count > 0 && (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary className="w-fit cursor-pointer rounded-sm text-sm text-muted hover:text-ink">
            {count === 1 ? '1 comment' : `${count} comments`}
          </summary>
          {isOpen && <CommentList clientId={clientId} approval={approval} />}
        </details>
      )}
      {canComment && (
        <Button
          variant="link"
          className="justify-self-start text-sm"
          aria-label={`Comment on ${title}`}
          onClick={() => setWriting(true)}
        >
          Comment
        </Button>
      )}
      {isWriting && <CommentDialog clientId={clientId} approval={approval} onClose={() => setWriting(false)} />}
    </div>
  );
}

function CommentList({ clientId, approval: { id, title } }: Pick<CommentsProps, 'clientId' | 'approval'>) {
  const { data, error, isPending, refetch } = useQuery(commentsQuery(clientId, id));
  if (isPending) return <Skeleton className="mt-3 h-16 rounded-md" />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return (
    <ol aria-label={`Comments on ${title}`} className="mt-3 grid grid-cols-1 gap-4">
      {data.map((comment) => (
        <li key={comment.id} className="grid gap-1 [overflow-wrap:anywhere]">
          <p className="text-sm text-muted">
            {[comment.written_by || (comment.is_team ? 'Our team' : 'A colleague'), `version ${comment.number}`]
              .concat(formatTime(comment.created_at))
              .join(' · ')}
          </p>
          {comment.quote !== '' && (
            <blockquote className="measure border-l-2 border-line-strong pl-4 text-muted whitespace-pre-line">
              {comment.quote}
            </blockquote>
          )}
          <p className="measure whitespace-pre-line">{comment.text}</p>
        </li>
      ))}
    </ol>
  );
}

interface CommentDialogProps extends Pick<CommentsProps, 'clientId' | 'approval'> {
  onClose: () => void;
}

function CommentDialog({ clientId, approval: { id, number, kind, title, text }, onClose }: CommentDialogProps) {
  // Keep the displayed version, because a newer version may arrive while the user types.
  const [openedNumber] = useState(number);
  const [sentences] = useState(kind === 'text' ? splitSentences(text) : []);
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(commentSchema),
    defaultValues: { quote: '', text: '' },
  });
  const comment = useMutationWithToasts(commentMutation, {
    success: 'Comment added',
    failure: 'Could not save your comment',
  });
  return (
    <FormDialog
      title="Comment"
      description={`On “${title}”, version ${openedNumber}. Both sides can see comments. A comment is not a decision.`}
      submitLabel="Comment"
      savesByKeyboard
      isPending={comment.isPending}
      onClose={onClose}
      onSubmit={handleSubmit(
        (values) => comment.mutate({ clientId, id, number: openedNumber, ...values }, { onSuccess: onClose }),
        showFirstError,
      )}
    >
      {sentences.length > 0 && (
        <Field label="Passage">
          <Select {...register('quote')}>
            <option value="">The whole text</option>
            {sentences.map((sentence) => (
              <option key={sentence} value={sentence}>
                {sentence.length > 90 ? `${sentence.slice(0, 90)}…` : sentence}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <Field label="Comment" required error={formState.errors.text?.message}>
        <Textarea data-initial-focus {...register('text')} />
      </Field>
    </FormDialog>
  );
}
