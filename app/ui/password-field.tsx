import { Circle, CircleCheck } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { Field } from './field.tsx';
import { Input } from './input.tsx';

interface PasswordFieldProps extends Omit<ComponentProps<'input'>, 'type' | 'minLength' | 'autoComplete'> {
  label: string;
  /** True for a new password. Sets `autocomplete` for password managers and shows the rules. */
  isNewPassword?: boolean;
  error: string | undefined;
  /** Small element at the right of the label. */
  aside?: ReactNode;
}

/** Hints for the rules of app/accounts/credentials.ts, which this file cannot import. */
const RULES = [
  ['8 to 128 characters', /^.{8,128}$/s],
  ['An uppercase letter', /[A-Z]/],
  ['A lowercase letter', /[a-z]/],
  ['A number', /[0-9]/],
] as const;

/** Password field. Other props, such as those of `register`, are passed to the input. */
export function PasswordField({ label, isNewPassword = false, error, aside, ...input }: PasswordFieldProps) {
  const [password, setPassword] = useState('');
  const status = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const form = status.current?.closest('form');
    const clear = () => setPassword('');
    form?.addEventListener('reset', clear);
    return () => form?.removeEventListener('reset', clear);
  }, []);
  const metCount = RULES.filter(([, rule]) => rule.test(password)).length;
  return (
    <Field label={label} error={error} aside={aside} help={isNewPassword ? <Rules password={password} /> : undefined}>
      <Input
        {...input}
        type="password"
        autoComplete={isNewPassword ? 'new-password' : 'current-password'}
        minLength={6}
        onInput={isNewPassword ? (event) => setPassword(event.currentTarget.value) : undefined}
      />
      {isNewPassword && (
        <span ref={status} role="status" className="sr-only">
          {password !== '' && `${metCount} of ${RULES.length} password rules met`}
        </span>
      )}
    </Field>
  );
}

function Rules({ password }: { password: string }) {
  return (
    <span className="grid grid-cols-1 gap-x-4 gap-y-0.5 sm:grid-cols-2">
      {RULES.map(([label, rule]) => {
        const isMet = rule.test(password);
        const Icon = isMet ? CircleCheck : Circle;
        return (
          <span key={label} className={`flex items-center gap-1.5 ${isMet ? 'text-ink' : ''}`}>
            <Icon aria-hidden="true" className={`size-4 shrink-0 ${isMet ? 'text-accent' : ''}`} />
            {label}
          </span>
        );
      })}
    </span>
  );
}
