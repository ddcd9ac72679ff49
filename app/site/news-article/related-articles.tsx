import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { relatedPostsQuery } from '../../content/posts/published-related.ts';
import { useSiteZone } from '../../settings/use-site-zone.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Cover } from '../../ui/cover.tsx';
import { formatDayOf } from '../../ui/lib/format-date.ts';

/** Shows related posts below an article, and a link to book a call. */
export function RelatedArticles({ post }: { post: { slug: string; category: string } }) {
  const { data: posts } = useQuery(relatedPostsQuery(post));
  const zone = useSiteZone();
  return (
    <section
      aria-labelledby="read-on-heading"
      className="border-t border-line bg-surface py-[clamp(3.5rem,7vw,7rem)] print:hidden"
    >
      <div className="page-grid grid gap-[clamp(2rem,4vw,3.5rem)]">
        <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
          <h2 id="read-on-heading" className="text-display-2">
            {posts?.length === 0 ? 'What next?' : 'More posts'}
          </h2>
          <p className="flex flex-wrap items-center gap-x-6 gap-y-3">
            <ButtonLink to="/news" variant="secondary">
              More posts
            </ButtonLink>
            <ButtonLink to="/" hash="booking">
              Book a call
            </ButtonLink>
          </p>
        </div>
        {posts && posts.length > 0 && (
          <ul className="grid gap-x-6 gap-y-6 md:grid-cols-3">
            {posts.map(({ id, slug, title, category, featured_image, published_date, pictures }) => (
              <li
                key={id}
                className="group relative grid grid-cols-[7rem_1fr] content-start gap-x-4 gap-y-4 md:grid-cols-1"
              >
                <div className="aspect-[4/3] overflow-hidden rounded-md border border-line md:aspect-[16/10] md:rounded-lg">
                  <Cover
                    src={featured_image}
                    subject={{ slug, title }}
                    pictures={pictures}
                    sizes="(min-width: 81rem) 390px, (min-width: 48rem) 30vw, 7rem"
                  />
                </div>
                <div className="grid content-start gap-2">
                  <p className="flex flex-wrap gap-x-4 font-mono text-label text-muted">
                    <time dateTime={published_date}>{formatDayOf(published_date, zone)}</time>
                    {category && <span className="text-accent">{category}</span>}
                  </p>
                  <h3 className="line-clamp-3 text-lg leading-snug font-semibold wrap-anywhere md:text-display-3">
                    <Link
                      to="/news/$slug"
                      params={{ slug }}
                      className="underline-offset-4 group-hover:underline group-hover:decoration-accent after:absolute after:inset-0"
                    >
                      {title}
                    </Link>
                  </h3>
                </div>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
