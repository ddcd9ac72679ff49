import { zodResolver } from '@hookform/resolvers/zod';
import { useHydrated } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { type Control, useForm, useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { refusalOf } from '../../data/api/error-code.ts';
import type { LeftAddress } from '../../data/leads/leave-lead.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { firstError } from '../../ui/first-error.ts';
import { Form } from '../../ui/form.tsx';
import { Honeypot } from '../../ui/honeypot.tsx';
import { Input } from '../../ui/input.tsx';
import { PrivacyNote } from '../../ui/privacy-note.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { toast } from '../../ui/toast.ts';
import { useSelectedService } from '../selected-service.ts';
import { contactSchema } from './contact-schema.ts';

/** The form waits this long before it reports success, whether or not the message is kept. */
const SENDING_MS = 1000;

interface ContactFormProps {
  email: string;
  /**
   * True when messages are kept: the setting keep_contact_messages. Otherwise they go nowhere, and nothing is called.
   */
  keeps: boolean;
}

export function ContactForm({ email, keeps }: ContactFormProps) {
  // Without default values, so that what was typed before React arrived stays.
  const { register, handleSubmit, reset, formState, control } = useForm({ resolver: zodResolver(contactSchema) });
  const { errors, isSubmitting } = formState;
  // Until the script is there the browser would put name and message into the address.
  const isReady = useHydrated();

  const honeypot = useRef<HTMLInputElement>(null);
  const service = useSelectedService();
  const [mailedTo, setMailedTo] = useState('');
  const [sentBy, setSentBy] = useState('');

  const onSubmit = handleSubmit(
    async (message) => {
      const website = honeypot.current?.value ?? '';
      try {
        setMailedTo('');
        setSentBy('');
        const [outcome] = await Promise.all([
          keeps && leave({ source: 'contact', ...message, service, website }),
          new Promise((resolve) => setTimeout(resolve, SENDING_MS)),
        ]);
        // The text stays, so that they can send it once more.
        if (outcome === 'mailed') return setMailedTo(message.email);
        reset();
        if (keeps) setSentBy(message.email);
        toast.success("Message sent! We'll get back to you soon.");
      } catch (error) {
        // The text stays.
        toast.error(refusalOf(error) ?? 'An error occurred. Please try again.');
      }
    },
    (invalid) => toast.error(firstError(invalid)),
  );

  return (
    <Form onSubmit={onSubmit} aria-label="Contact" className="grid gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name" required error={errors.name?.message}>
          <Input autoComplete="name" {...register('name')} />
        </Field>
        <Field label="Email" required error={errors.email?.message}>
          <Input type="email" autoComplete="email" {...register('email')} />
        </Field>
      </div>
      <Field label="Message" required error={errors.message?.message}>
        <Textarea className="min-h-40" {...register('message')} />
      </Field>
      {keeps && <Honeypot ref={honeypot} />}
      <p role="status" className="rounded-md bg-accent-soft p-4 wrap-anywhere empty:hidden">
        {mailedTo &&
          `Almost there: we have sent a link to ${mailedTo}. Open it within 15 minutes, and we have your message. No mail? Send the message again.`}
        {sentBy && `Your message is sent. The answer comes by email to ${sentBy}.`}
      </p>
      <noscript>
        <p className="text-muted">This form needs JavaScript. Please write an email instead.</p>
      </noscript>
      {keeps && <PrivacyNote>We keep what you write here to answer you.</PrivacyNote>}
      <div className="flex gap-x-6 gap-y-3 max-sm:flex-col max-sm:items-start sm:items-center">
        <Button type="submit" size="lg" disabled={!isReady} loading={isSubmitting}>
          {isSubmitting ? 'Sending...' : 'Send message'}
        </Button>
        <DraftLink control={control} email={email} />
      </div>
    </Form>
  );
}

/** Loaded with the first message only. */
async function leave(message: LeftAddress): Promise<'taken' | 'mailed'> {
  const { takeLead } = await import('../../data/leads/leave-lead.ts');
  return takeLead(message);
}

type ContactControl = Control<z.input<typeof contactSchema>, unknown, z.output<typeof contactSchema>>;

/** Opens the text as a draft in the visitor's own mail program. */
function DraftLink({ control, email }: { control: ContactControl; email: string }) {
  const [name = '', message = ''] = useWatch({ control, name: ['name', 'message'] });
  const subject = name.trim() ? `Message from ${name.trim()}` : 'Message';
  return (
    <a
      href={`mailto:${email}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(message)}`}
      className={buttonClass({ variant: 'link' })}
    >
      Open as an email draft
    </a>
  );
}
