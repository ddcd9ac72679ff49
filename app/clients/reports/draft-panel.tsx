import { zodResolver } from '@hookform/resolvers/zod';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { LeaveGuard } from '../../ui/form/leave-guard.tsx';
import { Form } from '../../ui/form.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { formatReportPeriod } from './report-texts.ts';
import {
  approveReportMutation,
  discardReportMutation,
  type Report,
  saveSummaryMutation,
  summarySchema,
} from './reports.ts';
import { SuggestSummary } from './suggest-summary.tsx';

interface DraftPanelProps {
  report: Report;
  /** Route to return to after discarding the draft. */
  home: string;
}

/** Edits the summary of a draft, and approves or discards the draft. The sheet below is sent exactly as shown. */
export default function DraftPanel({ report, home }: DraftPanelProps) {
  const form = useForm({
    resolver: zodResolver(summarySchema),
    values: { summary: report.summary },
    resetOptions: { keepDirtyValues: true },
  });
  const { isDirty, errors } = form.formState;
  // A generated summary counts as unsaved until a person saves it.
  const isUnsaved = isDirty || report.by_model?.state === 'done';
  const save = useMutationWithToasts(saveSummaryMutation, {
    success: 'Summary saved successfully',
    failure: 'Could not save the summary',
  });
  const submit = form.handleSubmit(({ summary }) => {
    save.mutate({ report, summary }, { onSuccess: () => form.reset({ summary }) });
  }, showFirstError);
  return (
    <Card className="grid w-full max-w-3xl grid-cols-1 gap-5 p-6 print:hidden">
      <FormProvider {...form}>
        <LeaveGuard />
        <Form onSubmit={submit} savesByKeyboard className="grid grid-cols-1 gap-4">
          <Field
            label="Summary"
            help="What happened, why, and what you will do next, in a few sentences. The report below adds the figures."
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
              Save summary
            </Button>
            <SuggestSummary report={report} />
          </div>
        </Form>
      </FormProvider>
      {!report.is_summary_current && (
        <p role="note" className="measure rounded-md bg-warning-soft px-5 py-4">
          The figures have changed since this summary was saved. Check the summary and save it again.
        </p>
      )}
      <Decide report={report} home={home} isUnsaved={isUnsaved} />
    </Card>
  );
}

function Decide({ report, home, isUnsaved }: DraftPanelProps & { isUnsaved: boolean }) {
  const navigate = useNavigate();
  // Keep the displayed report, because an open draft is refetched while the dialog is open.
  const [dialog, setDialog] = useState<{ action: 'approve' | 'discard'; report: Report } | null>(null);
  const close = () => setDialog(null);
  const approve = useMutationWithToasts(approveReportMutation, {
    success: ['Report sent', 'The client is notified by email. The report can no longer be changed.'],
    failure: 'Could not send the report',
  });
  const discard = useMutationWithToasts(
    // Navigate before the draft is refetched, which unmounts this panel.
    { ...discardReportMutation, onSuccess: () => navigate({ to: home }) },
    { success: 'Draft discarded', failure: 'Could not discard the draft' },
  );
  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line pt-5">
      <Button
        disabled={isUnsaved || !report.is_summary_current}
        onClick={() => setDialog({ action: 'approve', report })}
      >
        Approve and send…
      </Button>
      <Button variant="ghost" onClick={() => setDialog({ action: 'discard', report })}>
        Discard draft
      </Button>
      {isUnsaved && (
        <p className="text-sm text-muted">Save the summary first. The report is sent exactly as shown below.</p>
      )}
      <ConfirmDialog
        open={dialog?.action === 'approve'}
        onOpenChange={close}
        title="Send this report?"
        description={`We will email the people at ${report.client} that the report for ${formatReportPeriod(report)} is ready. It cannot be changed afterwards. To correct it, create a new report.`}
        confirmLabel="Approve and send"
        loading={approve.isPending}
        onConfirm={() => dialog && approve.mutate(dialog.report, { onSettled: close })}
      />
      <ConfirmDialog
        open={dialog?.action === 'discard'}
        onOpenChange={close}
        title="Discard this draft?"
        description="This draft will be discarded and not sent. You can create it again under New report."
        confirmLabel="Discard draft"
        destructive
        loading={discard.isPending}
        onConfirm={() => discard.mutate(report, { onSettled: close })}
      />
    </div>
  );
}
