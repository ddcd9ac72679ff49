/** Post elements shared by all lists. */
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { ArrowRight } from 'lucide-react';
import type { PostSummary } from '../../content/posts/published.ts';
import { useSiteZone } from '../../settings/use-site-zone.ts';
import { buttonClass } from '../../ui/button.tsx';
import { formatDayOf } from '../../ui/lib/format-date.ts';

export function PostMeta({ post, className }: { post: PostSummary; className: string }) {
  const zone = useSiteZone();
  return (
    <p className={clsx('font-mono text-label text-muted', className)}>
      <time dateTime={post.published_date} className="block">
        {formatDayOf(post.published_date, zone)}
      </time>
      {post.category && <span className="block text-accent wrap-anywhere">{post.category}</span>}
    </p>
  );
}

/** Link that covers the whole entry. */
export function ReadMore({ post }: { post: PostSummary }) {
  return (
    <Link
      to="/news/$slug"
      params={{ slug: post.slug }}
      className={buttonClass({ variant: 'link' }, 'after:absolute after:inset-0')}
    >
      Read more
      <span className="sr-only"> about {post.title}</span>
      <ArrowRight aria-hidden="true" className="transition-transform duration-200 ease-out group-hover:translate-x-1" />
    </Link>
  );
}
