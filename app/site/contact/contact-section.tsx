import type { ReactNode } from 'react';

interface ContactSectionProps {
  email: string;
  /** Hidden if empty. */
  phone: string;
  children: ReactNode;
}

/** Contact form beside the phone number and email address. */
export function ContactSection({ email, phone, children }: ContactSectionProps) {
  return (
    <div className="grid gap-x-12 gap-y-10 lg:grid-cols-12">
      <dl className="grid content-start gap-6 sm:grid-cols-2 lg:col-span-4 lg:grid-cols-1">
        <div className="grid gap-1">
          <dt className="font-mono text-label text-muted">Write</dt>
          <dd>
            <a
              href={`mailto:${email}`}
              className="text-display-3 underline decoration-line-strong decoration-1 underline-offset-4 wrap-anywhere hover:decoration-current"
            >
              {email}
            </a>
          </dd>
        </div>
        {phone && (
          <div className="grid gap-1">
            <dt className="font-mono text-label text-muted">Call</dt>
            <dd>
              <a
                href={`tel:${phone.replace(/[^+\d]/g, '')}`}
                className="tabular-nums underline decoration-line-strong underline-offset-4 hover:decoration-current"
              >
                {phone}
              </a>
            </dd>
          </div>
        )}
      </dl>
      <div className="rounded-lg border border-line bg-surface p-6 sm:p-8 lg:col-span-8">{children}</div>
    </div>
  );
}
