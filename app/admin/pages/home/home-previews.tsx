/** Previews of sections that also show site settings. */
import { useQuery } from '@tanstack/react-query';
import type { Footer as FooterContent } from '../../../content/pages/footer.ts';
import type { Hero as HeroContent } from '../../../content/pages/hero.ts';
import { siteSettingDefaults } from '../../../settings/read.ts';
import { siteSettingsQuery } from '../../../settings/site-settings.ts';
import { Footer } from '../../../site/footer/footer.tsx';
import { Hero } from '../../../site/home/hero.tsx';

export function HeroPreview({ content }: { content: HeroContent }) {
  const { data: settings = siteSettingDefaults } = useQuery(siteSettingsQuery);
  return <Hero hero={content} tagline={settings.site_tagline} />;
}

export function FooterPreview({ content }: { content: FooterContent }) {
  const { data: settings = siteSettingDefaults } = useQuery(siteSettingsQuery);
  return (
    <Footer
      content={content}
      isNewsletterOn={false}
      siteName={settings.site_name}
      tagline={settings.site_tagline}
      contactEmail={settings.contact_email}
    />
  );
}
