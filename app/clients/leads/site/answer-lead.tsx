import { useMutation } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { rejectionMessage } from '../../../api/error-code.ts';
import { Button } from '../../../ui/button.tsx';
import { DropdownItem, DropdownMenu } from '../../../ui/dropdown-menu.tsx';
import { Field } from '../../../ui/field.tsx';
import { Textarea } from '../../../ui/textarea.tsx';
import { LeadFacts, LeadHead, LeadHistory, LeadReply } from '../lead-details.tsx';
import { answerByLinkMutation } from '../lead-link.ts';
import { LEAD_STATUSES } from '../lead-schema.ts';
import type { LinkedLead } from '../linked-lead.ts';

/** Answers to a new lead, as buttons. */
const ANSWERS = [
  ['taken', 'Take it'],
  ['not_fit', 'Not a fit'],
] as const;

/** Answers to a lead that was taken, in a menu. */
const LATER_ANSWERS = [
  ['meeting', 'Meeting'],
  ['won', 'Won'],
  ['lost', 'Lost'],
] as const;

type Answer = (typeof ANSWERS | typeof LATER_ANSWERS)[number][0];

interface AnswerLeadProps {
  token: string;
  linked: LinkedLead;
  siteName: string;
  /** True to show the reason field immediately. */
  startsWithReason: boolean;
}

/** Renders a linked lead with buttons to change its status. */
export default function AnswerLead({ token, linked: { lead, person }, siteName, startsWithReason }: AnswerLeadProps) {
  const [isAskingReason, setAskingReason] = useState(startsWithReason && lead.status !== 'not_fit');
  const [reason, setReason] = useState('');
  const [isReasonMissing, setReasonMissing] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const outcome = useRef<HTMLParagraphElement>(null);
  const { mutate, data, error, isPending, isSuccess, variables } = useMutation(answerByLinkMutation);
  const isSaved = isSuccess && data === null;
  const answer = (status: Answer) => {
    const isMissing = status === 'not_fit' && reason.trim() === '';
    setReasonMissing(isMissing && isAskingReason);
    setAskingReason(isAskingReason || isMissing);
    if (isMissing) {
      field.current?.focus();
      return;
    }
    mutate(
      { token, formerStatus: lead.status, status, reason: status === 'not_fit' ? reason : '' },
      {
        onSuccess: (refusal) => {
          if (refusal !== null) return;
          setAskingReason(false);
          setReason('');
          // The pressed button is removed, so move focus to the outcome.
          outcome.current?.focus();
        },
      },
    );
  };
  return (
    <div className="grid grid-cols-1 gap-6">
      <LeadHead lead={lead} />
      <LeadReply lead={lead} />
      <LeadFacts lead={lead} />
      <p
        ref={outcome}
        tabIndex={-1}
        role="status"
        className="font-medium not-empty:rounded-md not-empty:bg-accent-soft not-empty:p-4 empty:sr-only"
      >
        {isSaved &&
          (variables.status === 'taken' ? 'You have taken this lead.' : `Saved: ${LEAD_STATUSES[variables.status]}.`)}
      </p>
      {isAskingReason && <ReasonField ref={field} value={reason} isMissing={isReasonMissing} onChange={setReason} />}
      {(error || data) && (
        <p role="alert" className="rounded-md bg-danger-soft p-4 font-medium text-danger">
          {data ?? rejectionMessage(error) ?? 'Could not save your answer. Please try again.'}
        </p>
      )}
      <Answers
        status={lead.status}
        primary={isAskingReason ? 'not_fit' : 'taken'}
        pending={isPending ? variables.status : null}
        onAnswer={answer}
      />
      <p className="text-sm text-muted [overflow-wrap:anywhere]">
        {`You are answering as ${person}. Opening this page changes nothing. Your colleagues and ${siteName} can see your answer.`}
      </p>
      <LeadHistory lead={lead} />
    </div>
  );
}

interface AnswersProps {
  /** Current status, which is not offered. */
  status: LinkedLead['lead']['status'];
  primary: Answer;
  /** Answer being saved. */
  pending: LinkedLead['lead']['status'] | null;
  onAnswer: (status: Answer) => void;
}

/** Buttons for the first answer, and a menu with the later ones. */
function Answers({ status: current, primary, pending, onAnswer }: AnswersProps) {
  const laterAnswers = LATER_ANSWERS.filter(([status]) => status !== current);
  return (
    <div className="flex flex-wrap gap-2">
      {ANSWERS.filter(([status]) => status !== current).map(([status, label]) => (
        <Button
          key={status}
          variant={status === primary ? 'primary' : 'secondary'}
          loading={pending === status}
          // The pressed button is not disabled, so that it keeps the focus if saving fails.
          disabled={pending !== null && pending !== status}
          onClick={() => onAnswer(status)}
        >
          {label}
        </Button>
      ))}
      <DropdownMenu
        align="start"
        trigger={
          <Button
            variant="ghost"
            aria-label="More answers"
            loading={laterAnswers.some(([status]) => status === pending)}
          >
            More
            <ChevronDown aria-hidden="true" />
          </Button>
        }
      >
        {laterAnswers.map(([status, label]) => (
          <DropdownItem key={status} className="min-h-11" disabled={pending !== null} onSelect={() => onAnswer(status)}>
            {label}
          </DropdownItem>
        ))}
      </DropdownMenu>
    </div>
  );
}

interface ReasonFieldProps {
  ref: RefObject<HTMLTextAreaElement | null>;
  value: string;
  isMissing: boolean;
  onChange: (reason: string) => void;
}

function ReasonField({ ref, value, isMissing, onChange }: ReasonFieldProps) {
  return (
    <Field label="Reason" aside="Required for “Not a fit”" error={isMissing ? 'Enter a reason.' : undefined}>
      {/* Focus the field, because the user opened it to type. */}
      <Textarea ref={ref} autoFocus maxLength={2000} value={value} onChange={({ target }) => onChange(target.value)} />
    </Field>
  );
}
