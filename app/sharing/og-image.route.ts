import { createFileRoute } from '@tanstack/react-router';
import { publishedPostQuery } from '../content/posts/published.ts';
import { publishedProjectsQuery } from '../content/projects/published.ts';
import { pageContentQuery } from '../data/pages/page-content.ts';
import { PAGES_WITH_HEADER } from '../data/pages/public-pages.ts';
import type { SiteSettings } from '../data/settings/site-settings.ts';
import { answerForOpenSite, type OpenSite } from './open-site.ts';

/** The picture of a page in link previews: /og.png?path=/about. */
export const Route = createFileRoute('/og.png')({
  server: {
    handlers: {
      GET: ({ request }) =>
        answerForOpenSite(request, async (site) => {
          const path = new URL(request.url).searchParams.get('path') ?? '/';
          const texts = path.startsWith('/') && !path.startsWith('//') ? await textsOf(path, site) : null;
          if (!texts) return new Response('There is no such page.', { status: 404 });
          const { drawOgImage } = await import('./og-image.tsx');
          return new Response(await drawOgImage({ ...texts, ...lookOf(site.settings) }), {
            headers: { 'content-type': 'image/png' },
          });
        }),
    },
  },
});

function lookOf({ site_name, brand_accent, brand_logo }: SiteSettings) {
  return { siteName: site_name, accent: brand_accent, logo: brand_logo };
}

interface Texts {
  /** The small line above. */
  eyebrow: string;
  title: string;
}

/** Only of pages that exist, so that nobody can have pictures with words of their own drawn here. */
async function textsOf(path: string, { settings, queryClient }: OpenSite): Promise<Texts | null> {
  const { pathname, searchParams } = new URL(path, 'http://site');
  if (pathname === '/') return { eyebrow: 'Oslo, Norway', title: settings.site_tagline };
  const [, slug] = /^\/news\/([^/]*)/.exec(pathname) ?? [];
  if (slug !== undefined) {
    const post = await queryClient.fetchQuery(publishedPostQuery(decodeSlug(slug)));
    return post && { eyebrow: post.category || 'News', title: post.title };
  }
  const page = PAGES_WITH_HEADER.find(({ to }) => to === pathname);
  if (!page) return null;
  const opened = searchParams.get('case');
  if (page.to === '/projects' && opened !== null) {
    const projects = await queryClient.fetchQuery(publishedProjectsQuery());
    const project = projects.find((item) => item.slug === opened);
    return project ? { eyebrow: project.company || 'Projects', title: project.title } : null;
  }
  const { sections } = await queryClient.fetchQuery(pageContentQuery(page.header));
  return { eyebrow: page.label, title: sections.header.title };
}

function decodeSlug(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}
