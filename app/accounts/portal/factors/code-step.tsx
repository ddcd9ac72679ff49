import type { ReactNode, RefObject } from 'react';
import { useForm } from 'react-hook-form';
import { Field } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Input } from '../../../ui/input.tsx';
import { messageOf } from '../../../ui/show-error.ts';
import { useMutationWithToasts } from '../../../ui/use-mutation-with-toasts.ts';
import { isWrongCode } from '../../factors.ts';

interface CodeStepProps {
  title: string;
  description: string;
  submitLabel: string;
  /** Toast that is shown after the factor is added. */
  success: string;
  /** Field error if the code is rejected. */
  rejectionText: string;
  verify: (code: string) => Promise<void>;
  onVerified: () => Promise<void>;
  onClose: () => void;
  /** Button that started the enrolment. */
  focusAfter: RefObject<HTMLElement | null>;
  /** Content above the field. */
  above?: ReactNode;
  /** Content below the field. */
  below?: ReactNode;
}

/** Last step of an enrolment. Asks for the first code of the new factor. */
export function CodeStep({
  title,
  description,
  submitLabel,
  success,
  rejectionText,
  verify,
  onVerified,
  ...rest
}: CodeStepProps) {
  const { onClose, focusAfter, above, below } = rest;
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { code: '' } });
  const verifyCode = useMutationWithToasts(
    { mutationFn: verify, onSuccess: onVerified },
    { success: [success, 'Create recovery codes in case you lose this factor.'], failure: () => null },
  );
  const showFieldError = (message: string) => setError('code', { message }, { shouldFocus: true });
  const onSubmit = handleSubmit(({ code }) => {
    if (!/^\s*(\d\s*){6}$/.test(code)) return showFieldError('Enter the six digits');
    verifyCode.mutate(code, {
      onError: (error) => showFieldError(isWrongCode(error) ? rejectionText : messageOf(error)),
    });
  });
  // Closing the dialog during verification would hide the result.
  const close = () => verifyCode.isPending || onClose();
  return (
    <FormDialog
      focusAfter={focusAfter}
      title={title}
      description={description}
      submitLabel={submitLabel}
      isPending={verifyCode.isPending}
      onClose={close}
      onSubmit={onSubmit}
    >
      {above}
      <Field label="Code" error={formState.errors.code?.message}>
        <Input
          data-initial-focus
          inputMode="numeric"
          autoComplete="one-time-code"
          className="font-mono tracking-wider"
          {...register('code')}
        />
      </Field>
      {below}
    </FormDialog>
  );
}
