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
  /** Permanent hint below the control. */
  help?: ReactNode;
  /** Error message below the control. Marks the control as invalid. */
  error?: string | undefined;
  required?: boolean;
  /** Hides the label visually. */
  labelHidden?: boolean;
  /** Small element at the right of the label, such as a counter or link. */
  aside?: ReactNode;
  /** Places label and help on the left of the control on wide screens. */
  beside?: boolean;
  /** Content below the control if the label is on the left, such as buttons of a card. */
  below?: ReactNode;
  className?: string;
  children: ReactNode;
}

/**
 * Label, control, help and error. A control inside (Input, Textarea, Select) gets its id and ARIA attributes from here.
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
  const labelLine = (
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
              {labelLine}
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
          {labelLine}
          {children}
          {helpLine}
          {errorLine}
        </div>
      )}
    </FieldContext>
  );
}

/** Id and ARIA attributes for a control inside a Field. Empty outside of one. */
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
