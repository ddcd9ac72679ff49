/** Previews of sections that also need settings or other sections. */
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import type { Footer as FooterContent } from '../../../content/pages/footer.ts';
import type { Headings } from '../../../content/pages/headings.ts';
import type { Hero as HeroContent } from '../../../content/pages/hero.ts';
import { completeOrder, type HomeSection, type HomeSectionEntry } from '../../../content/pages/home-sections.ts';
import { pageContentQuery } from '../../../content/pages/page-content.ts';
import type { Usps } from '../../../content/pages/usps.ts';
import { siteSettingDefaults } from '../../../settings/read-site-settings.ts';
import { siteSettingsQuery } from '../../../settings/site-settings.ts';
import { ClosingCall } from '../../../site/closing-band.tsx';
import { Footer } from '../../../site/footer/footer.tsx';
import { Booking } from '../../../site/home/booking.tsx';
import { Contact } from '../../../site/home/contact.tsx';
import { DeliverabilitySection } from '../../../site/home/deliverability-section.tsx';
import { DomainCheckBand } from '../../../site/home/domain-check-band.tsx';
import { FeatureTiles } from '../../../site/home/feature-tiles.tsx';
import { HandoverSection } from '../../../site/home/handover-section.tsx';
import { Hero } from '../../../site/home/hero.tsx';
import { Highlights } from '../../../site/home/highlights.tsx';
import { InsightsSection } from '../../../site/home/insights-section.tsx';
import { LogoBanner } from '../../../site/home/logo-banner.tsx';
import { ProjectsSection } from '../../../site/home/projects-section.tsx';
import { ReviewsSection } from '../../../site/home/reviews-section.tsx';
import { SequenceSection } from '../../../site/home/sequence-section.tsx';
import { ServicesSection } from '../../../site/home/services-section.tsx';
import { Testimonials } from '../../../site/home/testimonials.tsx';

export function HeroPreview({ content }: { content: HeroContent }) {
  const { data: settings = siteSettingDefaults } = useQuery(siteSettingsQuery);
  return <Hero hero={content} tagline={settings.site_tagline} />;
}

export function FooterPreview({ content }: { content: FooterContent }) {
  const { data: settings = siteSettingDefaults } = useQuery(siteSettingsQuery);
  return (
    <>
      <ClosingCall content={content.closing} />
      <Footer
        content={content}
        isNewsletterOn={false}
        siteName={settings.site_name}
        tagline={settings.site_tagline}
        contactEmail={settings.contact_email}
      />
    </>
  );
}

export function HighlightsPreview({ content }: { content: Usps }) {
  const { data } = useQuery(pageContentQuery('home'));
  return data && <Highlights heading={data.sections.headings.highlights} usps={content} />;
}

/** Renders all sections whose headings are edited together. */
export function HeadingsPreview({ content }: { content: Headings }) {
  const { data } = useQuery(pageContentQuery('home'));
  const { data: settings = siteSettingDefaults } = useQuery(siteSettingsQuery);
  return (
    <>
      {data && <Highlights heading={content.highlights} usps={data.sections.usps} />}
      <ServicesSection heading={content.services} />
      <DomainCheckBand {...content.domainCheck} />
      <ProjectsSection heading={content.projects} />
      <InsightsSection heading={content.insights} />
      <ReviewsSection {...content.reviews} />
      <Contact heading={content.contact} settings={settings} />
    </>
  );
}

/** Renders the home page with its sections in this order. Sharing HomePage would enlarge the public bundle. */
export function OrderPreview({ places }: { places: HomeSectionEntry[] }) {
  const { data } = useQuery(pageContentQuery('home'));
  const { data: settings = siteSettingDefaults } = useQuery(siteSettingsQuery);
  if (!data) return null;
  const { headings, ...sections } = data.sections;
  const elements: Record<HomeSection, ReactNode> = {
    'logo-banner': <LogoBanner logos={sections['logo-banner'].logos} />,
    highlights: <Highlights heading={headings.highlights} usps={sections.usps} />,
    testimonials: <Testimonials content={sections.testimonials} />,
    services: <ServicesSection heading={headings.services} />,
    features: <FeatureTiles content={sections.features} />,
    'domain-check': settings.domain_check === 'on' && <DomainCheckBand {...headings.domainCheck} />,
    sequence: sections.sequence.isShown && <SequenceSection content={sections.sequence} />,
    deliverability: sections.deliverability.isShown && <DeliverabilitySection content={sections.deliverability} />,
    projects: <ProjectsSection heading={headings.projects} />,
    insights: <InsightsSection heading={headings.insights} />,
    reviews: <ReviewsSection {...headings.reviews} />,
    handover: sections.handover.isShown && <HandoverSection content={sections.handover} />,
    contact: <Contact heading={headings.contact} settings={settings} />,
    booking: <Booking booking={sections.booking} />,
  };
  const shownSections = completeOrder(places).filter(({ isShown }) => isShown);
  return (
    <>
      <Hero hero={sections.hero} tagline={settings.site_tagline} />
      {shownSections.map(({ name }) => (
        <Fragment key={name}>{elements[name]}</Fragment>
      ))}
    </>
  );
}
