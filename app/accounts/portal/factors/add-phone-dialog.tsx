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
  verifyPhoneCode,
} from '../../factors.ts';
import { CodeStep } from './code-step.tsx';
import { nameSchema } from './name-dialog.tsx';
import { unusedName } from './unused-name.ts';

interface AddPhoneDialogProps {
  takenNames: string[];
  /** Button that opened the dialog. */
  focusAfter: RefObject<HTMLElement | null>;
  onAdded: () => Promise<void>;
  onClose: () => void;
}

/** The authentication service validates the number. */
const schema = nameSchema.extend({ number: z.string().trim().min(1, 'Enter the number') });

type Draft = z.output<typeof schema>;

/** Enrols a phone. Asks for the number, then for the code sent to it. */
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
    <VerifyStep
      phone={phone}
      focusAfter={focusAfter}
      // Ignore the result if the user has gone back in the meantime, or if the code was sent to another number.
      onSent={(challengeId) =>
        setPhone((current) => (current?.id === phone.id ? { ...current, challengeId } : current))
      }
      onVerified={async () => {
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
  const enrol = useMutationWithToasts({ mutationFn: enrolPhone, onSuccess: onSent }, { failure: () => null });
  const onSubmit = handleSubmit((values) =>
    enrol.mutate(values, {
      onError: (error) =>
        setError(isNameTaken(error) ? 'name' : 'number', { message: messageOf(error) }, { shouldFocus: true }),
    }),
  );
  // An enrolment cannot be cancelled before its request has returned.
  const close = () => enrol.isPending || onClose();
  return (
    <FormDialog
      focusAfter={focusAfter}
      title="Add a phone"
      description="We text a code to this phone now and each time you use it to sign in."
      submitLabel="Send code"
      isPending={enrol.isPending}
      onClose={close}
      onSubmit={onSubmit}
    >
      <Field
        label="Phone number"
        help="Include the country code, such as +4741234567."
        error={formState.errors.number?.message}
      >
        <Input data-initial-focus type="tel" autoComplete="tel" {...register('number')} />
      </Field>
      <Field label="Name" help="Helps you recognise this phone in the list." error={formState.errors.name?.message}>
        <Input autoComplete="off" {...register('name')} />
      </Field>
    </FormDialog>
  );
}

interface VerifyStepProps extends Pick<AddPhoneDialogProps, 'focusAfter' | 'onClose'> {
  phone: NewPhone;
  /** Called with the challenge of a new code. Earlier codes become invalid. */
  onSent: (challengeId: string) => void;
  onVerified: () => Promise<void>;
  onBack: () => void;
}

function VerifyStep({ phone, focusAfter, onSent, onVerified, onBack, onClose }: VerifyStepProps) {
  const sendCode = useMutationWithToasts(
    { mutationFn: sendPhoneCode, onSuccess: onSent },
    { success: 'New code sent', failure: 'Could not send the code' },
  );
  return (
    <CodeStep
      title="Enter the code"
      description={`We sent six digits to +${phone.number}. They are valid for five minutes.`}
      submitLabel="Add phone"
      success="Phone added"
      rejectionText="This is not the latest code we sent."
      verify={(code) => verifyPhoneCode({ factorId: phone.id, challengeId: phone.challengeId, code })}
      onVerified={onVerified}
      onClose={onClose}
      focusAfter={focusAfter}
      below={
        <div className="flex flex-wrap gap-3">
          <Button variant="secondary" size="sm" loading={sendCode.isPending} onClick={() => sendCode.mutate(phone.id)}>
            Send again
          </Button>
          <Button variant="ghost" size="sm" onClick={onBack}>
            Change number
          </Button>
        </div>
      }
    />
  );
}
