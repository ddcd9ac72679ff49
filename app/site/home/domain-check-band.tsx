import { ButtonLink } from '../../ui/button.tsx';

/** The way in to the check of a domain, which stands on the services page: it is asked before anything else. */
export function DomainCheckBand() {
  return (
    <section aria-labelledby="domain-check-band" className="border-y border-line bg-sunken py-10 print:hidden">
      <div className="page-grid flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
        <div className="grid gap-2">
          <h2 id="domain-check-band" className="text-display-3">
            Does your mail arrive?
          </h2>
          <p className="measure text-muted">
            SPF, DKIM and DMARC of your domain, read in seconds. No address is asked.
          </p>
        </div>
        <ButtonLink to="/services" hash="domain-check" variant="secondary">
          Check your domain
        </ButtonLink>
      </div>
    </section>
  );
}
