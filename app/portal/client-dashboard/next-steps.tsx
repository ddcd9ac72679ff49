import type { SiteSettings } from '../../settings/site-settings.ts';
import { Card } from '../../ui/card.tsx';

interface NextStepsProps {
  settings: SiteSettings;
}

/** Onboarding steps and contact details for users who do not belong to a client yet. */
export function NextSteps({ settings }: NextStepsProps) {
  const { contact_email, contact_phone, booking, answer_time } = settings;
  return (
    <Card className="grid grid-cols-1 content-start gap-4 p-6">
      <h2 className="text-lg font-semibold">What happens next</h2>
      <ol className="grid list-decimal gap-2 pl-5 text-muted marker:font-mono marker:text-sm marker:text-accent">
        <li>{booking === 'on' ? 'Book a call or write to us.' : 'Write to us about your plans.'}</li>
        <li>When we start working together, we invite you by email.</li>
        <li>Your campaigns, texts to approve and figures then appear on this page.</li>
      </ol>
      <div className="grid gap-1 border-t border-line pt-4">
        <h3 className="font-medium">Write to us</h3>
        {answer_time && <p className="text-muted">We answer {answer_time}.</p>}
        <p>
          <a
            href={`mailto:${contact_email}`}
            className="text-accent underline decoration-line-strong underline-offset-4 wrap-anywhere"
          >
            {contact_email}
          </a>
          {contact_phone && (
            <>
              {' or call '}
              <a
                href={`tel:${contact_phone.replace(/[^+\d]/g, '')}`}
                className="text-accent underline decoration-line-strong underline-offset-4 tabular-nums"
              >
                {contact_phone}
              </a>
            </>
          )}
        </p>
      </div>
    </Card>
  );
}
