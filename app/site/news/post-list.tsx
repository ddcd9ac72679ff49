import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import type { PostSummary } from '../../content/posts/published.ts';
import { formatDate } from '../../lib/format-date.ts';
import { buttonClass } from '../../ui/button.tsx';

/** Posts as the contents page of a journal: date, title, excerpt, one line below the other. */
export function PostList({ posts, heading: Heading }: { posts: PostSummary[]; heading: 'h2' | 'h3' }) {
  return (
    <ol className="border-t border-line-strong">
      {posts.map((post) => (
        <li key={post.id} className="group relative border-b border-line">
          <article className="grid gap-x-8 gap-y-3 py-6 md:grid-cols-12 md:py-10">
            <p className="flex gap-x-4 font-mono text-label text-muted md:col-span-3 md:block lg:col-span-2">
              <time dateTime={post.published_date} className="block">
                {formatDate(post.published_date)}
              </time>
              {post.category && <span className="block text-accent md:mt-2">{post.category}</span>}
            </p>
            <div className="grid gap-3 md:col-span-7 lg:col-span-8">
              <Heading className="text-display-3 wrap-anywhere group-hover:underline group-hover:decoration-accent group-hover:underline-offset-4">
                {post.title}
              </Heading>
              <p className="line-clamp-3 max-w-[62ch] text-muted wrap-anywhere">{post.excerpt}</p>
            </div>
            <p className="md:col-span-2 md:justify-self-end">
              <Link
                to="/news/$slug"
                params={{ slug: post.slug }}
                className={buttonClass({ variant: 'link' }, 'after:absolute after:inset-0')}
              >
                Read more
                <span className="sr-only"> about {post.title}</span>
                <ArrowRight
                  aria-hidden="true"
                  className="transition-transform duration-200 ease-out group-hover:translate-x-1"
                />
              </Link>
            </p>
          </article>
        </li>
      ))}
    </ol>
  );
}
