import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type FieldErrors, type FieldValues, useFormState } from 'react-hook-form';
import { clearToastsOfPage } from '../toast.ts';
import { fieldLabel } from './field-label.ts';
import { RefusedWrite } from './refused-write.tsx';

interface FormErrorsProps {
  /** Refusal of the backend to save, until the next try. */
  error?: Error | null | undefined;
}

/** Above the fields of the surrounding form: what keeps it from being saved, with links to the fields that are wrong. */
export function FormErrors({ error }: FormErrorsProps) {
  const { errors, isSubmitting, submitCount } = useFormState();
  const box = useRef<HTMLDivElement>(null);
  const [wrong, setWrong] = useState<{ name: string; label: string }[]>([]);

  // The labels are read off the page, where each field has its own.
  useEffect(() => {
    const form = box.current?.closest('form');
    if (form) setWrong(namesOf(errors).map((name) => ({ name, label: labelOf(form, name) })));
  }, [errors]);

  // Clears the toasts of the last try: its errors are here by now, or over.
  useEffect(() => {
    if (isSubmitting) clearToastsOfPage();
  }, [isSubmitting]);

  const tried = useRef(submitCount);
  useEffect(() => {
    const form = box.current?.closest('form');
    const [first] = namesOf(errors);
    if (submitCount === tried.current || !form) return;
    tried.current = submitCount;
    // Fields that are there take the focus by themselves.
    if (first === undefined || fieldOf(form, first)) return;
    // After the form itself, which puts it into a later field that is there.
    const timer = setTimeout(() => goTo(form, first));
    return () => clearTimeout(timer);
  }, [errors, submitCount]);

  return (
    <div ref={box} className="grid grid-cols-1 gap-3 empty:hidden">
      <RefusedWrite error={error} />
      {wrong.length > 0 && (
        <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 rounded-md bg-danger-soft px-4 py-3 text-[0.9375rem]">
          <p>{wrong.length === 1 ? 'One field needs another look:' : `${wrong.length} fields need another look:`}</p>
          <ul className="flex flex-wrap gap-x-3 gap-y-1">
            {wrong.map(({ name, label }) => (
              <li key={name}>
                <button
                  type="button"
                  onClick={(event) => event.currentTarget.form && goTo(event.currentTarget.form, name)}
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

/** 'title', 'links.0.url': the fields that have a message, in the order of the form's rules. A list of texts is one. */
function namesOf(errors: FieldErrors<FieldValues>, prefix = ''): string[] {
  return Object.entries(errors).flatMap(([key, error]) => {
    if (!error || typeof error !== 'object') return [];
    const name = prefix + key;
    if (typeof error.message === 'string') return [name];
    const inner = error as FieldErrors<FieldValues>;
    return isListOfTexts(inner) ? [name] : namesOf(inner, `${name}.`);
  });
}

function isListOfTexts(errors: FieldErrors<FieldValues>): boolean {
  return Array.isArray(errors) && errors.some((error) => typeof error?.message === 'string');
}

function fieldOf(form: HTMLFormElement, name: string): HTMLElement | null {
  return form.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`);
}

function labelOf(form: HTMLFormElement, name: string): string {
  const field = fieldOf(form, name);
  const label = field && 'labels' in field && field.labels instanceof NodeList ? field.labels[0] : undefined;
  return label?.textContent || fieldLabel(name.split('.').at(-1) ?? name);
}

/** Puts the focus into a field; one in a closed row is opened first. */
function goTo(form: HTMLFormElement, name: string): void {
  const field = fieldOf(form, name);
  if (field) {
    field.focus();
    return;
  }
  const row = [...form.querySelectorAll<HTMLElement>('[data-row]')].find(({ dataset }) =>
    name.startsWith(`${dataset['row']}.`),
  );
  flushSync(() => row?.click());
  fieldOf(form, name)?.focus();
}
