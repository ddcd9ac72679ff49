import { ButtonLink } from '../ui/button.tsx';

/** Call to action at the end of a page. */
export function ClosingBand() {
  return (
    <section aria-labelledby="next-heading" className="bg-slab py-[clamp(3.5rem,7vw,7rem)] text-on-slab print:hidden">
      <div className="page-grid grid items-end gap-x-12 gap-y-8 lg:grid-cols-12">
        <div className="grid gap-5 lg:col-span-7">
          <h2 id="next-heading" className="max-w-[20ch] text-display-2">
            Which number do you want to change?
          </h2>
          <p className="max-w-[46ch] text-lead">
            In thirty minutes we tell you which system moves it, what that takes, and whether it is worth it.
          </p>
        </div>
        <p className="flex flex-wrap items-center gap-x-8 gap-y-4 lg:col-span-5 lg:justify-end">
          <ButtonLink
            to="/"
            hash="booking"
            size="lg"
            className="bg-on-slab text-slab hover:bg-on-slab hover:opacity-90 focus-visible:outline-on-slab"
          >
            Book a call
          </ButtonLink>
          <ButtonLink
            to="/contact"
            variant="link"
            className="min-h-11 text-current decoration-current/50 focus-visible:outline-on-slab"
          >
            Write to us
          </ButtonLink>
        </p>
      </div>
    </section>
  );
}
