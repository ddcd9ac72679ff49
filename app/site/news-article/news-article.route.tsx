import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute, notFound, redirect } from '@tanstack/react-router';
import { prefetchLists } from '../../api/query-client.ts';
import { findPlayers } from '../../content/pages/page-policy.ts';
import { movedItemQuery } from '../../content/pages/slug-aliases.ts';
import { publishedPostQuery } from '../../content/posts/published.ts';
import { relatedPostsQuery } from '../../content/posts/published-related.ts';
import { siteSettingsQuery } from '../../settings/site-settings.ts';
import { articleJsonLd, breadcrumbJsonLd, pageHead } from '../../ui/lib/seo.ts';
import { LongText } from '../../ui/long-text.tsx';
import { seoSite } from '../seo-site.ts';
import { Article } from './article.tsx';
import { PlaceholderArticle } from './placeholder-article.tsx';
import { PLACEHOLDER_TITLE } from './placeholder-title.ts';
import { RelatedArticles } from './related-articles.tsx';

export const Route = createFileRoute('/_gate/_site/news/$slug')({
  loader: async ({ context: { queryClient }, params }) => {
    const [settings, post] = await Promise.all([
      queryClient.ensureQueryData(siteSettingsQuery),
      queryClient.ensureQueryData(publishedPostQuery(params.slug)),
    ]);
    if (!post) {
      const alias = await queryClient.ensureQueryData(movedItemQuery('posts', params.slug));
      if (alias?.to) throw redirect({ to: '/news/$slug', params: { slug: alias.to }, statusCode: 301 });
      if (alias) throw notFound();
    } else {
      await Promise.all([prefetchLists(queryClient.prefetchQuery(relatedPostsQuery(post))), LongText.preload()]);
    }
    return {
      settings,
      isMissing: !post,
      players: findPlayers(post?.content),
      post: post && {
        title: post.title,
        slug: post.slug,
        excerpt: post.excerpt,
        image: post.featured_image,
        publishedDate: post.published_date,
        updatedAt: post.updated_at,
      },
    };
  },
  head: ({ loaderData, params }) => {
    if (!loaderData) return {};
    const { settings, post } = loaderData;
    const site = seoSite(settings);
    const path = `/news/${encodeURIComponent(params.slug)}`;
    // Every slug has a page, so keep pages without a published post out of search engines.
    if (!post) return pageHead(site, { title: PLACEHOLDER_TITLE, path, isHidden: true });
    return pageHead(site, {
      title: post.title,
      description: post.excerpt,
      path,
      image: post.image,
      type: 'article',
      publishedTime: post.publishedDate,
      jsonLd: [
        articleJsonLd(site, post),
        breadcrumbJsonLd(site, [
          { name: 'News', path: '/news' },
          { name: post.title, path },
        ]),
      ],
    });
  },
  component: NewsArticle,
});

function NewsArticle() {
  const { slug } = Route.useParams();
  const { data: post } = useSuspenseQuery(publishedPostQuery(slug));
  if (!post) return <PlaceholderArticle slug={slug} />;
  return (
    <>
      <Article post={post} />
      <RelatedArticles post={post} />
    </>
  );
}
