import { type FormEvent, useState } from 'react';
import type { z } from 'zod';
import { toast } from './toast.ts';

/**
 * A small form checked by one schema when it is sent: the first error is told in a toast, each field shows its own, and
 * the first wrong field takes the focus. What was typed stays.
 */
export function useSchemaForm<Schema extends z.ZodObject>(
  schema: Schema,
  send: (values: z.output<Schema>, form: HTMLFormElement) => Promise<void>,
) {
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const [sending, setSending] = useState(false);

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    if (hasShortNativeField(form)) return;
    const parsed = schema.safeParse(Object.fromEntries(new FormData(form)));
    if (!parsed.success) {
      const first: Partial<Record<string, string>> = {};
      for (const { path, message } of parsed.error.issues) first[String(path[0])] ??= message;
      setErrors(first);
      const [issue] = parsed.error.issues;
      toast.error('Validation error', issue?.message);
      form.querySelector<HTMLElement>(`[name="${String(issue?.path[0])}"]`)?.focus();
      return;
    }
    setErrors({});
    setSending(true);
    try {
      await send(parsed.data, form);
    } finally {
      setSending(false);
    }
  }

  return { errors, sending, formProps: { noValidate: true, onSubmit } };
}

/** The one native check that the specification keeps: a password below its minlength. The browser says so itself. */
function hasShortNativeField(form: HTMLFormElement): boolean {
  const short = [...form.querySelectorAll<HTMLInputElement>('input[minlength]')].find(
    ({ validity }) => validity.tooShort,
  );
  short?.reportValidity();
  return short !== undefined;
}
