import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { rejectionMessage } from '../../api/error-code.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Honeypot } from '../../ui/honeypot.tsx';
import { Input } from '../../ui/input.tsx';
import { PrivacyNote } from '../../ui/privacy-note.tsx';
import { subscribeToNewsletter } from '../submit-lead.ts';

/** Renders the newsletter form (double opt-in). The response does not reveal whether an address is subscribed. */
export default function NewsletterForm({ placeholder }: { placeholder: string }) {
  const honeypot = useRef<HTMLInputElement>(null);
  const [email, setEmail] = useState('');
  const [error, setError] = useState('');
  const [isSending, setSending] = useState(false);
  const [sentTo, setSentTo] = useState('');
  const status = useRef<HTMLParagraphElement>(null);
  // The form is at the end of the page, so the message may be below the viewport.
  useEffect(() => {
    if (sentTo) status.current?.scrollIntoView({ block: 'nearest' });
  }, [sentTo]);

  async function subscribe(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isSending) return;
    const address = email.trim();
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address)) return setError('Invalid email address');
    setSending(true);
    setError('');
    try {
      await subscribeToNewsletter(address, honeypot.current?.value ?? '');
      setSentTo(address);
      setEmail('');
    } catch (failure) {
      setSentTo('');
      setError(rejectionMessage(failure) ?? 'Could not subscribe. Please try again.');
    } finally {
      setSending(false);
    }
  }

  return (
    <form noValidate aria-label="Newsletter" onSubmit={subscribe} className="relative mt-2 grid max-w-md gap-2">
      <div className="flex items-start gap-2.5">
        <Field label="Email address" labelHidden error={error} className="grow">
          <Input
            type="email"
            name="email"
            autoComplete="email"
            maxLength={255}
            placeholder={placeholder}
            value={email}
            onChange={(event) => {
              setEmail(event.target.value);
              setError('');
            }}
          />
        </Field>
        <Button type="submit" loading={isSending}>
          Subscribe
        </Button>
      </div>
      {/* Hidden while an error is shown in its place, to prevent a layout shift. */}
      <PrivacyNote>{error ? '' : 'We use your address for the newsletter only.'}</PrivacyNote>
      <Honeypot ref={honeypot} />
      <p
        ref={status}
        role="status"
        className="mt-2 scroll-mb-4 rounded-md bg-accent-soft p-4 wrap-anywhere empty:hidden"
      >
        {sentTo && `Almost there. Open the email that we sent to ${sentTo} and confirm your subscription.`}
      </p>
    </form>
  );
}
