import { zodResolver } from '@hookform/resolvers/zod';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { tellFirstError } from '../../ui/first-error.ts';
import { Form } from '../../ui/form.tsx';
import { Input } from '../../ui/input.tsx';
import { fromLocalInput, toLocalInput } from '../form/local-time.ts';

interface PlanDialogProps {
  publishAt: string | null;
  isSaving: boolean;
  onClose: () => void;
  /** Given the instant, in ISO 8601. */
  onSave: (publishAt: string) => void;
}

const schema = z.object({
  time: z
    .string()
    .min(1, 'Enter a date and a time')
    .refine((time) => Date.parse(fromLocalInput(time)) > Date.now(), 'Choose a time in the future, or publish it now'),
});

/** Asks when a release is published. */
export function PlanDialog({ publishAt, isSaving, onClose, onSave }: PlanDialogProps) {
  const formId = useId();
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(schema),
    defaultValues: { time: toLocalInput(publishAt ?? '') },
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Plan the release"
      description="Everything in it is published together at this time. If something stands in the way then, nothing is published and you get a mail."
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} loading={isSaving}>
            Plan
          </Button>
        </>
      }
    >
      <Form
        id={formId}
        onSubmit={handleSubmit(({ time }) => onSave(fromLocalInput(time)), tellFirstError)}
        className="grid grid-cols-1 gap-5 pt-1"
      >
        <Field
          label="Date and time"
          help={`In your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`}
          error={formState.errors.time?.message}
        >
          <Input type="datetime-local" data-initial-focus {...register('time')} />
        </Field>
      </Form>
    </Dialog>
  );
}
