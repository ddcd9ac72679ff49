import type { SiteSettings } from '../../settings/site-settings.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';

interface NextStepsProps {
  settings: SiteSettings;
}

/** Onboarding steps and contact details for users who do not belong to a client yet. */
export function NextSteps({ settings }: NextStepsProps) {
  const { contact_email, contact_phone, booking, answer_time } = settings;
  return (
    <Card className="@container grid grid-cols-1 content-start p-4 sm:p-5">
      <div className="grid grid-cols-1 gap-x-10 gap-y-5 @2xl:grid-cols-[7fr_5fr]">
        <div className="grid content-start justify-items-start gap-4">
          <h2 className="text-lg font-semibold">What happens next</h2>
          <ol className="grid list-decimal gap-2 pl-6 text-muted marker:font-mono marker:text-sm marker:text-accent">
            <li>{booking === 'on' ? 'Book a call or write to us.' : 'Write to us about your plans.'}</li>
            <li>When we start working together, we invite you by email.</li>
            <li>Your campaigns, texts to approve and figures then appear on this page.</li>
          </ol>
          {booking !== 'on' && (
            <a href={`mailto:${contact_email}`} className={buttonClass({})}>
              Write to us
            </a>
          )}
        </div>
        <div className="grid content-start gap-1 border-line @max-2xl:border-t @max-2xl:pt-4 @2xl:border-l @2xl:pl-10">
          <h3 className="font-semibold">Contact</h3>
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
      </div>
    </Card>
  );
}
