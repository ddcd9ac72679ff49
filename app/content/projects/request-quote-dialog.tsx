import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import { METRIC_NAMES, METRICS, type Metric, metricMeaning } from '../../../supabase/functions/metrics.ts';
import { clientNamesQuery } from '../../clients/clients.ts';
import { sumsQuery } from '../../clients/figures/figures.ts';
import { formatCount } from '../../clients/figures/progress.ts';
import { quotableMonths, quoteRequestSchema, requestQuoteMutation } from '../../clients/figures/quotes.ts';
import { sumWithin } from '../../clients/figures/report.ts';
import { useSiteZone } from '../../settings/use-site-zone.ts';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { SaveError } from '../../ui/form/save-error.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { dayOf, formatDay } from '../../ui/lib/zoned-times.ts';
import { Select } from '../../ui/select.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';

/** Dialog that asks a client for approval to quote one of their figures. */
export function RequestQuoteDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const zone = useSiteZone();
  const [months] = useState(() => quotableMonths(dayOf(new Date().toISOString(), zone)));
  const clients = useQuery(clientNamesQuery);
  const { register, handleSubmit, formState, watch } = useForm<z.input<typeof quoteRequestSchema>>({
    resolver: zodResolver(quoteRequestSchema),
    defaultValues: {
      clientId: '',
      metric: 'meetings',
      first: months[2]?.first ?? '',
      last: months[0]?.last ?? '',
    },
  });
  const requestApproval = useMutationWithToasts(requestQuoteMutation, {
    success: 'Request sent to the client',
    failure: 'Error sending the request',
  });
  const { errors } = formState;
  return (
    <FormDialog
      title="Quote a figure"
      description="We ask the client to approve the current figure. The page shows it once they approve."
      submitLabel="Ask the client"
      isPending={requestApproval.isPending}
      onClose={onClose}
      onSubmit={handleSubmit(
        (values) => requestApproval.mutate({ projectId, ...values }, { onSuccess: onClose }),
        showFirstError,
      )}
    >
      <SaveError error={requestApproval.error} />
      <Field label="Client" required aside="Required" error={errors.clientId?.message}>
        <Select data-initial-focus {...register('clientId')}>
          <option value="">{clients.isPending ? 'Loading...' : 'Choose a client'}</option>
          {clients.data?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Figure">
        <Select {...register('metric')}>
          {METRIC_NAMES.map((metric) => (
            <option key={metric} value={metric}>
              {METRICS[metric].label}
            </option>
          ))}
        </Select>
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="First month">
          <Select {...register('first')}>
            {months.map(({ first }) => (
              <option key={first} value={first}>
                {formatMonth(first)}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Last month" error={errors.last?.message}>
          <Select {...register('last')}>
            {months.map(({ last }) => (
              <option key={last} value={last}>
                {formatMonth(last)}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <FigurePreview {...watch()} />
    </FormDialog>
  );
}

function formatMonth(day: string): string {
  return formatDay(day, { month: 'long', year: 'numeric' });
}

interface FigurePreviewProps {
  clientId: string;
  metric: Metric;
  first: string;
  last: string;
}

/** Preview of the selected figure. */
function FigurePreview({ clientId, metric, first, last }: FigurePreviewProps) {
  const isComplete = clientId !== '' && first < last;
  const { data } = useQuery({ ...sumsQuery(clientId, [metric], { first, last }), enabled: isComplete });
  const value = data && sumWithin(data, metric, { first, last });
  return (
    <p role="status" className="min-h-6 text-muted">
      {isComplete &&
        (value === null
          ? 'There is no figure for this period.'
          : typeof value === 'number' && `${formatCount(value)}: ${metricMeaning(metric)}.`)}
    </p>
  );
}
