import { zodResolver } from '@hookform/resolvers/zod';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { tellFirstError } from '../../ui/first-error.ts';
import { LeaveGuard } from '../../ui/form/leave-guard.tsx';
import { Form } from '../../ui/form.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import {
  approveReportMutation,
  discardReportMutation,
  type Report,
  saveSummaryMutation,
  summarySchema,
} from './reports.ts';
import { timeInWords } from './sheet.ts';
import { SuggestSummary } from './suggest-summary.tsx';

interface DraftPanelProps {
  report: Report;
  /** Address that one goes to when the draft is set aside. */
  home: string;
}

/** Edits the summary of a draft, and approves or discards it. The sheet below is sent exactly as it is shown. */
export default function DraftPanel({ report, home }: DraftPanelProps) {
  const form = useForm({
    resolver: zodResolver(summarySchema),
    values: { summary: report.summary },
    resetOptions: { keepDirtyValues: true },
  });
  const { isDirty, errors } = form.formState;
  // A draft by the language model counts as unsaved until a person saves it.
  const isUnsaved = isDirty || report.by_model?.state === 'filled';
  const save = useMutationWithToasts(saveSummaryMutation, {
    success: 'Summary saved successfully',
    failure: 'Error saving the summary',
  });
  const submit = form.handleSubmit(({ summary }) => {
    save.mutate({ report, summary }, { onSuccess: () => form.reset({ summary }) });
  }, tellFirstError);
  return (
    <Card className="grid w-full max-w-3xl grid-cols-1 gap-5 p-6 print:hidden">
      <FormProvider {...form}>
        <LeaveGuard />
        <Form onSubmit={submit} savesByKeyboard className="grid grid-cols-1 gap-4">
          <Field
            label="Summary"
            help="What happened, why, and what you do about it, in a few sentences. The report below adds the figures."
            error={errors.summary?.message}
          >
            <Textarea rows={6} {...form.register('summary')} />
          </Field>
          <div className="flex flex-wrap items-center gap-3">
            <Button
              type="submit"
              variant="secondary"
              loading={save.isPending}
              disabled={!isUnsaved && report.is_summary_current}
            >
              Save the summary
            </Button>
            <SuggestSummary report={report} />
          </div>
        </Form>
      </FormProvider>
      {!report.is_summary_current && (
        <p role="note" className="measure rounded-md bg-warning-soft px-5 py-4">
          The figures changed after this summary was saved. Check the summary and save it again.
        </p>
      )}
      <Decide report={report} home={home} isUnsaved={isUnsaved} />
    </Card>
  );
}

function Decide({ report, home, isUnsaved }: DraftPanelProps & { isUnsaved: boolean }) {
  const navigate = useNavigate();
  // The report as it was read: the open page reads a draft again while the question is shown.
  const [asked, setAsked] = useState<{ what: 'approve' | 'discard'; report: Report } | null>(null);
  const close = () => setAsked(null);
  const approve = useMutationWithToasts(approveReportMutation, {
    success: ['Report sent', 'Its people are mailed, and it stays as it is.'],
    failure: 'The report was not sent',
  });
  const discard = useMutationWithToasts(
    // Before the draft is asked for again, and this panel goes with it.
    { ...discardReportMutation, onSuccess: () => navigate({ to: home }) },
    { success: 'Draft set aside', failure: 'The draft was not set aside' },
  );
  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line pt-5">
      <Button disabled={isUnsaved || !report.is_summary_current} onClick={() => setAsked({ what: 'approve', report })}>
        Approve and send…
      </Button>
      <Button variant="ghost" onClick={() => setAsked({ what: 'discard', report })}>
        Set aside
      </Button>
      {isUnsaved && (
        <p className="text-sm text-muted">Save the summary first. The report is sent exactly as shown below.</p>
      )}
      <ConfirmDialog
        open={asked?.what === 'approve'}
        onOpenChange={close}
        title="Send this report?"
        description={`The people of ${report.client} are mailed that the report of ${timeInWords(report)} is there. Nothing of it can be changed from then on; a correction is a new report.`}
        confirmLabel="Approve and send"
        loading={approve.isPending}
        onConfirm={() => asked && approve.mutate(asked.report, { onSettled: close })}
      />
      <ConfirmDialog
        open={asked?.what === 'discard'}
        onOpenChange={close}
        title="Set this draft aside?"
        description="This draft is discarded and will not be sent. You can create it again under New report."
        confirmLabel="Set aside"
        destructive
        loading={discard.isPending}
        onConfirm={() => discard.mutate(report, { onSettled: close })}
      />
    </div>
  );
}
