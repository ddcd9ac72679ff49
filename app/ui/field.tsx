import { clsx } from 'clsx';
import { createContext, type ReactNode, useContext, useId } from 'react';

interface FieldWiring {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
}

const FieldContext = createContext<FieldWiring | null>(null);

interface FieldProps {
  label: string;
  /** One sentence under the control that is always there. */
  help?: ReactNode;
  /** The message under the control; its presence marks the control invalid. */
  error?: string | undefined;
  required?: boolean;
  /** Keeps the label for screen readers only. */
  labelHidden?: boolean;
  /** Something small at the right of the label: a counter, a link. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

/**
 * Label above, control, help below, error under it. The control inside (Input, Textarea, Select) takes its id and its
 * aria attributes from here by itself.
 */
export function Field({ label, help, error, required = false, labelHidden, aside, className, children }: FieldProps) {
  const id = useId();
  const describedBy = clsx(help !== undefined && `${id}-help`, error && `${id}-error`) || undefined;
  return (
    <FieldContext value={{ id, describedBy, invalid: Boolean(error), required }}>
      <div className={clsx('grid content-start gap-1.5', className)}>
        <div className={clsx('flex items-baseline justify-between gap-3', labelHidden && !aside && 'sr-only')}>
          <label htmlFor={id} className={clsx('text-sm font-medium text-ink', labelHidden && 'sr-only')}>
            {label}
          </label>
          {aside && <span className="text-sm text-muted">{aside}</span>}
        </div>
        {children}
        {help !== undefined && (
          <p id={`${id}-help`} className="text-sm text-muted">
            {help}
          </p>
        )}
        <div aria-live="polite" className="empty:hidden">
          {error && (
            <p id={`${id}-error`} className="text-sm font-medium text-danger">
              {error}
            </p>
          )}
        </div>
      </div>
    </FieldContext>
  );
}

/** The id and aria attributes that a control inside a Field carries; empty outside of one. */
export function useFieldProps() {
  const field = useContext(FieldContext);
  return field
    ? {
        id: field.id,
        'aria-describedby': field.describedBy,
        'aria-invalid': field.invalid || undefined,
        'aria-required': field.required || undefined,
      }
    : {};
}
