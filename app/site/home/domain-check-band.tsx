import { ButtonLink } from '../../ui/button.tsx';

/** Link to the domain check on the services page, for visitors who are not ready to book. */
export function DomainCheckBand() {
  return (
    <section aria-labelledby="domain-check-band" className="border-y border-line bg-sunken py-10 print:hidden">
      <div className="page-grid flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
        <div className="grid gap-2">
          <h2 id="domain-check-band" className="text-display-3">
            Does your mail arrive?
          </h2>
          <p className="measure text-muted">
            Check your domain's SPF, DKIM and DMARC records in seconds. No email address needed.
          </p>
        </div>
        <ButtonLink to="/services" hash="domain-check" variant="secondary">
          Check your domain
        </ButtonLink>
      </div>
    </section>
  );
}
