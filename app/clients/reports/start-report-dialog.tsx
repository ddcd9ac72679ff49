import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Field } from '../../ui/field.tsx';
import { SaveError } from '../../ui/form/save-error.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Client } from '../clients.ts';
import { periodOptions, type Span } from '../figures/report.ts';
import { startReportMutation } from './reports.ts';

interface StartReportDialogProps {
  client: Client;
  onClose: () => void;
}

/** Asks for the week or month of a report and opens its draft. */
export function StartReportDialog({ client, onClose }: StartReportDialogProps) {
  const navigate = useNavigate();
  const [span, setSpan] = useState<Span>('week');
  const [firstDay, setFirstDay] = useState<string>();
  const [now] = useState(() => new Date().toISOString());
  const start = useMutationWithToasts(startReportMutation, { failure: 'Could not create the report' });
  // The first choice is the current period, which has not ended yet.
  const choices = periodOptions(span, client, now).slice(1);
  const period = choices.find((choice) => choice.first === firstDay) ?? choices[0];
  return (
    <FormDialog
      title="New report"
      description={`Creates a draft for ${client.name} with the figures filled in. Nothing is sent until you approve it.`}
      submitLabel="Create draft"
      isPending={start.isPending}
      onClose={onClose}
      onSubmit={async (event) => {
        event.preventDefault();
        if (!period) return;
        start.mutate(
          { clientId: client.id, span, firstDay: period.first },
          { onSuccess: (id) => void navigate({ to: '/reports/$id', params: { id } }) },
        );
      }}
    >
      <SaveError error={start.error} />
      <Field label="Report type">
        <Select
          data-initial-focus
          value={span}
          onChange={(event) => setSpan(event.target.value === 'month' ? 'month' : 'week')}
        >
          <option value="week">Week</option>
          <option value="month">Month</option>
        </Select>
      </Field>
      <Field label="Period">
        <Select value={period?.first} onChange={(event) => setFirstDay(event.target.value)}>
          {choices.map((choice) => (
            <option key={choice.first} value={choice.first}>
              {choice.label}
            </option>
          ))}
        </Select>
      </Field>
    </FormDialog>
  );
}
