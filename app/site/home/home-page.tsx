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

/** Sections below the first screen are in the HTML and hydrate when they are near the viewport. */
const near = whenNear('800px');

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
      <Hydrate when={near}>
        <div className="below-fold [--guess:15rem] md:[--guess:9rem] lg:[--guess:6rem]">
          <LogoBanner logos={sections['logo-banner'].logos} />
        </div>
      </Hydrate>
    ),
    highlights: (
      <Hydrate when={near}>
        <div className="below-fold [--guess:147rem] md:[--guess:122rem] lg:[--guess:92rem]">
          <Highlights heading={headings.highlights} usps={sections.usps} links={links} />
        </div>
      </Hydrate>
    ),
    testimonials: (
      <Hydrate when={near}>
        <div className="below-fold">
          <Testimonials content={sections.testimonials} />
        </div>
      </Hydrate>
    ),
    services: (
      <Hydrate when={near}>
        <div className="below-fold [--guess:90rem] md:[--guess:81rem] lg:[--guess:70rem]">
          <ServicesSection heading={headings.services} />
        </div>
      </Hydrate>
    ),
    features: (
      <Hydrate when={near}>
        <div className="below-fold [--guess:62rem] md:[--guess:54rem] lg:[--guess:36rem]">
          <FeatureTiles content={sections.features} />
        </div>
      </Hydrate>
    ),
    'domain-check': settings.domain_check === 'on' && (
      <Hydrate when={near}>
        <div className="below-fold [--guess:12rem]">
          <DomainCheckBand {...headings.domainCheck} />
        </div>
      </Hydrate>
    ),
    sequence: sections.sequence.isShown && (
      <Hydrate when={near}>
        <div className="below-fold [--guess:124rem] md:[--guess:107rem] lg:[--guess:97rem]">
          <SequenceSection content={sections.sequence} />
        </div>
      </Hydrate>
    ),
    deliverability: sections.deliverability.isShown && (
      <Hydrate when={near}>
        <div className="below-fold [--guess:62rem] md:[--guess:50rem] lg:[--guess:41rem]">
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
      <Hydrate when={near}>
        <div className="below-fold [--guess:113rem] md:[--guess:95rem]">
          <ProjectsSection heading={headings.projects} />
        </div>
      </Hydrate>
    ),
    insights: (
      <Hydrate when={near}>
        <div className="below-fold [--guess:78rem] md:[--guess:65rem] lg:[--guess:76rem]">
          <InsightsSection heading={headings.insights} />
        </div>
      </Hydrate>
    ),
    reviews: (
      <Hydrate when={near}>
        <div className="below-fold [--guess:31rem]">
          <ReviewsSection {...headings.reviews} />
        </div>
      </Hydrate>
    ),
    handover: sections.handover.isShown && (
      <Hydrate when={near}>
        <div className="below-fold [--guess:70rem] md:[--guess:62rem] lg:[--guess:53rem]">
          <HandoverSection content={sections.handover} />
        </div>
      </Hydrate>
    ),
    contact: (
      <Hydrate when={near}>
        <div className="below-fold">
          <Contact heading={headings.contact} settings={settings} />
        </div>
      </Hydrate>
    ),
    booking: (
      <Hydrate when={near}>
        <div className="below-fold">
          <Booking booking={sections.booking} />
        </div>
      </Hydrate>
    ),
  };
}
