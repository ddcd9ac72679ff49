import { Hydrate } from '@tanstack/react-start';
import type { PageContent } from '../../content/pages/sections.ts';
import type { SiteSettings } from '../../settings/site-settings.ts';
import { whenNear } from '../../ui/lib/when-near.ts';
import { Booking } from './booking.tsx';
import { Contact } from './contact.tsx';
import { DeliverabilitySection } from './deliverability-section.tsx';
import { DomainCheckBand } from './domain-check-band.tsx';
import { FeatureTiles } from './feature-tiles.tsx';
import { HandoverSection } from './handover-section.tsx';
import { Hero } from './hero.tsx';
import { Highlights } from './highlights.tsx';
import { InsightsSection } from './insights-section.tsx';
import { LogoBanner } from './logo-banner.tsx';
import { ProjectsSection } from './projects-section.tsx';
import { ReviewsSection } from './reviews-section.tsx';
import { SectionBoundary } from './section-boundary.tsx';
import { SequenceSection } from './sequence-section.tsx';
import { ServicesSection } from './services-section.tsx';
import { Testimonials } from './testimonials.tsx';

interface HomePageProps {
  settings: SiteSettings;
  sections: PageContent<'home'>['sections'];
}

/**
 * Sections below the first screen are in the HTML and hydrate when they are near the viewport. Sections that are off by
 * default share the `Hydrate` of a neighbour, because each `Hydrate` adds bytes to the first visit.
 */
const near = whenNear('800px');

export function HomePage({ settings, sections }: HomePageProps) {
  return (
    <>
      <Hero hero={sections.hero} tagline={settings.site_tagline} />
      <SectionBoundary email={settings.contact_email}>
        <Hydrate when={near}>
          <div className="below-fold [--guess:163rem] lg:[--guess:105rem]">
            <LogoBanner logos={sections['logo-banner'].logos} />
            <Highlights usps={sections.usps} />
          </div>
        </Hydrate>
      </SectionBoundary>
      <SectionBoundary email={settings.contact_email}>
        <Hydrate when={near}>
          <div className="below-fold">
            <Testimonials content={sections.testimonials} />
          </div>
        </Hydrate>
      </SectionBoundary>
      <SectionBoundary email={settings.contact_email}>
        <Hydrate when={near}>
          <div className="below-fold [--guess:165rem] md:[--guess:135rem] lg:[--guess:107rem]">
            <ServicesSection />
            <FeatureTiles />
          </div>
          {settings.domain_check === 'on' && <DomainCheckBand />}
          {sections.sequence.isShown && (
            <div className="below-fold [--guess:107rem]">
              <SequenceSection content={sections.sequence} />
            </div>
          )}
          {sections.deliverability.isShown && (
            <div className="below-fold">
              <DeliverabilitySection content={sections.deliverability} />
            </div>
          )}
        </Hydrate>
      </SectionBoundary>
      <SectionBoundary email={settings.contact_email}>
        <Hydrate when={near}>
          <div className="below-fold [--guess:218rem] md:[--guess:181rem]">
            <ProjectsSection />
            <InsightsSection />
            <ReviewsSection />
          </div>
          {sections.handover.isShown && (
            <div className="below-fold">
              <HandoverSection content={sections.handover} />
            </div>
          )}
        </Hydrate>
      </SectionBoundary>
      <SectionBoundary email={settings.contact_email}>
        <Hydrate when={near}>
          <div className="below-fold [--guess:59rem] sm:[--guess:50rem]">
            <Contact settings={settings} />
          </div>
        </Hydrate>
      </SectionBoundary>
      <SectionBoundary email={settings.contact_email}>
        <Hydrate when={near}>
          <div className="below-fold">
            <Booking booking={sections.booking} />
          </div>
        </Hydrate>
      </SectionBoundary>
    </>
  );
}
