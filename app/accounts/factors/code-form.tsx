import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Input } from '../../ui/input.tsx';
import { messageOf } from '../../ui/show-error.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { isWrongCode } from '../factors.ts';

const anyCode = z.object({ code: z.string().trim().min(1, 'Enter the code') });
const sixDigits = z.object({ code: z.string().regex(/^\s*(\d\s*){6}$/, 'Enter the six digits') });

interface CodeFormProps {
  label: string;
  help: string;
  /** True if the code has six digits. */
  isNumeric?: boolean;
  /** Shown below the field if the code is rejected. */
  rejectionText: string;
  submitLabel?: string;
  verify: (code: string) => Promise<void>;
  onVerified: () => Promise<void> | void;
}

/** Form for a code. Focuses the field on mount if the previously focused element was removed. */
export function CodeForm({
  label,
  help,
  isNumeric = false,
  rejectionText,
  submitLabel = 'Continue',
  verify,
  onVerified,
}: CodeFormProps) {
  const { register, handleSubmit, formState, setError, setFocus } = useForm({
    resolver: zodResolver(isNumeric ? sixDigits : anyCode),
    defaultValues: { code: '' },
  });
  useEffect(() => {
    if (document.activeElement?.matches('body, [role=dialog]')) setFocus('code');
  }, [setFocus]);
  const verification = useMutationWithToasts(
    { mutationFn: verify, onSuccess: () => onVerified() },
    { failure: () => null },
  );
  const onSubmit = handleSubmit(({ code }) =>
    verification.mutate(code, {
      onError: (error) =>
        setError('code', { message: isWrongCode(error) ? rejectionText : messageOf(error) }, { shouldFocus: true }),
    }),
  );
  return (
    <Form onSubmit={onSubmit} className="grid grid-cols-1 gap-5">
      <Field label={label} help={help} error={formState.errors.code?.message}>
        <Input
          data-initial-focus
          inputMode={isNumeric ? 'numeric' : 'text'}
          autoComplete={isNumeric ? 'one-time-code' : 'off'}
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono tracking-wider"
          {...register('code')}
        />
      </Field>
      <Button type="submit" loading={verification.isPending}>
        {submitLabel}
      </Button>
    </Form>
  );
}
