import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { rejectionMessage } from '../api/error-code.ts';
import { submitLead } from '../leads/submit-lead.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Honeypot } from '../ui/honeypot.tsx';
import { Input } from '../ui/input.tsx';
import { PrivacyNote } from '../ui/privacy-note.tsx';
import { storedConversationId } from './conversation-id.ts';
import type { LeadOffer } from './use-lead-offer.ts';

/**
 * Offer to be contacted by a person. Starts as one line, expands to a form, and submits the email address after
 * consent.
 */
export default function LeadCard({ offer, onDecline }: { offer: LeadOffer; onDecline: () => void }) {
  const titleId = useId();
  const card = useRef<HTMLDivElement>(null);
  const [hasAgreed, setAgreed] = useState(false);
  const [draft, setDraft] = useState<LeadDraft>({ email: null, phone: '', callTime: '' });

  useEffect(() => {
    if (offer.openCount > 0) card.current?.querySelector<HTMLInputElement>('[type=email]')?.focus();
  }, [offer.openCount]);

  // The focused button has unmounted, so focus the card.
  useEffect(() => {
    if (hasAgreed) card.current?.focus({ preventScroll: true });
  }, [hasAgreed]);

  const question = offer.email ? `May a person write to you at ${offer.email}?` : 'May a person write to you?';
  if (offer.state === 'collapsed') {
    return (
      <p className="mt-3 flex flex-wrap items-baseline gap-2 text-sm text-muted wrap-anywhere">
        {question}
        <Button variant="secondary" size="sm" onClick={offer.open}>
          Yes
        </Button>
        <Button variant="ghost" size="sm" onClick={onDecline}>
          No, thank you
        </Button>
      </p>
    );
  }
  return (
    // Outside the live log, because screen readers would announce the whole form.
    <div
      ref={card}
      tabIndex={-1}
      aria-live={offer.state === 'accepted' ? 'polite' : 'off'}
      className="mt-4 grid gap-3 rounded-md border border-line bg-sunken p-4 text-[0.9375rem] outline-none"
    >
      {offer.state === 'accepted' ? (
        <p>Thank you. A person will write to you. This conversation has been passed on to them.</p>
      ) : (
        <>
          <p id={titleId} className="font-semibold wrap-anywhere">
            {question}
          </p>
          <LeadForm
            titleId={titleId}
            offer={offer}
            draft={draft}
            onDraft={(change) => setDraft({ ...draft, ...change })}
            onDecline={onDecline}
            onAgreed={() => {
              offer.accept();
              setAgreed(true);
            }}
          />
        </>
      )}
    </div>
  );
}

/** Input of the form, kept while the form is collapsed. */
interface LeadDraft {
  /** Null until edited, so that an email address in a later message can still prefill the field. */
  email: string | null;
  phone: string;
  callTime: string;
}

interface LeadFormProps {
  titleId: string;
  offer: LeadOffer;
  draft: LeadDraft;
  onDraft: (change: Partial<LeadDraft>) => void;
  onDecline: () => void;
  onAgreed: () => void;
}

function LeadForm({ titleId, offer, draft, onDraft, onDecline, onAgreed }: LeadFormProps) {
  const honeypot = useRef<HTMLInputElement>(null);
  const [errors, setErrors] = useState<{ email?: string; phone?: string; failure?: string }>({});
  const [isSending, setSending] = useState(false);
  const [mailedTo, setMailedTo] = useState('');
  const { phone, callTime } = draft;
  const email = draft.email ?? offer.email;

  async function agree(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isSending) return;
    const faults = validateContact(email.trim(), phone.trim());
    setErrors(faults);
    const invalidType = faults.email ? 'email' : faults.phone ? 'tel' : null;
    if (invalidType) return event.currentTarget.querySelector<HTMLInputElement>(`[type=${invalidType}]`)?.focus();
    setSending(true);
    try {
      const website = honeypot.current?.value ?? '';
      const lead = { source: 'assistant', email, phone, callTime, website } as const;
      const outcome = await submitLead(lead, storedConversationId() ?? undefined);
      if (outcome === 'mailed') setMailedTo(email.trim());
      else onAgreed();
    } catch (error) {
      setErrors({ failure: rejectionMessage(error) ?? 'That did not work. Please try again.' });
    } finally {
      setSending(false);
    }
  }

  return (
    <form noValidate aria-labelledby={titleId} onSubmit={agree} className="relative grid gap-3">
      <Field label="Email" required error={errors.email}>
        <Input
          type="email"
          autoComplete="email"
          maxLength={255}
          value={email}
          onChange={(event) => onDraft({ email: event.target.value })}
        />
      </Field>
      <div className="grid gap-3 min-[24rem]:grid-cols-2">
        <Field label="Phone (optional)" error={errors.phone}>
          <Input
            type="tel"
            autoComplete="tel"
            maxLength={40}
            value={phone}
            onChange={(event) => onDraft({ phone: event.target.value })}
          />
        </Field>
        <Field label="Time (optional)">
          <Input
            placeholder="After 14:00"
            maxLength={100}
            value={callTime}
            onChange={(event) => onDraft({ callTime: event.target.value })}
          />
        </Field>
      </div>
      <Honeypot ref={honeypot} />
      <LeadNotes mailedTo={mailedTo} failure={errors.failure} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" loading={isSending}>
          {mailedTo ? 'Send the link again' : 'Yes, write to me'}
        </Button>
        <Button size="sm" variant="ghost" onClick={onDecline}>
          No, thank you
        </Button>
      </div>
    </form>
  );
}

function validateContact(email: string, phone: string): { email?: string; phone?: string } {
  return {
    ...(/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? {} : { email: 'Invalid email address' }),
    ...(/^[0-9+()./ -]{0,40}$/.test(phone) ? {} : { phone: 'Enter a phone number with digits.' }),
  };
}

/** Shows how the email address is used, and the result of submitting it. */
function LeadNotes({ mailedTo, failure }: { mailedTo: string; failure: string | undefined }) {
  return (
    <>
      <p role="status" className="rounded-md bg-accent-soft p-3 wrap-anywhere empty:hidden">
        {mailedTo &&
          `Almost there. We sent a link to ${mailedTo}. Open it within 15 minutes, and a person will write to you.`}
      </p>
      <PrivacyNote>We share your email address and this conversation with the person who replies.</PrivacyNote>
      {failure && (
        <p role="alert" className="text-sm font-medium text-danger">
          {failure}
        </p>
      )}
    </>
  );
}
