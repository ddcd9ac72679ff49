import { zodResolver } from '@hookform/resolvers/zod';
import { type RefObject, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Input } from '../../../ui/input.tsx';
import { messageOf } from '../../../ui/show-error.ts';
import { useMutationWithToasts } from '../../../ui/use-mutation-with-toasts.ts';
import {
  cancelEnrolment,
  enrolPhone,
  isNameTaken,
  type NewPhone,
  sendPhoneCode,
  showPhoneCode,
} from '../../factors.ts';
import { CodeStep } from './code-step.tsx';
import { nameSchema } from './name-dialog.tsx';
import { unusedName } from './unused-name.ts';

interface AddPhoneDialogProps {
  takenNames: string[];
  /** The button that opened this. */
  focusAfter: RefObject<HTMLElement | null>;
  onAdded: () => Promise<void>;
  onClose: () => void;
}

/** The authentication service decides about the form of a number. */
const schema = nameSchema.extend({ number: z.string().trim().min(1, 'Enter the number.') });

type Draft = z.output<typeof schema>;

/** Enrols a phone: its number, then the code that is sent to it. */
export function AddPhoneDialog({ takenNames, focusAfter, onAdded, onClose }: AddPhoneDialogProps) {
  const [draft, setDraft] = useState<Draft>(() => ({ number: '', name: unusedName('Phone', takenNames) }));
  const [phone, setPhone] = useState<NewPhone | null>(null);
  if (!phone) {
    return (
      <NumberStep
        draft={draft}
        focusAfter={focusAfter}
        onSent={(sent, sentDraft) => {
          setDraft(sentDraft);
          setPhone(sent);
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <SentStep
      phone={phone}
      focusAfter={focusAfter}
      // Somebody who went back meanwhile is not brought here again, nor is it the code of another number.
      onSent={(challengeId) => setPhone((now) => (now?.id === phone.id ? { ...now, challengeId } : now))}
      onShown={async () => {
        await onAdded();
        onClose();
      }}
      onBack={() => {
        void cancelEnrolment(phone.id);
        setPhone(null);
      }}
      onClose={() => {
        void cancelEnrolment(phone.id);
        onClose();
      }}
    />
  );
}

interface NumberStepProps extends Pick<AddPhoneDialogProps, 'focusAfter' | 'onClose'> {
  draft: Draft;
  onSent: (phone: NewPhone, draft: Draft) => void;
}

function NumberStep({ draft, focusAfter, onSent, onClose }: NumberStepProps) {
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(schema),
    defaultValues: draft,
  });
  const enrolling = useMutationWithToasts({ mutationFn: enrolPhone, onSuccess: onSent }, { failure: () => null });
  const onSubmit = handleSubmit((values) =>
    enrolling.mutate(values, {
      onError: (error) =>
        setError(isNameTaken(error) ? 'name' : 'number', { message: messageOf(error) }, { shouldFocus: true }),
    }),
  );
  // Closed before the answer, it could not end the enrolment that it began.
  const close = () => enrolling.isPending || onClose();
  return (
    <FormDialog
      focusAfter={focusAfter}
      title="Add a phone"
      description="We send a code to it in a text message, now and whenever you sign in with it."
      submitLabel="Send the code"
      isPending={enrolling.isPending}
      onClose={close}
      onSubmit={onSubmit}
    >
      <Field
        label="Phone number"
        help="With the code of the country, such as +4741234567."
        error={formState.errors.number?.message}
      >
        <Input data-initial-focus type="tel" autoComplete="tel" {...register('number')} />
      </Field>
      <Field label="Name" help="So that you know it again in this list." error={formState.errors.name?.message}>
        <Input autoComplete="off" {...register('name')} />
      </Field>
    </FormDialog>
  );
}

interface SentStepProps extends Pick<AddPhoneDialogProps, 'focusAfter' | 'onClose'> {
  phone: NewPhone;
  /** Called with the challenge of another code; the ones before are void. */
  onSent: (challengeId: string) => void;
  onShown: () => Promise<void>;
  onBack: () => void;
}

function SentStep({ phone, focusAfter, onSent, onShown, onBack, onClose }: SentStepProps) {
  const sending = useMutationWithToasts(
    { mutationFn: sendPhoneCode, onSuccess: onSent },
    { success: 'Another code is on its way', failure: 'The code was not sent' },
  );
  return (
    <CodeStep
      title="Enter the code"
      description={`We sent six digits to +${phone.number}. They are good for five minutes.`}
      submitLabel="Add the phone"
      success="Phone added"
      wrong="This is not the code of the last message."
      show={(code) => showPhoneCode({ factorId: phone.id, challengeId: phone.challengeId, code })}
      onShown={onShown}
      onClose={onClose}
      focusAfter={focusAfter}
      below={
        <div className="flex flex-wrap gap-3">
          <Button variant="secondary" size="sm" loading={sending.isPending} onClick={() => sending.mutate(phone.id)}>
            Send again
          </Button>
          <Button variant="ghost" size="sm" onClick={onBack}>
            Change the number
          </Button>
        </div>
      }
    />
  );
}
