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
  /** True for a list row with the label on the left, then the control and a button. In a narrow row, the control is below the label. */
  isRow?: boolean;
  /** Button of a row. */
  action?: ReactNode;
  /** Second button of a row, beside the help. */
  moreAction?: ReactNode;
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
  isRow,
  action,
  moreAction,
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
      {isRow ? (
        <div className={clsx('@container', className)}>
          <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-2 @2xl:grid-cols-[12.5rem_minmax(0,1fr)_7.5rem] @2xl:gap-y-1">
            <div className="@max-2xl:self-end @2xl:pt-3 @2xl:has-[+*_[role=switch]]:pt-0.5">{labelLine}</div>
            <div className="col-span-2 row-start-2 grid min-w-0 grid-cols-1 @2xl:col-span-1 @2xl:col-start-2 @2xl:row-start-1">
              {children}
            </div>
            <div className="col-start-2 row-start-1 grid justify-end @max-2xl:-mb-1 @2xl:col-start-3">{action}</div>
            <div className="col-span-2 flex items-start gap-x-4 @2xl:col-start-2">
              <div className="grid min-w-0 flex-1 gap-1 wrap-anywhere">
                {helpLine}
                {errorLine}
              </div>
              {moreAction}
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

/** Id and ARIA attributes for a control inside a Field. Empty outside a Field. */
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
