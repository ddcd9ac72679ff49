import type { ReactNode } from 'react';

interface ContactSectionProps {
  email: string;
  /** Hidden if empty. */
  phone: string;
  /** Additional details, shown below the email address on wide screens and below the form on narrow ones. */
  details?: ReactNode;
  children: ReactNode;
}

/** Contact form beside the phone number and email address. */
export function ContactSection({ email, phone, details, children }: ContactSectionProps) {
  return (
    <div className="grid gap-x-12 gap-y-10 lg:grid-cols-12 lg:grid-rows-[auto_1fr] lg:gap-y-6">
      <dl className="grid content-start gap-6 sm:grid-cols-2 lg:col-span-4 lg:grid-cols-1">
        <ContactDetail term="Write">
          <a
            href={`mailto:${email}`}
            className="text-display-3 underline decoration-line-strong decoration-1 underline-offset-4 wrap-anywhere hover:decoration-current"
          >
            {email}
          </a>
        </ContactDetail>
        {phone && (
          <ContactDetail term="Call">
            <a
              href={`tel:${phone.replace(/[^+\d]/g, '')}`}
              className="tabular-nums underline decoration-line-strong underline-offset-4 hover:decoration-current"
            >
              {phone}
            </a>
          </ContactDetail>
        )}
      </dl>
      <div className="self-start rounded-lg border border-line bg-surface p-6 sm:p-8 lg:col-span-8 lg:row-span-2">
        {children}
      </div>
      {details}
    </div>
  );
}

export function ContactDetail({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-1">
      <dt className="font-mono text-label text-muted">{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
