import { siteOrigin } from '../api/host/site-origin.ts';
import type { SiteSettings } from '../settings/site-settings.ts';
import type { SeoSite } from '../ui/lib/seo.ts';

/** Returns the settings in the form used for search engine metadata. */
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
