import type { UseFormReturn } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import type { NewReport, ReportForm } from './result-form.ts';

interface ResultDetailsProps {
  form: UseFormReturn<ReportForm, unknown, NewReport>;
  currency: string;
}

/** Form field for the amount of an opportunity or won deal, or for the reason for a lost deal. */
export function ResultDetails({ form: { register, watch, formState }, currency }: ResultDetailsProps) {
  const status = watch('status');
  const { errors } = formState;
  if (status === 'lost') {
    return (
      <Field label="Reason" required aside="Required" error={errors.reason?.message}>
        <Textarea {...register('reason')} />
      </Field>
    );
  }
  return (
    (status === 'opportunity' || status === 'won') && (
      <Field
        label={`Amount in ${currency}`}
        required={status === 'won'}
        aside={status === 'won' ? 'Required' : 'Optional'}
        help="Viewers do not see amounts."
        error={errors.amount?.message}
      >
        <Input inputMode="decimal" autoComplete="off" {...register('amount')} />
      </Field>
    )
  );
}
