import type { SiteSettings } from '../../settings/site-settings.ts';
import { Card } from '../../ui/card.tsx';

interface WhatNextProps {
  settings: SiteSettings;
}

/** Says to somebody who belongs to no client yet how it goes on, and to whom they can write. */
export function WhatNext({ settings }: WhatNextProps) {
  const { contact_email, contact_phone, booking, answer_time } = settings;
  return (
    <Card className="grid grid-cols-1 content-start gap-4 p-6">
      <h2 className="text-lg font-semibold">What happens next</h2>
      <ol className="grid list-decimal gap-2 pl-5 text-muted marker:font-mono marker:text-sm marker:text-accent">
        <li>
          {booking === 'on' ? 'You book a call, or write to us.' : 'You write to us about what you have in mind.'}
        </li>
        <li>Once we work together, we invite your address.</li>
        <li>Campaigns, texts to approve and figures then open on this page.</li>
      </ol>
      <div className="grid gap-1 border-t border-line pt-4">
        <h3 className="font-medium">Write to a person</h3>
        {answer_time && <p className="text-muted">The answer comes {answer_time}.</p>}
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
