import { Ban } from 'lucide-react';
import type { ReactNode } from 'react';
import { type FieldValues, get, useFormContext, useFormState } from 'react-hook-form';
import { ContentIcon, ICON_NAMES } from '../content-icon.tsx';
import type { FieldOptions } from './field-options.ts';
import { useFieldError } from './use-field-error.ts';

/** Icon picker. Unknown icon names are kept until the user picks one. */
export function IconField<Values extends FieldValues = never>({ name, label = 'Icon' }: FieldOptions<Values>) {
  const { defaultValues } = useFormState();
  const error = useFieldError(name);
  const savedIcon: unknown = get(defaultValues, name);
  const isUnknown = typeof savedIcon === 'string' && savedIcon !== '' && !ICON_NAMES.includes(savedIcon);
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="grid grid-cols-[repeat(auto-fill,2.5rem)] gap-1">
        <Choice name={name} value="" label="No icon">
          <Ban aria-hidden="true" strokeWidth={1.5} className="size-5 text-muted" />
        </Choice>
        {[...ICON_NAMES, ...(isUnknown ? [savedIcon] : [])].map((icon) => (
          <Choice key={icon} name={name} value={icon} label={icon}>
            <ContentIcon name={icon} className="size-5" />
          </Choice>
        ))}
      </div>
      {error && <p className="mt-1.5 text-sm font-medium text-danger">{error}</p>}
    </fieldset>
  );
}

function Choice({ name, value, label, children }: { name: string; value: string; label: string; children: ReactNode }) {
  const { register } = useFormContext();
  return (
    <label
      title={label}
      className="relative grid size-10 cursor-pointer place-items-center rounded-md border border-line hover:border-line-strong has-checked:border-2 has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
    >
      <input type="radio" value={value} aria-label={label} {...register(name)} className="absolute inset-0 opacity-0" />
      {children}
    </label>
  );
}
