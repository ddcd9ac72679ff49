import { Hydrate } from '@tanstack/react-start';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { completeOrder, type HomeSection } from '../../content/pages/home-sections.ts';
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

/** Sections below the first screen are in the HTML and hydrate when they are near the viewport. */
const near = whenNear('800px');

/** Approximate heights, to keep the scroll bar steady. The default of `below-fold` is 50rem. */
const HEIGHTS: Partial<Record<HomeSection, string>> = {
  'logo-banner': '[--guess:15rem] md:[--guess:9rem] lg:[--guess:6rem]',
  highlights: '[--guess:157rem] md:[--guess:136rem] lg:[--guess:104rem]',
  services: '[--guess:90rem] md:[--guess:81rem] lg:[--guess:70rem]',
  features: '[--guess:62rem] md:[--guess:54rem] lg:[--guess:36rem]',
  'domain-check': '[--guess:12rem]',
  sequence: '[--guess:124rem] md:[--guess:107rem] lg:[--guess:97rem]',
  projects: '[--guess:113rem] md:[--guess:95rem]',
  insights: '[--guess:78rem] md:[--guess:65rem] lg:[--guess:76rem]',
  reviews: '[--guess:31rem]',
  handover: '[--guess:70rem] md:[--guess:62rem] lg:[--guess:53rem]',
};

interface Links {
  projects: string;
  services: string;
}

export function HomePage(props: HomePageProps) {
  const { settings, sections } = props;
  const places = completeOrder(sections.order.places).filter((place) => place.isShown);
  const linkTo = (name: 'projects' | 'services') =>
    places.some((place) => place.name === name) ? `#${name}` : `/${name}`;
  const links: Links = { projects: linkTo('projects'), services: linkTo('services') };
  return (
    <>
      <Hero hero={sections.hero} tagline={settings.site_tagline} workHref={links.projects} />
      {places.map(({ name }) => {
        const section = sectionOf(name, props, links);
        return (
          section && (
            <SectionBoundary key={name} email={settings.contact_email}>
              <Hydrate when={near}>
                <div className={clsx('below-fold', HEIGHTS[name])}>{section}</div>
              </Hydrate>
            </SectionBoundary>
          )
        );
      })}
    </>
  );
}

/** Returns null for a section that is switched off elsewhere. */
function sectionOf(name: HomeSection, { settings, sections }: HomePageProps, links: Links): ReactNode {
  const { headings } = sections;
  switch (name) {
    case 'logo-banner':
      return <LogoBanner logos={sections['logo-banner'].logos} />;
    case 'highlights':
      return <Highlights heading={headings.highlights} usps={sections.usps} links={links} />;
    case 'testimonials':
      return <Testimonials content={sections.testimonials} />;
    case 'services':
      return <ServicesSection heading={headings.services} />;
    case 'features':
      return <FeatureTiles content={sections.features} />;
    case 'domain-check':
      return settings.domain_check === 'on' ? <DomainCheckBand {...headings.domainCheck} /> : null;
    case 'sequence':
      return sections.sequence.isShown ? <SequenceSection content={sections.sequence} /> : null;
    case 'deliverability':
      return sections.deliverability.isShown ? <DeliverabilitySection content={sections.deliverability} /> : null;
    case 'projects':
      return <ProjectsSection heading={headings.projects} />;
    case 'insights':
      return <InsightsSection heading={headings.insights} />;
    case 'reviews':
      return <ReviewsSection {...headings.reviews} />;
    case 'handover':
      return sections.handover.isShown ? <HandoverSection content={sections.handover} /> : null;
    case 'contact':
      return <Contact heading={headings.contact} settings={settings} />;
    case 'booking':
      return <Booking booking={sections.booking} />;
  }
}
