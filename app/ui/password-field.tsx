import type { ComponentProps, ReactNode } from 'react';
import { Field } from './field.tsx';
import { Input } from './input.tsx';

interface PasswordFieldProps extends Omit<ComponentProps<'input'>, 'type' | 'minLength' | 'autoComplete'> {
  label: string;
  /** True for a new password, for password managers and the hint. */
  choosesNew?: boolean;
  error: string | undefined;
  /** Small element at the right of the label. */
  aside?: ReactNode;
}

/** Password field. Other props, such as those of `register`, are passed to the input. */
export function PasswordField({ label, choosesNew = false, error, aside, ...input }: PasswordFieldProps) {
  return (
    <Field
      label={label}
      error={error}
      aside={aside}
      help={choosesNew ? '8 to 128 characters, with an uppercase letter, a lowercase letter and a number.' : undefined}
    >
      <Input {...input} type="password" autoComplete={choosesNew ? 'new-password' : 'current-password'} minLength={6} />
    </Field>
  );
}
