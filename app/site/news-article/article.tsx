import { clsx } from 'clsx';
import type { WithPictures } from '../../api/pictures.ts';
import type { Post } from '../../content/posts/published.ts';
import { useSiteZone } from '../../settings/use-site-zone.ts';
import { Cover } from '../../ui/cover.tsx';
import { formatDayOf } from '../../ui/lib/format-date.ts';
import { LongText } from '../../ui/long-text.tsx';
import { BackToNews } from './back-to-news.tsx';

const WORDS_PER_MINUTE = 220;

/** Maximum length of a title that is shown at full size, in characters. */
const MAX_LENGTH = 90;
const LONG_TITLE_CLASS = 'text-[clamp(1.625rem,2.6vw,2.375rem)] leading-[1.14] font-semibold tracking-[-0.02em]';

export function Article({ post }: { post: WithPictures<Post> }) {
  const zone = useSiteZone();
  const minutes = Math.max(1, Math.round(post.content.split(/\s+/).length / WORDS_PER_MINUTE));
  return (
    <article className="pb-[clamp(4rem,9vw,9rem)]">
      <header className="page-grid grid gap-8 pt-[clamp(2.5rem,5vw,5rem)] pb-[clamp(2rem,4vw,3.5rem)] lg:grid-cols-12">
        <div className="lg:col-span-2">
          <BackToNews />
        </div>
        <div className="grid gap-6 lg:col-span-9">
          <p className="flex flex-wrap gap-x-5 gap-y-1 font-mono text-label text-muted">
            <time dateTime={post.published_date}>{formatDayOf(post.published_date, zone)}</time>
            {post.category && <span className="text-accent">{post.category}</span>}
            <span>{minutes} min read</span>
          </p>
          <h1 className={clsx('wrap-anywhere', post.title.length > MAX_LENGTH ? LONG_TITLE_CLASS : 'text-display-2')}>
            {post.title}
          </h1>
          {post.excerpt && <p className="max-w-[60ch] text-lead text-muted wrap-anywhere">{post.excerpt}</p>}
        </div>
      </header>
      <div className="page-grid">
        <div className="aspect-[16/9] overflow-hidden rounded-lg border border-line md:aspect-[21/9]">
          <Cover
            src={post.featured_image}
            subject={{ slug: post.slug, title: post.title }}
            pictures={post.pictures}
            sizes="(min-width: 81rem) 1200px, 92vw"
            isFirst
          />
        </div>
      </div>
      <div className="page-grid mt-[clamp(2.5rem,5vw,4rem)] grid gap-x-8 lg:grid-cols-12">
        <LongText
          text={post.content}
          pictures={post.pictures}
          mayReload
          className="min-w-0 text-[1.0625rem] leading-[1.7] wrap-anywhere lg:col-span-8 lg:col-start-3"
        />
      </div>
    </article>
  );
}
