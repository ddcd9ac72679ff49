import { Hydrate } from '@tanstack/react-start';
import { visible } from '@tanstack/react-start/hydration';
import type { PageContent } from '../../data/page-content/sections.ts';
import type { SiteSettings } from '../../data/site-settings.ts';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { ContactSection } from '../contact/contact-section.tsx';
import { Booking } from './booking.tsx';
import { FeatureTiles } from './feature-tiles.tsx';
import { Hero } from './hero.tsx';
import { Highlights } from './highlights.tsx';
import { InsightsSection } from './insights-section.tsx';
import { LogoBanner } from './logo-banner.tsx';
import { ProjectsSection } from './projects-section.tsx';
import { ReviewsSection } from './reviews-section.tsx';
import { ServicesSection } from './services-section.tsx';
import { Testimonials } from './testimonials.tsx';

interface HomePageProps {
  settings: SiteSettings;
  sections: PageContent<'home'>['sections'];
}

/** What lies below the first screen is in the HTML at once, and comes alive (with its code) when it comes near. */
const near = visible({ rootMargin: '800px' });

export function HomePage({ settings, sections }: HomePageProps) {
  return (
    <>
      <Hero hero={sections.hero} tagline={settings.site_tagline} />
      <Hydrate when={near}>
        <LogoBanner logos={sections['logo-banner'].logos} />
        <Highlights usps={sections.usps} />
      </Hydrate>
      <Hydrate when={near}>
        <Testimonials content={sections.testimonials} />
      </Hydrate>
      <Hydrate when={near}>
        <ServicesSection />
        <FeatureTiles />
      </Hydrate>
      <Hydrate when={near}>
        <ProjectsSection />
        <InsightsSection />
        <ReviewsSection />
      </Hydrate>
      <Hydrate when={near}>
        <section aria-labelledby="contact-heading" className="section-space">
          <div className="page-grid grid gap-[clamp(2rem,4vw,3.5rem)]">
            <SectionHeading id="contact-heading" eyebrow="Contact" heading="Write to us" />
            <ContactSection email={settings.contact_email} phone={settings.contact_phone} />
          </div>
        </section>
      </Hydrate>
      <Hydrate when={near}>
        <Booking booking={sections.booking} />
      </Hydrate>
    </>
  );
}
