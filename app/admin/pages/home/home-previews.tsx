/** Previews of sections that also show site settings. */
import { useQuery } from '@tanstack/react-query';
import type { Footer as FooterContent } from '../../../content/pages/footer.ts';
import type { Headings } from '../../../content/pages/headings.ts';
import type { Hero as HeroContent } from '../../../content/pages/hero.ts';
import type { HomePlace } from '../../../content/pages/home-sections.ts';
import { pageContentQuery } from '../../../content/pages/page-content.ts';
import type { Usps } from '../../../content/pages/usps.ts';
import { siteSettingDefaults } from '../../../settings/read.ts';
import { siteSettingsQuery } from '../../../settings/site-settings.ts';
import { ClosingCall } from '../../../site/closing-band.tsx';
import { Footer } from '../../../site/footer/footer.tsx';
import { Contact } from '../../../site/home/contact.tsx';
import { DomainCheckBand } from '../../../site/home/domain-check-band.tsx';
import { Hero } from '../../../site/home/hero.tsx';
import { Highlights } from '../../../site/home/highlights.tsx';
import { HomePage } from '../../../site/home/home-page.tsx';
import { InsightsSection } from '../../../site/home/insights-section.tsx';
import { ProjectsSection } from '../../../site/home/projects-section.tsx';
import { ReviewsSection } from '../../../site/home/reviews-section.tsx';
import { ServicesSection } from '../../../site/home/services-section.tsx';

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

/** All sections whose headings are edited together. */
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

/** The page as it is, with its sections in this order. */
export function OrderPreview({ places }: { places: HomePlace[] }) {
  const { data } = useQuery(pageContentQuery('home'));
  const { data: settings = siteSettingDefaults } = useQuery(siteSettingsQuery);
  return data && <HomePage settings={settings} sections={{ ...data.sections, order: { places } }} />;
}
