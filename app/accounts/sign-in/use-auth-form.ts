import { type SubmitEvent, useRef, useState } from 'react';
import type { z } from 'zod';
import { toast } from '../../ui/toast.ts';
import type { FieldMessages } from './auth-code.ts';

export type AuthCode = typeof import('./auth-code.ts');

const loadCode = () => import('./auth-code.ts');

/** Ignores errors, because submitting loads the code again and shows the error. */
const preloadCode = () => void loadCode().catch(() => undefined);

interface AuthFormOptions<Values, Sent> {
  getSchema: (code: AuthCode) => z.ZodType<Values>;
  /**
   * Sends the request.
   * @throws errors that are shown in a toast and at the field
   */
  send: (code: AuthCode, values: Values) => Promise<Sent>;
  onSent: (sent: Sent, values: Values) => Promise<void> | void;
  /** Title of the toast if the server rejects the request. */
  failure: string;
  /** Field that is focused and shows the server's message. */
  errorField: 'email' | 'password';
}

/**
 * Manages a form on /auth. The fields are uncontrolled, so that autofill works and no form library is needed.
 * Validation and requests are loaded on the first focus.
 */
export function useAuthForm<Values, Sent>(options: AuthFormOptions<Values, Sent>) {
  const { getSchema, failure, errorField } = options;
  const form = useRef<HTMLFormElement>(null);
  // Undefined until the first failed submit. Afterwards the fields are validated on every input.
  const [messages, setMessages] = useState<FieldMessages>();
  const [rejection, setRejection] = useState<{ error: unknown; message: string }>();
  const [isSending, setSending] = useState(false);

  function focus(name: string) {
    form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
  }

  async function send(code: AuthCode, fields: HTMLFormElement) {
    const { values, messages } = code.readFields(fields, getSchema(code));
    setMessages(messages);
    const [firstMessage] = Object.entries(messages ?? {});
    if (firstMessage) {
      focus(firstMessage[0]);
      return toast.error('Validation error', firstMessage[1]);
    }
    if (!values) return;
    try {
      await options.onSent(await options.send(code, values), values);
    } catch (error) {
      code.showAuthError(failure, error);
      setRejection({ error, message: code.getFieldMessage(error) });
      focus(errorField);
    }
  }

  async function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = event.currentTarget;
    setRejection(undefined);
    setSending(true);
    const code = await loadCode().catch(() => null);
    if (code) await send(code, fields);
    else toast.error('An error occurred', 'Please try again later.');
    setSending(false);
  }

  function onInput() {
    setRejection(undefined);
    const fields = form.current;
    if (!messages || !fields) return;
    loadCode().then(
      (code) => setMessages(code.readFields(fields, getSchema(code)).messages ?? {}),
      () => undefined,
    );
  }

  return {
    /** Props of the <Form>. */
    form: { ref: form, onFocus: preloadCode, onInput, onSubmit },
    /** Returns a field's error. The validation message takes precedence over the server's message. */
    errorAt: (name: 'email' | 'password') => messages?.[name] ?? (name === errorField ? rejection?.message : undefined),
    /** Returns the entered email address, for the next screen. */
    typedAddress: () => form.current?.querySelector<HTMLInputElement>('[name="email"]')?.value ?? '',
    /** Error of the last submit, cleared on input. */
    submitError: rejection?.error,
    isSending,
  };
}
