import type { Headings } from '../../content/pages/headings.ts';
import { ButtonLink } from '../../ui/button.tsx';

/** Link to the domain check on the services page, for visitors who are not ready to book. */
export function DomainCheckBand({ heading, description }: Headings['domainCheck']) {
  return (
    <section aria-labelledby="domain-check-band" className="border-y border-line bg-sunken py-10 print:hidden">
      <div className="page-grid flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
        <div className="grid gap-2">
          <h2 id="domain-check-band" className="text-display-3">
            {heading}
          </h2>
          <p className="measure text-muted">{description}</p>
        </div>
        <ButtonLink to="/services" hash="domain-check" variant="secondary">
          Check your domain
        </ButtonLink>
      </div>
    </section>
  );
}
