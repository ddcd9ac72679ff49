import type { SiteSettings } from '../data/settings/site-settings.ts';
import { siteOrigin } from '../host/site-origin.ts';
import type { SeoSite } from '../lib/seo.ts';

/** Returns the saved settings as search engines are told them. */
export function seoSite(settings: SiteSettings): SeoSite {
  return {
    origin: siteOrigin(),
    name: settings.site_name,
    tagline: settings.site_tagline,
    description: settings.seo_description,
    keywords: settings.seo_keywords,
    email: settings.contact_email,
    phone: settings.contact_phone,
    socialLinks: settings.social_links,
  };
}
