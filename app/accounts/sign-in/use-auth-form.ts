import { type SubmitEvent, useRef, useState } from 'react';
import type { z } from 'zod';
import { toast } from '../../ui/toast.ts';
import type { FieldMessages } from './auth-code.ts';

export type AuthCode = typeof import('./auth-code.ts');

const loadCode = () => import('./auth-code.ts');

/** Sending tries again, and tells. */
const preloadCode = () => void loadCode().catch(() => undefined);

interface AuthFormOptions<Values, Sent> {
  rules: (code: AuthCode) => z.ZodType<Values>;
  /** Asks the server. @throws what the toast and the line at the field tell */
  send: (code: AuthCode, values: Values) => Promise<Sent>;
  onSent: (sent: Sent, values: Values) => Promise<void> | void;
  /** Title of what the server refused. */
  failure: string;
  /** Name of the field that takes the focus then, and where the server's words stay. */
  refusedAt: 'email' | 'password';
}

/**
 * Runs a form of /auth. Its fields keep their own text, so that what a browser fills in counts, and no library for forms
 * is loaded; the code that reads and sends it comes with the first touch of a field.
 */
export function useAuthForm<Values, Sent>(options: AuthFormOptions<Values, Sent>) {
  const { rules, failure, refusedAt } = options;
  const form = useRef<HTMLFormElement>(null);
  // None before something was refused; from then on the fields are read again with every letter.
  const [messages, setMessages] = useState<FieldMessages>();
  const [refused, setRefused] = useState<{ error: unknown; line: string }>();
  const [isSending, setSending] = useState(false);

  function focus(name: string) {
    form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
  }

  async function send(code: AuthCode, fields: HTMLFormElement) {
    const { values, messages } = code.readFields(fields, rules(code));
    setMessages(messages);
    const [first] = Object.entries(messages ?? {});
    if (first) {
      focus(first[0]);
      return toast.error('Validation error', first[1]);
    }
    if (!values) return;
    try {
      await options.onSent(await options.send(code, values), values);
    } catch (error) {
      code.tellRefusal(failure, error);
      setRefused({ error, line: code.messageOf(error) });
      focus(refusedAt);
    }
  }

  async function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = event.currentTarget;
    setRefused(undefined);
    setSending(true);
    const code = await loadCode().catch(() => null);
    if (code) await send(code, fields);
    else toast.error('An error occurred', 'Please try again later.');
    setSending(false);
  }

  function onInput() {
    setRefused(undefined);
    const fields = form.current;
    if (!messages || !fields) return;
    loadCode().then(
      (code) => setMessages(code.readFields(fields, rules(code)).messages ?? {}),
      () => undefined,
    );
  }

  return {
    /** Of the <Form>. */
    form: { ref: form, onFocus: preloadCode, onInput, onSubmit },
    /** Returns the line at a field: what its rule says, else what the server said. */
    errorAt: (name: 'email' | 'password') => messages?.[name] ?? (name === refusedAt ? refused?.line : undefined),
    /** Returns the content of the field `email`, for the next screen. */
    typedAddress: () => form.current?.querySelector<HTMLInputElement>('[name="email"]')?.value ?? '',
    /** Error of the last sending, until something is typed. */
    refusal: refused?.error,
    isSending,
  };
}
