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
  /** Puts label and help at the left of the control where there is room. */
  beside?: boolean;
  /** Stands under the control and its message, where label and help are at its left: the buttons of a card. */
  below?: ReactNode;
  className?: string;
  children: ReactNode;
}

/**
 * Label above, control, help below, error under it. The control inside (Input, Textarea, Select) takes its id and its
 * aria attributes from here by itself.
 */
export function Field({
  label,
  help,
  error,
  required = false,
  labelHidden,
  aside,
  beside,
  below,
  className,
  children,
}: FieldProps) {
  const id = useId();
  const describedBy = clsx(help !== undefined && `${id}-help`, error && `${id}-error`) || undefined;
  const name = (
    <div className={clsx('flex items-baseline justify-between gap-3', labelHidden && !aside && 'sr-only')}>
      <label htmlFor={id} className={clsx('text-sm font-medium text-ink', labelHidden && 'sr-only')}>
        {label}
      </label>
      {aside && <span className="text-sm text-muted">{aside}</span>}
    </div>
  );
  const helpLine = help !== undefined && (
    <p id={`${id}-help`} className="text-sm text-muted">
      {help}
    </p>
  );
  const errorLine = (
    <div aria-live="polite" className="empty:hidden">
      {error && (
        <p id={`${id}-error`} className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </div>
  );
  return (
    <FieldContext value={{ id, describedBy, invalid: Boolean(error), required }}>
      {beside ? (
        <div className={clsx('@container', className)}>
          <div className="grid grid-cols-1 gap-x-8 gap-y-2 @xl:grid-cols-[minmax(0,4fr)_minmax(0,5fr)]">
            <div className="grid content-start gap-1 @xl:pt-2">
              {name}
              {helpLine}
            </div>
            <div className="grid min-w-0 grid-cols-1 content-start gap-1.5">
              {children}
              {errorLine}
              {below}
            </div>
          </div>
        </div>
      ) : (
        <div className={clsx('grid content-start gap-1.5', className)}>
          {name}
          {children}
          {helpLine}
          {errorLine}
        </div>
      )}
    </FieldContext>
  );
}

/** Returns the id and aria attributes that a control inside a Field carries; empty outside of one. */
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
