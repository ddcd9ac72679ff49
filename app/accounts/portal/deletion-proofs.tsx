/** Forms with which users prove their identity. Each form deletes the account on success. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { Form } from '../../ui/form.tsx';
import { Input } from '../../ui/input.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { codeProofSchema, isWrongProof, mailProofCode, type Proof, passwordProofSchema } from '../own-account.ts';
import type { Account } from '../session.ts';
import type { useDeleteAccount } from './use-delete-account.ts';

interface ProofProps {
  account: Account;
  deletion: ReturnType<typeof useDeleteAccount>;
}

interface ProofByPasswordProps extends ProofProps {
  /** True if the field is rendered after the dialog has opened and set its initial focus. */
  isMountedLater: boolean;
}

export function ProofByPassword({ account, deletion, isMountedLater }: ProofByPasswordProps) {
  const { register, handleSubmit, setError, setFocus, formState } = useForm({
    resolver: zodResolver(passwordProofSchema),
    defaultValues: { password: '' },
  });
  useEffect(() => {
    if (isMountedLater) setFocus('password');
  }, [isMountedLater, setFocus]);
  const showFieldError = (error: Error) =>
    isWrongProof(error) && setError('password', { message: 'This password is wrong.' }, { shouldFocus: true });
  return (
    <Form
      className="grid gap-4"
      onSubmit={handleSubmit(
        ({ password }) => deletion.mutate({ email: account.email, password }, { onError: showFieldError }),
        showFirstError,
      )}
    >
      <input type="hidden" name="username" autoComplete="username" value={account.email} />
      <PasswordField
        label="Your password"
        error={formState.errors.password?.message}
        data-initial-focus
        {...register('password')}
      />
      <DeleteButton deletion={deletion} />
    </Form>
  );
}

export function ProofByCode({ account, deletion }: ProofProps) {
  const sendCode = useMutationWithToasts(
    { mutationFn: mailProofCode },
    { success: (_result, email) => ['Code sent', `Sent by email to ${email}.`], failure: 'Could not send the code' },
  );
  if (!sendCode.isSuccess) {
    return (
      <Button loading={sendCode.isPending} onClick={() => sendCode.mutate(account.email)}>
        Email me a code
      </Button>
    );
  }
  return (
    <CodeForm
      deletion={deletion}
      help={`Enter the six digits we emailed to ${account.email}.`}
      toProof={(code) => ({ email: account.email, code })}
    />
  );
}

/** Asks users without an email address to sign in again. */
export function ProofBySignIn({ deletion }: Pick<ProofProps, 'deletion'>) {
  return (
    <div className="grid gap-4">
      <p>To delete the account, sign out, sign in again, and delete it within five minutes.</p>
      <DeleteNow deletion={deletion} />
    </div>
  );
}

/** Deletes the account without another prompt, for users who have just authenticated. */
export function DeleteNow({ deletion }: Pick<ProofProps, 'deletion'>) {
  return (
    <Button variant="danger" loading={deletion.isPending} onClick={() => deletion.mutate({ isRecentlyVerified: true })}>
      Delete permanently
    </Button>
  );
}

interface CodeFormProps extends Pick<ProofProps, 'deletion'> {
  help: string;
  toProof: (code: string) => Proof;
}

function CodeForm({ deletion, help, toProof }: CodeFormProps) {
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(codeProofSchema),
    defaultValues: { code: '' },
  });
  const showFieldError = (error: Error) =>
    isWrongProof(error) && setError('code', { message: 'This code is wrong or has expired.' }, { shouldFocus: true });
  return (
    <Form
      className="grid gap-4"
      onSubmit={handleSubmit(({ code }) => deletion.mutate(toProof(code), { onError: showFieldError }), showFirstError)}
    >
      <Field label="Code" help={help} error={formState.errors.code?.message}>
        <Input inputMode="numeric" autoComplete="one-time-code" data-initial-focus {...register('code')} />
      </Field>
      <DeleteButton deletion={deletion} />
    </Form>
  );
}

function DeleteButton({ deletion }: Pick<ProofProps, 'deletion'>) {
  return (
    <Button type="submit" variant="danger" loading={deletion.isPending}>
      Delete permanently
    </Button>
  );
}
