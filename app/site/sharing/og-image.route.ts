import { createFileRoute } from '@tanstack/react-router';
import { PAGES_WITH_HEADER, projectPath } from '../../api/places/public-pages.ts';
import { pageContentQuery } from '../../content/pages/page-content.ts';
import { publishedPostQuery } from '../../content/posts/published.ts';
import { publishedProjectsQuery } from '../../content/projects/published.ts';
import type { SiteSettings } from '../../settings/site-settings.ts';
import type { CoverSubject } from '../../ui/cover-input.ts';
import { type PublicSite, respondIfPublic } from './public-response.ts';

/** Link preview image of a page: /og.png?path=/about. */
export const Route = createFileRoute('/og.png')({
  server: {
    handlers: {
      GET: ({ request }) =>
        respondIfPublic(request, async (site) => {
          const path = new URL(request.url).searchParams.get('path') ?? '/';
          const page = path.startsWith('/') && !path.startsWith('//') ? await findPage(path, site) : null;
          if (!page) return new Response('Page not found.', { status: 404 });
          // Drawing is slow and a page has an unlimited number of URLs, so redirect to the canonical URL.
          if (page.path !== path) return redirectTo(page.path);
          const { drawOgImage } = await import('./og-image.tsx');
          const { eyebrow, title, subject } = page;
          return new Response(await drawOgImage({ eyebrow, title, subject, ...toBrand(site.settings) }), {
            headers: { 'content-type': 'image/png' },
          });
        }),
    },
  },
});

function toBrand({ site_name, brand_accent, brand_logo }: SiteSettings) {
  return { siteName: site_name, accent: brand_accent, logo: brand_logo };
}

function redirectTo(path: string): Response {
  return new Response(null, { status: 301, headers: { location: `/og.png?path=${encodeURIComponent(path)}` } });
}

interface SharedPage {
  /** Canonical path of the page. */
  path: string;
  /** Line above the title. */
  eyebrow: string;
  title: string;
  /** Seed of the cover, as on the page. */
  subject: CoverSubject;
}

/**
 * Returns the page of a path. Null if it does not exist, because visitors must not be able to create images with
 * arbitrary text.
 */
async function findPage(path: string, { settings, queryClient }: PublicSite): Promise<SharedPage | null> {
  const { pathname, searchParams } = new URL(path, 'http://site');
  if (pathname === '/')
    return { path: '/', eyebrow: 'Oslo, Norway', title: settings.site_tagline, subject: { slug: '/' } };
  const [, slug] = /^\/news\/([^/]*)/.exec(pathname) ?? [];
  if (slug !== undefined) {
    const post = await queryClient.fetchQuery(publishedPostQuery(decodeSlug(slug)));
    if (!post) return null;
    const { slug: postSlug, title, category } = post;
    return { path: articlePath(postSlug), eyebrow: category || 'News', title, subject: { slug: postSlug, title } };
  }
  const page = PAGES_WITH_HEADER.find(({ to }) => to === pathname);
  if (!page) return null;
  const caseSlug = searchParams.get('case');
  if (page.to === '/projects' && caseSlug !== null) {
    const projects = await queryClient.fetchQuery(publishedProjectsQuery());
    const project = projects.find((item) => item.slug === caseSlug);
    if (!project) return null;
    const { slug, company, title, key_metric: figure } = project;
    return { path: projectPath(slug), eyebrow: company || 'Projects', title, subject: { slug, title, figure } };
  }
  const { sections } = await queryClient.fetchQuery(pageContentQuery(page.header));
  return { path: page.to, eyebrow: page.label, title: sections.header.title, subject: { slug: page.to } };
}

const articlePath = (slug: string) => `/news/${encodeURIComponent(slug)}`;

function decodeSlug(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}
