import { Hydrate } from '@tanstack/react-start';
import type { PageContent } from '../../content/pages/sections.ts';
import type { SiteSettings } from '../../settings/site-settings.ts';
import { whenNear } from '../../ui/lib/when-near.ts';
import { BelowFold } from './below-fold.tsx';
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
 * Sections below the first screen are in the HTML at once, and come alive (with their code) when they come near. What is
 * off by default stands within the part of a neighbour: a part of its own would cost every first visit some of its name.
 */
const near = whenNear('800px');

export function HomePage({ settings, sections }: HomePageProps) {
  return (
    <>
      <Hero hero={sections.hero} tagline={settings.site_tagline} />
      <SectionBoundary email={settings.contact_email}>
        <Hydrate when={near}>
          <BelowFold className="[--guess:163rem] lg:[--guess:105rem]">
            <LogoBanner logos={sections['logo-banner'].logos} />
            <Highlights usps={sections.usps} />
          </BelowFold>
        </Hydrate>
      </SectionBoundary>
      <SectionBoundary email={settings.contact_email}>
        <Hydrate when={near}>
          <BelowFold>
            <Testimonials content={sections.testimonials} />
          </BelowFold>
        </Hydrate>
      </SectionBoundary>
      <SectionBoundary email={settings.contact_email}>
        <Hydrate when={near}>
          <BelowFold className="[--guess:165rem] md:[--guess:135rem] lg:[--guess:107rem]">
            <ServicesSection />
            <FeatureTiles />
          </BelowFold>
          {settings.domain_check === 'on' && <DomainCheckBand />}
          {sections.sequence.isShown && (
            <BelowFold className="[--guess:107rem]">
              <SequenceSection content={sections.sequence} />
            </BelowFold>
          )}
          {sections.deliverability.isShown && (
            <BelowFold>
              <DeliverabilitySection content={sections.deliverability} />
            </BelowFold>
          )}
        </Hydrate>
      </SectionBoundary>
      <SectionBoundary email={settings.contact_email}>
        <Hydrate when={near}>
          <BelowFold className="[--guess:218rem] md:[--guess:181rem]">
            <ProjectsSection />
            <InsightsSection />
            <ReviewsSection />
          </BelowFold>
          {sections.handover.isShown && (
            <BelowFold>
              <HandoverSection content={sections.handover} />
            </BelowFold>
          )}
        </Hydrate>
      </SectionBoundary>
      <SectionBoundary email={settings.contact_email}>
        <Hydrate when={near}>
          <BelowFold className="[--guess:59rem] sm:[--guess:50rem]">
            <Contact settings={settings} />
          </BelowFold>
        </Hydrate>
      </SectionBoundary>
      <SectionBoundary email={settings.contact_email}>
        <Hydrate when={near}>
          <BelowFold>
            <Booking booking={sections.booking} />
          </BelowFold>
        </Hydrate>
      </SectionBoundary>
    </>
  );
}
