import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Field } from '../../ui/field.tsx';
import { tellFirstError } from '../../ui/first-error.ts';
import { fromLocalInput, toLocalInput } from '../../ui/form/local-time.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { requiredDate } from '../../ui/lib/calendar-date.ts';
import { visitorZone } from '../../ui/lib/zoned-times.ts';

interface PlanDialogProps {
  publishAt: string | null;
  isSaving: boolean;
  onClose: () => void;
  /** Given the instant, in ISO 8601. */
  onSave: (publishAt: string) => void;
}

const schema = z.object({
  time: requiredDate('Enter a date and a time').refine(
    (time) => Date.parse(fromLocalInput(time)) > Date.now(),
    'Choose a time in the future, or publish it now',
  ),
});

/** Asks when a release is published. */
export function PlanDialog({ publishAt, isSaving, onClose, onSave }: PlanDialogProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(schema),
    defaultValues: { time: toLocalInput(publishAt ?? '') },
  });
  return (
    <FormDialog
      title="Plan the release"
      description="Everything in it is published together at this time. If something stands in the way then, nothing is published and you get a mail."
      submitLabel="Plan"
      isPending={isSaving}
      onClose={onClose}
      onSubmit={handleSubmit(({ time }) => onSave(fromLocalInput(time)), tellFirstError)}
    >
      <Field label="Date and time" help={`In your time zone, ${visitorZone()}.`} error={formState.errors.time?.message}>
        <Input type="datetime-local" data-initial-focus {...register('time')} />
      </Field>
    </FormDialog>
  );
}
