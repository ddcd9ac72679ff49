import { ClientOnly } from '@tanstack/react-router';
import { Hydrate } from '@tanstack/react-start';
import type { PageContent } from '../../data/pages/sections.ts';
import type { SiteSettings } from '../../data/settings/site-settings.ts';
import { whenNear } from '../../lib/when-near.ts';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { ContactForm } from '../contact/contact-form.tsx';
import { ContactSection } from '../contact/contact-section.tsx';
import { BelowFold } from './below-fold.tsx';
import { Booking } from './booking.tsx';
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
      <Hydrate when={near}>
        <BelowFold className="[--guess:163rem] lg:[--guess:105rem]">
          <LogoBanner logos={sections['logo-banner'].logos} />
          <Highlights usps={sections.usps} />
        </BelowFold>
      </Hydrate>
      <Hydrate when={near}>
        <BelowFold>
          <Testimonials content={sections.testimonials} />
        </BelowFold>
      </Hydrate>
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
      <Hydrate when={near}>
        <BelowFold className="[--guess:59rem] sm:[--guess:50rem]">
          <section aria-labelledby="contact-heading" className="section-space">
            <div className="page-grid grid gap-[clamp(2rem,4vw,3.5rem)]">
              <SectionHeading id="contact-heading" eyebrow="Contact" heading="Write to us" />
              <ContactSection email={settings.contact_email} phone={settings.contact_phone}>
                {/* Not in the HTML: for a field there, browsers would lay out the whole page at once. */}
                <ClientOnly fallback={<div className="h-[29.75rem] sm:h-[21.75rem]" />}>
                  <ContactForm
                    email={settings.contact_email}
                    keeps={settings.keep_contact_messages === 'on'}
                    answers={settings.answer_time}
                  />
                </ClientOnly>
              </ContactSection>
            </div>
          </section>
        </BelowFold>
      </Hydrate>
      <Hydrate when={near}>
        <BelowFold>
          <Booking booking={sections.booking} />
        </BelowFold>
      </Hydrate>
    </>
  );
}
