/** Builds the document head for search engines and link previews. */

export interface SeoSite {
  /** Without a trailing slash. */
  origin: string;
  name: string;
  tagline: string;
  description: string;
  keywords: string;
  email: string;
  phone: string;
  socialLinks: Record<string, string>;
}

export interface SeoPage {
  /** Defaults to the site's name and tagline. */
  title?: string;
  description?: string;
  path: string;
  /** Defaults to a generated image. */
  image?: string | null;
  type?: 'website' | 'article';
  publishedTime?: string;
  /** True for noindex. */
  isHidden?: boolean;
  jsonLd?: Record<string, unknown>[];
}

/** Builds a head with only a title, for pages that are not indexed. The loader data of the first match contains the site name. */
export function titleHead(matches: readonly { loaderData?: unknown }[], title: string) {
  const root = matches[0]?.loaderData;
  const siteName = root && typeof root === 'object' && 'siteName' in root ? root.siteName : undefined;
  return { meta: [{ title: [title, siteName].filter(Boolean).join(' · ') }] };
}

/** Builds the head of a page: title, description, canonical URL, Open Graph, Twitter card and JSON-LD. */
export function pageHead(site: SeoSite, page: SeoPage) {
  const title = page.title ? `${page.title} · ${site.name}` : `${site.name} · ${site.tagline}`;
  const description = shorten(page.description || site.description);
  const url = `${site.origin}${page.path}`;
  const image = absoluteUrl(page.image || `/og.png?path=${encodeURIComponent(page.path)}`, site.origin);
  return {
    meta: [
      { title },
      { name: 'description', content: description },
      { name: 'keywords', content: site.keywords },
      ...(page.isHidden ? [{ name: 'robots', content: 'noindex' }] : []),
      { property: 'og:site_name', content: site.name },
      { property: 'og:type', content: page.type ?? 'website' },
      { property: 'og:title', content: page.title ?? title },
      { property: 'og:description', content: description },
      { property: 'og:url', content: url },
      { property: 'og:image', content: image },
      ...(page.image
        ? []
        : [
            { property: 'og:image:width', content: '1200' },
            { property: 'og:image:height', content: '630' },
          ]),
      ...(page.publishedTime ? [{ property: 'article:published_time', content: page.publishedTime }] : []),
      { name: 'twitter:card', content: 'summary_large_image' },
    ],
    links: [{ rel: 'canonical', href: url }],
    scripts: (page.jsonLd ?? []).map((data) => ({
      type: 'application/ld+json',
      children: JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c'),
    })),
  };
}

export function organizationJsonLd(site: SeoSite): Record<string, unknown> {
  return {
    '@type': 'Organization',
    '@id': `${site.origin}/#organization`,
    name: site.name,
    slogan: site.tagline,
    description: site.description,
    url: `${site.origin}/`,
    email: site.email,
    telephone: site.phone || undefined,
    address: { '@type': 'PostalAddress', addressLocality: 'Oslo', addressCountry: 'NO' },
    sameAs: Object.values(site.socialLinks).filter((link) => link.startsWith('http')),
  };
}

export function articleJsonLd(
  site: SeoSite,
  post: {
    title: string;
    slug: string;
    excerpt: string;
    image: string | null;
    publishedDate: string;
    updatedAt: string;
  },
): Record<string, unknown> {
  return {
    '@type': 'Article',
    headline: post.title,
    description: post.excerpt,
    url: `${site.origin}/news/${post.slug}`,
    datePublished: post.publishedDate,
    dateModified: post.updatedAt,
    image: absoluteUrl(post.image || `/og.png?path=${encodeURIComponent(`/news/${post.slug}`)}`, site.origin),
    author: { '@id': `${site.origin}/#organization` },
    publisher: organizationJsonLd(site),
  };
}

export function serviceJsonLd(
  site: SeoSite,
  service: { title: string; slug: string; short_description: string },
): Record<string, unknown> {
  return {
    '@type': 'Service',
    name: service.title,
    description: service.short_description,
    url: `${site.origin}/services#${service.slug}`,
    provider: { '@type': 'Organization', '@id': `${site.origin}/#organization`, name: site.name },
  };
}

/** Builds the breadcrumbs from the home page. Each step has a name and a path. */
export function breadcrumbJsonLd(site: SeoSite, steps: { name: string; path: string }[]): Record<string, unknown> {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [{ name: 'Home', path: '/' }, ...steps].map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: `${site.origin}${path}`,
    })),
  };
}

/** Truncates text to 160 characters at a word boundary. */
function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= 160) return line;
  return `${line.slice(0, 159).replace(/\s+\S*$/, '')}…`;
}

function absoluteUrl(url: string, origin: string): string {
  return url.startsWith('/') ? `${origin}${url}` : url;
}
