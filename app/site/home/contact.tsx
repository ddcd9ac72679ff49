import { ClientOnly } from '@tanstack/react-router';
import type { Headings } from '../../content/pages/headings.ts';
import type { SiteSettings } from '../../settings/site-settings.ts';
import { buttonClass } from '../../ui/button.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { ContactForm } from '../contact/contact-form.tsx';
import { ContactSection } from '../contact/contact-section.tsx';

export function Contact({ heading, settings }: { heading: Headings['contact']; settings: SiteSettings }) {
  return (
    <section aria-labelledby="contact-heading" className="section-space">
      <div className="page-grid grid gap-[clamp(2rem,4vw,3.5rem)]">
        <SectionHeading id="contact-heading" {...heading} />
        <ContactSection email={settings.contact_email} phone={settings.contact_phone}>
          {/* The form is rendered only in the browser, because a form field in the HTML makes browsers lay out the
              whole page immediately. */}
          <ClientOnly fallback={<FormFallback email={settings.contact_email} />}>
            <ContactForm
              email={settings.contact_email}
              storesMessages={settings.keep_contact_messages === 'on'}
              replyTime={settings.answer_time}
            />
          </ClientOnly>
        </ContactSection>
      </div>
    </section>
  );
}

/** Shown until the form scrolls near the viewport, and in print. Has the form's height to avoid layout shift. */
function FormFallback({ email }: { email: string }) {
  return (
    <p className="grid h-[29.75rem] content-center justify-items-center gap-2 text-center text-muted sm:h-[21.75rem] print:h-auto">
      <a href="/contact" className={buttonClass({ variant: 'secondary' }, 'print:hidden')}>
        Open the contact form
      </a>
      <span>
        Or write to <span className="wrap-anywhere">{email}</span>.
      </span>
    </p>
  );
}
