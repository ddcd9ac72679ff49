import { ArrowDownRight, ArrowRight } from 'lucide-react';
import type { Headings } from '../../content/pages/headings.ts';
import type { Usps } from '../../content/pages/usps.ts';
import { CoverArt } from '../../ui/cover-art.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { DaylightRing, PhaseStrip, ShareBar, SpokenLine } from './highlight-drawings.tsx';

const CARD = 'relative flex flex-col overflow-hidden rounded-lg border p-6 sm:p-8';
const PAPER = 'border-line bg-surface';
/** Class of a card's main figure. */
const FIGURE = 'text-[clamp(3.5rem,2.9rem+2.4vw,4.5rem)] leading-none font-semibold tracking-[-0.04em] wrap-anywhere';
const SECTION_LINKS = { projects: '#projects', services: '#services' };
/** On phones the cards are stacked, so the last cards start below the fold. */
const BELOW_FOLD = 'below-fold [--estimated-height:24rem]';

interface HighlightsProps {
  heading: Headings['highlights'];
  usps: Usps;
  /** Targets of the links in the cards. */
  links?: { projects: string; services: string };
}

/** Six cards in a bento grid, each with a drawing to scale. */
export function Highlights({ heading, usps, links = SECTION_LINKS }: HighlightsProps) {
  return (
    <section id="highlights" aria-labelledby="highlights-heading" className="section-space">
      <div className="page-grid">
        <SectionHeading id="highlights-heading" {...heading} className="mb-[clamp(2rem,5vw,4rem)]" />
        <div className="grid gap-4 md:grid-cols-6 lg:grid-cols-12">
          <QuoteCard content={usps.card1} />
          <ShareCard content={usps.card2} />
          <CaseCard content={usps.card3} href={links.projects} />
          <AmountCard content={usps.card4} />
          <ProcessCard content={usps.card5} href={links.services} />
          <DaylightCard content={usps.card6} />
        </div>
      </div>
    </section>
  );
}

function QuoteCard({ content }: { content: Usps['card1'] }) {
  return (
    <figure
      className={`${CARD} gap-6 border-transparent bg-slab text-on-slab md:col-span-6 lg:col-span-5 lg:row-span-2`}
    >
      <div className="mb-4 grid grow content-start gap-6">
        <p className="font-mono text-label uppercase">{content.heading}</p>
        <blockquote className="text-[clamp(1.5rem,1rem+1.9vw,2.75rem)] leading-[1.16] font-semibold tracking-[-0.025em] text-balance wrap-anywhere dark:text-ink">
          {content.quote}
        </blockquote>
      </div>
      <SpokenLine text={content.quote} />
      <figcaption className="text-sm">
        <span className="font-semibold">{content.clientName}</span>
        <br />
        <span>{[content.clientTitle, content.clientCompany].filter(Boolean).join(', ')}</span>
      </figcaption>
    </figure>
  );
}

function ShareCard({ content }: { content: Usps['card2'] }) {
  return (
    <div className={`${CARD} ${PAPER} justify-between gap-6 sm:gap-8 md:col-span-3 lg:col-span-3`}>
      <p className={FIGURE}>{content.percentage}</p>
      <ShareBar percentage={content.percentage} />
      <p className="text-[0.9375rem] text-muted">{content.description}</p>
    </div>
  );
}

function CaseCard({ content, href }: { content: Usps['card3']; href: string }) {
  return (
    <a
      href={href}
      className={`${CARD} ${PAPER} ${BELOW_FOLD} group min-h-88 justify-end sm:min-h-96 gap-2 md:col-span-3 lg:col-span-4`}
    >
      <CoverArt
        subject={{ slug: content.company, title: content.description }}
        // The only landscape motif that no starter project or post uses on this page.
        motif="fjord"
        className="absolute inset-x-0 top-0 h-[46%] w-full transition-transform duration-250 ease-out group-hover:scale-[1.03]"
      />
      <span className="text-lg font-semibold">{content.company}</span>
      <span className="text-[0.9375rem] text-muted">{content.description}</span>
      <span className="mt-2 inline-flex items-center gap-2 text-[0.9375rem] font-medium text-accent underline-offset-4 group-hover:underline">
        {content.linkText} <ArrowDownRight aria-hidden="true" className="size-4" />
      </span>
    </a>
  );
}

function AmountCard({ content }: { content: Usps['card4'] }) {
  return (
    <div
      className={`${CARD} ${PAPER} ${BELOW_FOLD} content-center gap-x-10 gap-y-5 sm:grid sm:items-center sm:grid-cols-[auto_1fr] md:col-span-6 lg:col-span-7`}
    >
      <p className="text-[clamp(4rem,2.6rem+5.6vw,7rem)] leading-none font-semibold tracking-[-0.05em] text-accent wrap-anywhere">
        {content.dollarAmount}
      </p>
      <div className="grid justify-items-start gap-4">
        <p className="max-w-[34ch] text-lead text-muted wrap-anywhere">{content.description}</p>
        {content.caseLinkText && content.caseUrl && (
          <a
            href={content.caseUrl}
            className="inline-flex min-h-6 items-center gap-2 text-[0.9375rem] font-medium text-accent underline-offset-4 hover:underline"
          >
            <span>{content.caseLinkText}</span> <ArrowRight aria-hidden="true" className="size-4 shrink-0" />
          </a>
        )}
      </div>
    </div>
  );
}

function ProcessCard({ content, href }: { content: Usps['card5']; href: string }) {
  return (
    <div className={`${CARD} ${BELOW_FOLD} gap-6 border-line sm:gap-8 bg-sunken md:col-span-6 lg:col-span-8`}>
      <div className="flex flex-wrap items-end justify-between gap-x-10 gap-y-3">
        <div className="grid gap-2">
          <h3 className="text-display-3">{content.processHeading}</h3>
          <p className="max-w-[44ch] text-[0.9375rem] text-muted">{content.processDescription}</p>
        </div>
        <a
          href={href}
          className="inline-flex min-h-6 items-center gap-2 text-[0.9375rem] font-medium text-accent underline-offset-4 hover:underline"
        >
          {content.processLinkText} <ArrowDownRight aria-hidden="true" className="size-4" />
        </a>
      </div>
      <PhaseStrip timeline={content.timeline} />
    </div>
  );
}

function DaylightCard({ content }: { content: Usps['card6'] }) {
  return (
    <div className={`${CARD} ${PAPER} ${BELOW_FOLD} justify-between gap-6 sm:gap-8 md:col-span-6 lg:col-span-4`}>
      <DaylightRing />
      <div className="grid gap-2">
        <h3 className="text-display-3">{content.heading}</h3>
        <p className="text-[0.9375rem] text-muted">{content.description}</p>
      </div>
    </div>
  );
}
