import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useForm } from 'react-hook-form';
import { rejectionMessage } from '../../../api/error-code.ts';
import { Button } from '../../../ui/button.tsx';
import { formatTime } from '../../../ui/lib/format-time.ts';
import type { LinkedMeeting } from '../linked-meeting.ts';
import { meetingName, RESULTS } from '../meeting-details.ts';
import { ResultDetails } from '../result-details.tsx';
import { formatReport, type NewReport, type ReportForm, reportArguments, reportSchema } from '../result-form.ts';
import { reportByLinkMutation } from '../result-link.ts';

interface AnswerResultProps {
  token: string;
  linked: LinkedMeeting;
  siteName: string;
}

/** Renders a linked meeting with the form for its result. */
export default function AnswerResult({ token, linked, siteName }: AnswerResultProps) {
  const { report, currency, person } = linked;
  const form = useForm<ReportForm, unknown, NewReport>({
    resolver: zodResolver(reportSchema),
    defaultValues: { status: '', amount: '', reason: '' },
  });
  const outcome = useRef<HTMLParagraphElement>(null);
  const { mutate, data, error, isPending, isSuccess } = useMutation(reportByLinkMutation);
  const save = (result: NewReport) =>
    mutate(
      { token, lastSeenNumber: report?.number ?? 0, report: reportArguments(result) },
      {
        onSuccess: (refusal) => {
          if (refusal !== null) return;
          form.reset();
          outcome.current?.focus();
        },
      },
    );
  return (
    <form noValidate onSubmit={form.handleSubmit(save)} className="grid grid-cols-1 gap-6">
      <MeetingHead linked={linked} />
      <p
        ref={outcome}
        tabIndex={-1}
        role="status"
        className="font-medium not-empty:rounded-md not-empty:bg-accent-soft not-empty:p-4 empty:sr-only"
      >
        {isSuccess && data === null && 'Your answer is saved. You can change it here.'}
      </p>
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-sm font-medium">What was the result of this meeting?</legend>
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
          {Object.entries(RESULTS).map(([value, label]) => (
            <label
              key={value}
              className="flex min-h-11 cursor-pointer items-center gap-3 rounded-md border border-line-strong bg-surface p-4 font-medium transition-colors duration-150 hover:border-ink has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                value={value}
                className="size-4 accent-accent outline-none"
                {...form.register('status')}
              />
              {label}
            </label>
          ))}
        </div>
        <p role="status" className="text-sm font-medium text-danger empty:hidden">
          {form.formState.errors.status?.message}
        </p>
      </fieldset>
      <ResultDetails form={form} currency={currency} />
      {(error || data) && (
        <p role="alert" className="rounded-md bg-danger-soft p-4 font-medium text-danger">
          {data ?? rejectionMessage(error) ?? 'Could not save your answer. Please try again.'}
        </p>
      )}
      <Button type="submit" loading={isPending} className="justify-self-start">
        Save
      </Button>
      <p className="text-sm text-muted [overflow-wrap:anywhere]">
        {`You are answering as ${person}. Opening this page changes nothing. Your colleagues and ${siteName} can see your answer.`}
      </p>
    </form>
  );
}

/** Shows the person, time and latest result. */
function MeetingHead({ linked: { met_with, starts_at, report, currency } }: Pick<AnswerResultProps, 'linked'>) {
  return (
    <header className="grid justify-items-start gap-2">
      <h2 className="text-xl font-semibold [overflow-wrap:anywhere]">{meetingName({ met_with })}</h2>
      <time className="text-muted" dateTime={starts_at}>
        {formatTime(starts_at)}
      </time>
      <p className="[overflow-wrap:anywhere]">
        <span className="text-muted">Result: </span>
        <span className="font-medium">{report ? formatReport(report, currency) : 'Not reported'}</span>
        {report && <span className="text-muted">{report.by !== '' && `, ${report.by}`}</span>}
      </p>
      {report && report.reason !== '' && (
        <p className="measure text-muted whitespace-pre-line [overflow-wrap:anywhere]">{report.reason}</p>
      )}
    </header>
  );
}
