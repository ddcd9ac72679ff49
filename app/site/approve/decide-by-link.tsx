import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { refusalOf } from '../../data/api/error-code.ts';
import { decideByLinkMutation, type LinkVerdict } from '../../data/clients/approval-link.ts';
import type { LinkedVersion } from '../../data/clients/linked-version.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Textarea } from '../../ui/textarea.tsx';

const CHOICES = [
  ['yes', 'Approve', 'primary'],
  ['changes', 'Ask for changes', 'secondary'],
  ['no', 'Decline', 'secondary'],
] as const;

/** Returns what comes of a decision, in words. */
function outcomeOf(verdict: LinkVerdict, kind: LinkedVersion['kind']): string {
  if (verdict === 'no') return `Declined. The ${kind} is not used.`;
  if (verdict === 'changes') {
    return `Sent. You get the changed ${kind} as the next version, and nothing is used before your yes.`;
  }
  return kind === 'list' ? 'Approved, without what was taken off.' : `Approved. We use the ${kind} as it stands.`;
}

/** Takes the decision on a version, once; anything but a yes says what should be different. */
export function DecideByLink({ token, version: { person, kind } }: { token: string; version: LinkedVersion }) {
  const [comment, setComment] = useState('');
  const [lacks, setLacks] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const { mutate, data, error, isPending, isSuccess, variables } = useMutation(decideByLinkMutation);
  const decide = (verdict: LinkVerdict) => {
    const isMissing = verdict !== 'yes' && comment.trim() === '';
    setLacks(isMissing);
    if (isMissing) field.current?.focus();
    else mutate({ token, verdict, comment });
  };
  if (isSuccess && data === null) {
    return (
      <div className="grid justify-items-start gap-4 rounded-md bg-accent-soft p-5">
        <p role="status" className="font-medium">
          {outcomeOf(variables.verdict, kind)}
        </p>
        <Link to="/client-dashboard" className={buttonClass({ variant: 'secondary' })}>
          Go to your dashboard
        </Link>
      </div>
    );
  }
  return (
    <div className="grid gap-5">
      <Field
        label="Comment"
        aside="Needed for changes and for a no"
        error={lacks ? 'Please write what should be different.' : undefined}
      >
        <Textarea ref={field} maxLength={2000} value={comment} onChange={(event) => setComment(event.target.value)} />
      </Field>
      {(error || data) && (
        <p role="alert" className="rounded-md bg-danger-soft p-4 font-medium text-danger">
          {data ?? refusalOf(error) ?? 'Your decision was not taken. Please try again.'}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        {CHOICES.map(([verdict, words, variant]) => (
          <Button
            key={verdict}
            variant={variant}
            loading={isPending && variables.verdict === verdict}
            disabled={isPending}
            onClick={() => decide(verdict)}
          >
            {words}
          </Button>
        ))}
      </div>
      <p className="text-sm text-muted [overflow-wrap:anywhere]">
        You decide as {person}. Decisions stay, and we are told of them by mail.
      </p>
    </div>
  );
}
