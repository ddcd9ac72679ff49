import { useQuery } from '@tanstack/react-query';
import type { Footer } from '../content/pages/footer.ts';
import { footerQuery } from '../content/pages/page-content.ts';
import { ButtonLink } from '../ui/button.tsx';

/** Call to action at the end of a page. Its texts are loaded with the footer. */
export function ClosingBand() {
  const { data: footer } = useQuery(footerQuery);
  return footer && <ClosingCall content={footer.closing} />;
}

export function ClosingCall({ content }: { content: Footer['closing'] }) {
  return (
    <section aria-labelledby="next-heading" className="bg-slab py-[clamp(3.5rem,7vw,7rem)] text-on-slab print:hidden">
      <div className="page-grid grid items-end gap-x-12 gap-y-8 lg:grid-cols-12">
        <div className="grid gap-5 lg:col-span-7">
          <h2 id="next-heading" className="max-w-[20ch] text-display-2 wrap-anywhere dark:text-ink">
            {content.heading}
          </h2>
          <p className="max-w-[46ch] text-lead wrap-anywhere">{content.description}</p>
        </div>
        <p className="flex flex-wrap items-center gap-x-8 gap-y-4 lg:col-span-5 lg:justify-end">
          <ButtonLink
            to="/"
            hash="booking"
            size="lg"
            className="bg-on-slab text-slab hover:bg-on-slab hover:opacity-90 focus-visible:outline-on-slab"
          >
            {content.bookText}
          </ButtonLink>
          <ButtonLink
            to="/contact"
            variant="link"
            className="min-h-11 text-current decoration-current/50 focus-visible:outline-on-slab"
          >
            {content.writeText}
          </ButtonLink>
        </p>
      </div>
    </section>
  );
}
