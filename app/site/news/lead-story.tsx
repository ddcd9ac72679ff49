import type { PostSummary } from '../../content/posts/published.ts';
import { Cover } from '../../ui/cover.tsx';
import { PostMeta, ReadMore } from './post-parts.tsx';

export function LeadStory({ post }: { post: PostSummary }) {
  return (
    <article className="group relative grid gap-x-10 gap-y-6 lg:grid-cols-12 lg:items-center">
      <div className="aspect-[16/10] overflow-hidden rounded-lg border border-line lg:col-span-7">
        <div className="size-full transition-transform duration-250 ease-out group-hover:scale-[1.025]">
          <Cover
            src={post.featured_image}
            subject={{ slug: post.slug, title: post.title }}
            pictures={post.pictures}
            sizes="(min-width: 64rem) 690px, 92vw"
            isFirst
          />
        </div>
      </div>
      <div className="grid gap-5 lg:col-span-5">
        <PostMeta post={post} className="flex flex-wrap gap-x-5 gap-y-1" />
        <h2 className="line-clamp-5 text-[clamp(1.75rem,3.2vw,2.75rem)] leading-[1.08] font-semibold tracking-[-0.025em] wrap-anywhere group-hover:underline group-hover:decoration-accent group-hover:decoration-2 group-hover:underline-offset-6">
          {post.title}
        </h2>
        <p className="line-clamp-4 max-w-[54ch] text-lead text-muted wrap-anywhere">{post.excerpt}</p>
        <p>
          <ReadMore post={post} />
        </p>
      </div>
    </article>
  );
}
