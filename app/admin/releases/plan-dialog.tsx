import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { fromLocalInput, toLocalInput } from '../../ui/form/local-time.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { requiredDate } from '../../ui/lib/calendar-date.ts';
import { visitorZone } from '../../ui/lib/zoned-times.ts';

interface PlanDialogProps {
  publishAt: string | null;
  isSaving: boolean;
  onClose: () => void;
  /** Called with a time in ISO 8601. */
  onSave: (publishAt: string) => void;
}

const schema = z.object({
  time: requiredDate('Enter a date and a time').refine(
    (time) => Date.parse(fromLocalInput(time)) > Date.now(),
    'Choose a time in the future, or publish it now',
  ),
});

/** Renders a dialog for the publication time of a release. */
export function PlanDialog({ publishAt, isSaving, onClose, onSave }: PlanDialogProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(schema),
    defaultValues: { time: toLocalInput(publishAt ?? '') },
  });
  return (
    <FormDialog
      title="Plan the release"
      description="All changes are published together at this time. If one of them cannot be published, none are, and we email you."
      submitLabel="Plan"
      isPending={isSaving}
      onClose={onClose}
      onSubmit={handleSubmit(({ time }) => onSave(fromLocalInput(time)), showFirstError)}
    >
      <Field label="Date and time" help={`In your time zone, ${visitorZone()}.`} error={formState.errors.time?.message}>
        <Input type="datetime-local" data-initial-focus {...register('time')} />
      </Field>
    </FormDialog>
  );
}
