import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { useRef, useState } from 'react';
import { rejectionMessage } from '../../../api/error-code.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Textarea } from '../../../ui/textarea.tsx';
import { decideByLinkMutation } from '../approval-link.ts';
import { CHOICES } from '../choices.ts';
import type { LinkedVersion } from '../linked-version.ts';

type Choice = (typeof CHOICES)[number][0];

function formatOutcome(choice: Choice, kind: LinkedVersion['kind']): string {
  if (choice === 'no') return `Declined. We will not use the ${kind}.`;
  if (choice === 'changes') return `Changes requested. We will send you the changed ${kind} for approval.`;
  if (choice === 'wording') return 'Approved with changes. We will use the text as you wrote it.';
  return kind === 'list' ? 'Approved, without the rows you removed.' : `Approved. We will use the ${kind} as shown.`;
}

interface DecideByLinkProps {
  token: string;
  version: LinkedVersion;
  onDecided: () => void;
}

/** Decision form. A comment is required to request changes or decline, and an edited text to approve with changes. */
export function DecideByLink({ token, version: { person, kind, text }, onDecided }: DecideByLinkProps) {
  const [comment, setComment] = useState('');
  /** Text in the editor. Null until the user starts to edit. */
  const [wording, setWording] = useState<string | null>(null);
  const [choice, setChoice] = useState<Choice>('yes');
  const [isCommentMissing, setCommentMissing] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const { mutate, data, error, isPending, isSuccess } = useMutation({
    ...decideByLinkMutation,
    onSuccess: (refusal) => refusal === null && onDecided(),
  });
  const decide = (value: Choice) => {
    setChoice(value);
    if (value === 'wording' && (wording === null || wording === text)) {
      setWording(wording ?? text);
      return;
    }
    const isMissing = (value === 'changes' || value === 'no') && comment.trim() === '';
    setCommentMissing(isMissing);
    if (isMissing) field.current?.focus();
    else if (value === 'wording') mutate({ token, verdict: 'changes', comment, ...(wording !== null && { wording }) });
    else mutate({ token, verdict: value, comment });
  };
  if (isSuccess && data === null) {
    return (
      <SavedDecision outcome={formatOutcome(choice, kind)} isApproved={choice === 'yes' || choice === 'wording'} />
    );
  }
  return (
    <div className="grid grid-cols-1 gap-5">
      {wording !== null && <WordingField text={wording} onChange={setWording} />}
      <Field
        label="Comment"
        aside="Required to request changes or decline"
        error={isCommentMissing ? 'Describe what should change.' : undefined}
      >
        <Textarea ref={field} maxLength={2000} value={comment} onChange={(event) => setComment(event.target.value)} />
      </Field>
      {(error || data) && (
        <p role="alert" className="rounded-md bg-danger-soft p-4 font-medium text-danger">
          {data ?? rejectionMessage(error) ?? 'Could not save your decision. Please try again.'}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {CHOICES.filter(([value]) => value !== 'wording' || kind === 'text').map(([value, label, variant]) => (
          <Button
            key={value}
            variant={variant}
            loading={isPending && choice === value}
            // The pressed button is not disabled, so that it keeps the focus if saving fails.
            disabled={isPending && choice !== value}
            onClick={() => decide(value)}
          >
            {label}
          </Button>
        ))}
      </div>
      <p className="text-sm text-muted [overflow-wrap:anywhere]">
        You are deciding as {person}. Decisions are final, and we are notified by email.
      </p>
    </div>
  );
}

/** Editor for the text to approve with changes. */
function WordingField({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  return (
    <Field
      label="Your text"
      help="Change the text, then press “Approve with changes”. It is approved exactly as you write it here."
    >
      <Textarea
        // Focus the editor, because the user opened it to type. The clicked button stays mounted below.
        autoFocus
        rows={10}
        maxLength={20_000}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

function SavedDecision({ outcome, isApproved }: { outcome: string; isApproved: boolean }) {
  return (
    <div className={clsx('grid justify-items-start gap-4 rounded-md p-5', isApproved ? 'bg-accent-soft' : 'bg-sunken')}>
      {/* The pressed button is removed, so move focus here. */}
      <p ref={(element) => element?.focus()} tabIndex={-1} role="status" className="font-medium">
        {outcome}
      </p>
      <Link to="/client-dashboard" className={buttonClass({ variant: 'secondary' })}>
        Go to your dashboard
      </Link>
    </div>
  );
}
