import type { PostSummary } from '../../content/posts/published.ts';
import { Cover } from '../../ui/cover.tsx';
import { PostMeta, ReadMore } from './post-parts.tsx';

interface PostListProps {
  posts: PostSummary[];
  /** Heading level of the titles. */
  heading: 'h2' | 'h3';
}

/** Rows of date, title, excerpt and thumbnail. */
export function PostList({ posts, heading: Heading }: PostListProps) {
  return (
    <ol className="border-t border-line-strong">
      {posts.map((post) => (
        <li key={post.id} className="group relative border-b border-line">
          <article className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-5 gap-y-4 py-6 md:grid-cols-12 md:gap-x-8 md:py-9">
            <PostMeta post={post} className="grid content-start gap-y-2 md:col-span-3 lg:col-span-2" />
            <div className="col-span-2 grid content-start gap-3 md:col-span-6 lg:col-span-7">
              <Heading className="line-clamp-4 text-display-3 wrap-anywhere group-hover:underline group-hover:decoration-accent group-hover:underline-offset-4">
                {post.title}
              </Heading>
              <p className="line-clamp-3 max-w-[62ch] text-muted wrap-anywhere">{post.excerpt}</p>
              <p>
                <ReadMore post={post} />
              </p>
            </div>
            <div className="col-start-2 row-start-1 aspect-[4/3] w-26 md:aspect-[16/10] overflow-hidden rounded-md border border-line md:col-span-3 md:col-start-10 md:w-auto md:rounded-lg">
              <div className="size-full transition-transform duration-250 ease-out group-hover:scale-[1.025]">
                <Cover
                  src={post.featured_image}
                  subject={{ slug: post.slug, title: post.title }}
                  pictures={post.pictures}
                  sizes="(min-width: 48rem) 290px, 104px"
                />
              </div>
            </div>
          </article>
        </li>
      ))}
    </ol>
  );
}
