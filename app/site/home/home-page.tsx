import { Hydrate } from '@tanstack/react-start';
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

/** Hydrates a section when it is within 800 px of the viewport. The server-rendered HTML contains all sections. */
const hydrateNearViewport = whenNear('800px');

interface Links {
  projects: string;
  services: string;
}

export function HomePage(props: HomePageProps) {
  const { settings, sections } = props;
  const visibleSections = completeOrder(sections.order.places).filter(({ isShown }) => isShown);
  const linkTo = (name: 'projects' | 'services') =>
    visibleSections.some((section) => section.name === name) ? `#${name}` : `/${name}`;
  const links: Links = { projects: linkTo('projects'), services: linkTo('services') };
  const elements: Record<HomeSection, ReactNode> = {
    ...upperSections(props, links),
    ...lowerSections(props),
  };
  return (
    <>
      <Hero hero={sections.hero} tagline={settings.site_tagline} workHref={links.projects} />
      {visibleSections.map(({ name }) => (
        <SectionBoundary key={name} email={settings.contact_email}>
          {elements[name]}
        </SectionBoundary>
      ))}
    </>
  );
}

// Each Hydrate is written out, because the build moves the children of each one into a separate chunk.

function upperSections({ settings, sections }: HomePageProps, links: Links) {
  const { headings } = sections;
  return {
    'logo-banner': (
      <Hydrate when={hydrateNearViewport}>
        <div className="below-fold [--estimated-height:15rem] md:[--estimated-height:9rem] lg:[--estimated-height:6rem]">
          <LogoBanner logos={sections['logo-banner'].logos} />
        </div>
      </Hydrate>
    ),
    highlights: (
      <Hydrate when={hydrateNearViewport}>
        <div className="below-fold [--estimated-height:147rem] md:[--estimated-height:122rem] lg:[--estimated-height:92rem]">
          <Highlights heading={headings.highlights} usps={sections.usps} links={links} />
        </div>
      </Hydrate>
    ),
    testimonials: (
      <Hydrate when={hydrateNearViewport}>
        <div className="below-fold">
          <Testimonials content={sections.testimonials} />
        </div>
      </Hydrate>
    ),
    services: (
      <Hydrate when={hydrateNearViewport}>
        <div className="below-fold [--estimated-height:90rem] md:[--estimated-height:81rem] lg:[--estimated-height:70rem]">
          <ServicesSection heading={headings.services} />
        </div>
      </Hydrate>
    ),
    features: (
      <Hydrate when={hydrateNearViewport}>
        <div className="below-fold [--estimated-height:62rem] md:[--estimated-height:54rem] lg:[--estimated-height:36rem]">
          <FeatureTiles content={sections.features} />
        </div>
      </Hydrate>
    ),
    'domain-check': settings.domain_check === 'on' && (
      <Hydrate when={hydrateNearViewport}>
        <div className="below-fold [--estimated-height:12rem]">
          <DomainCheckBand {...headings.domainCheck} />
        </div>
      </Hydrate>
    ),
    sequence: sections.sequence.isShown && (
      <Hydrate when={hydrateNearViewport}>
        <div className="below-fold [--estimated-height:124rem] md:[--estimated-height:107rem] lg:[--estimated-height:97rem]">
          <SequenceSection content={sections.sequence} />
        </div>
      </Hydrate>
    ),
    deliverability: sections.deliverability.isShown && (
      <Hydrate when={hydrateNearViewport}>
        <div className="below-fold [--estimated-height:62rem] md:[--estimated-height:50rem] lg:[--estimated-height:41rem]">
          <DeliverabilitySection content={sections.deliverability} />
        </div>
      </Hydrate>
    ),
  };
}

function lowerSections({ settings, sections }: HomePageProps) {
  const { headings } = sections;
  return {
    projects: (
      <Hydrate when={hydrateNearViewport}>
        <div className="below-fold [--estimated-height:113rem] md:[--estimated-height:95rem]">
          <ProjectsSection heading={headings.projects} />
        </div>
      </Hydrate>
    ),
    insights: (
      <Hydrate when={hydrateNearViewport}>
        <div className="below-fold [--estimated-height:78rem] md:[--estimated-height:65rem] lg:[--estimated-height:76rem]">
          <InsightsSection heading={headings.insights} />
        </div>
      </Hydrate>
    ),
    reviews: (
      <Hydrate when={hydrateNearViewport}>
        <div className="below-fold [--estimated-height:31rem]">
          <ReviewsSection {...headings.reviews} />
        </div>
      </Hydrate>
    ),
    handover: sections.handover.isShown && (
      <Hydrate when={hydrateNearViewport}>
        <div className="below-fold [--estimated-height:70rem] md:[--estimated-height:62rem] lg:[--estimated-height:53rem]">
          <HandoverSection content={sections.handover} />
        </div>
      </Hydrate>
    ),
    contact: (
      <Hydrate when={hydrateNearViewport}>
        <div className="below-fold">
          <Contact heading={headings.contact} settings={settings} />
        </div>
      </Hydrate>
    ),
    booking: (
      <Hydrate when={hydrateNearViewport}>
        <div className="below-fold">
          <Booking booking={sections.booking} />
        </div>
      </Hydrate>
    ),
  };
}
