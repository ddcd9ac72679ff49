import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type FieldErrors, type FieldValues, useFormState } from 'react-hook-form';
import { clearToastsOfPage } from '../toast.ts';
import { fieldLabel } from './field-label.ts';
import { SaveError } from './save-error.tsx';

interface FormErrorsProps {
  /** Error of the last save. */
  error?: Error | null | undefined;
}

/** Error summary above the fields, with links to the invalid fields. */
export function FormErrors({ error }: FormErrorsProps) {
  const { errors, isSubmitting, submitCount } = useFormState();
  const box = useRef<HTMLDivElement>(null);
  const [invalid, setInvalid] = useState<{ name: string; label: string }[]>([]);

  // Reads the labels from the DOM.
  useEffect(() => {
    const form = box.current?.closest('form');
    if (form) setInvalid(listFieldNames(errors).map((name) => ({ name, label: readLabel(form, name) })));
  }, [errors]);

  // Removes toasts of the last attempt, because they are outdated or repeat the error that is shown here.
  useEffect(() => {
    if (isSubmitting) clearToastsOfPage();
  }, [isSubmitting]);

  const lastSubmitCount = useRef(submitCount);
  useEffect(() => {
    const form = box.current?.closest('form');
    const [firstName] = listFieldNames(errors);
    if (submitCount === lastSubmitCount.current || !form) return;
    lastSubmitCount.current = submitCount;
    // react-hook-form focuses the first invalid field itself if it is rendered.
    if (firstName === undefined || findField(form, firstName)) return;
    // Wait until react-hook-form has focused a rendered field, which may be further down.
    const timer = setTimeout(() => focusField(form, firstName));
    return () => clearTimeout(timer);
  }, [errors, submitCount]);

  return (
    <div ref={box} className="grid grid-cols-1 gap-3 empty:hidden">
      <SaveError error={error} />
      {invalid.length > 0 && (
        <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 rounded-md bg-danger-soft px-4 py-3 text-[0.9375rem]">
          <p>{invalid.length === 1 ? 'Please correct one field:' : `Please correct ${invalid.length} fields:`}</p>
          <ul className="flex flex-wrap gap-x-3 gap-y-1">
            {invalid.map(({ name, label }) => (
              <li key={name}>
                <button
                  type="button"
                  onClick={(event) => event.currentTarget.form && focusField(event.currentTarget.form, name)}
                  className="min-h-6 rounded-sm font-medium underline decoration-line-strong underline-offset-4 hover:decoration-current"
                >
                  {label}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** Lists the names of invalid fields in schema order: 'title', 'links.0.url'. A list of texts counts as one field. */
function listFieldNames(errors: FieldErrors<FieldValues>, prefix = ''): string[] {
  return Object.entries(errors).flatMap(([key, error]) => {
    if (!error || typeof error !== 'object') return [];
    const name = prefix + key;
    if (typeof error.message === 'string') return [name];
    const inner = error as FieldErrors<FieldValues>;
    return isListOfTexts(inner) ? [name] : listFieldNames(inner, `${name}.`);
  });
}

function isListOfTexts(errors: FieldErrors<FieldValues>): boolean {
  return Array.isArray(errors) && errors.some((error) => typeof error?.message === 'string');
}

function findField(form: HTMLFormElement, name: string): HTMLElement | null {
  const value = CSS.escape(name);
  return form.querySelector<HTMLElement>(`[name="${value}"], [data-field="${value}"] :is(textarea, [role="textbox"])`);
}

function readLabel(form: HTMLFormElement, name: string): string {
  const field = findField(form, name);
  const label = field && 'labels' in field && field.labels instanceof NodeList ? field.labels[0] : undefined;
  return label?.textContent || fieldLabel(name.split('.').at(-1) ?? name);
}

/** Focuses a field and expands its row if it is collapsed. */
export function focusField(form: HTMLFormElement, name: string): void {
  const field = findField(form, name);
  if (field) {
    field.focus();
    return;
  }
  const row = [...form.querySelectorAll<HTMLElement>('[data-row]')].find(({ dataset }) =>
    name.startsWith(`${dataset['row']}.`),
  );
  flushSync(() => row?.click());
  findField(form, name)?.focus();
}
