import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { rejectionMessage } from '../../api/error-code.ts';
import type { LeadInput } from '../../leads/submit-lead.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Honeypot } from '../../ui/honeypot.tsx';
import { Input } from '../../ui/input.tsx';
import { PrivacyNote } from '../../ui/privacy-note.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { toast } from '../../ui/toast.ts';
import { useSelectedService } from '../selected-service.ts';
import type { MessageErrors } from './contact-schema.ts';

/** Delay before the form reports success, whether or not messages are stored. */
const SENDING_MS = 1000;

interface ContactFormProps {
  email: string;
  /** Setting `keep_contact_messages`. If false, the form makes no request. */
  storesMessages: boolean;
  /** Promised reply time, such as 'within one working day'. Empty if the setting is empty. */
  replyTime: string;
}

/** Contact form. The fields are uncontrolled, so that text typed before hydration is kept. */
export function ContactForm({ email, storesMessages, replyTime }: ContactFormProps) {
  const { form, honeypot, errors, isSending, mailedTo, sentBy, draft, onInput, onSubmit } =
    useSubmission(storesMessages);
  return (
    <Form
      ref={form}
      onSubmit={onSubmit}
      onFocus={preloadRules}
      onInput={onInput}
      aria-label="Contact"
      className="grid gap-5"
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name" required error={errors?.name}>
          <Input name="name" autoComplete="name" />
        </Field>
        <Field label="Email" required error={errors?.email}>
          <Input name="email" type="email" autoComplete="email" />
        </Field>
      </div>
      <Field label="Message" required error={errors?.message}>
        <Textarea name="message" className="min-h-40" />
      </Field>
      {storesMessages && <Honeypot ref={honeypot} />}
      <p role="status" className="rounded-md bg-accent-soft p-4 wrap-anywhere empty:hidden">
        {mailedTo
          ? `Almost there. We sent a link to ${mailedTo}. Open it within 15 minutes to send your message. No email? Send the message again.`
          : sentBy && `Your message has been sent. We will reply${replyTime && ` ${replyTime}`} by email to ${sentBy}.`}
      </p>
      <noscript>
        <p className="text-muted">This form needs JavaScript. Please write an email instead.</p>
      </noscript>
      {storesMessages && <PrivacyNote>We store your message so that we can reply.</PrivacyNote>}
      <div className="flex gap-x-6 gap-y-3 max-sm:flex-col max-sm:items-start sm:items-center">
        <Button type="submit" size="lg" loading={isSending} className="noscript:hidden">
          {isSending ? 'Sending...' : 'Send message'}
        </Button>
        <a href={`mailto:${email}?${draft}`} className={buttonClass({ variant: 'link' })}>
          Open as an email draft
        </a>
      </div>
    </Form>
  );
}

/** Handles submission and stores its result. */
function useSubmission(storesMessages: boolean) {
  const form = useRef<HTMLFormElement>(null);
  const honeypot = useRef<HTMLInputElement>(null);
  const service = useSelectedService();
  // Undefined until a submission fails validation. After that, every keystroke validates again.
  const [errors, setErrors] = useState<MessageErrors>();
  const [isSending, setSending] = useState(false);
  const [mailedTo, setMailedTo] = useState('');
  const [sentBy, setSentBy] = useState('');
  const [draft, setDraft] = useState('');

  useEffect(() => {
    setDraft(draftQuery(form.current));
    if (form.current?.contains(document.activeElement)) preloadRules();
  }, []);

  const onInput = () => {
    setDraft(draftQuery(form.current));
    if (errors) void readFields().then(({ errors }) => setErrors(errors), ignoreFailure);
  };

  async function readFields() {
    const { readMessage } = await loadRules();
    return readMessage(form.current ?? undefined);
  }

  async function send() {
    const result = await readFields();
    setErrors(result.errors);
    const [firstError] = Object.entries(result.errors ?? {});
    if (firstError) {
      form.current?.querySelector<HTMLElement>(`[name="${firstError[0]}"]`)?.focus();
      return toast.error(firstError[1]);
    }
    if (!result.message) return;
    setMailedTo('');
    setSentBy('');
    const website = honeypot.current?.value ?? '';
    const [outcome] = await Promise.all([
      storesMessages && sendLead({ source: 'contact', ...result.message, service, website }),
      new Promise((resolve) => setTimeout(resolve, SENDING_MS)),
    ]);
    // Keep the text so that the visitor can send it again.
    if (outcome === 'mailed') return setMailedTo(result.message.email);
    form.current?.reset();
    setDraft(draftQuery(form.current));
    if (storesMessages) setSentBy(result.message.email);
    toast.success("Message sent! We'll get back to you soon.");
  }

  async function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setSending(true);
    try {
      await send();
    } catch (error) {
      // Keep the text so that the visitor can try again.
      toast.error(rejectionMessage(error) ?? 'An error occurred. Please try again.');
    } finally {
      setSending(false);
    }
  }

  return { form, honeypot, errors, isSending, mailedTo, sentBy, draft, onInput, onSubmit };
}

/** Lazy-loaded on the first interaction with a field. */
const loadRules = () => import('./contact-schema.ts');

const preloadRules = () => void loadRules().catch(ignoreFailure);

/** Prefetch failures are ignored, because submitting loads the module again and reports errors. */
function ignoreFailure() {}

/** Lazy-loaded with the first message. */
async function sendLead(message: LeadInput): Promise<'submitted' | 'mailed'> {
  const { submitLead } = await import('../../leads/submit-lead.ts');
  return submitLead(message);
}

/** Returns the query string of a `mailto:` link with the message. */
function draftQuery(form: HTMLFormElement | null): string {
  const fields = new FormData(form ?? undefined);
  const text = (name: string) => String(fields.get(name) ?? '');
  const name = text('name').trim();
  const subject = name ? `Message from ${name}` : 'Message';
  return `subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text('message'))}`;
}
