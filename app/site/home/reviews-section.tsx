import { useQuery } from '@tanstack/react-query';
import { findMetadata } from '../../api/pictures.ts';
import type { Headings } from '../../content/pages/headings.ts';
import { type PublishedReview, publishedReviewsQuery } from '../../content/reviews/published.ts';
import { Avatar } from '../../ui/avatar.tsx';

/** Horizontally scrolling row of published reviews with their average. Renders nothing if the list is empty. */
export function ReviewsSection({ heading }: Headings['reviews']) {
  const { data: reviews } = useQuery(publishedReviewsQuery);
  if (!reviews || reviews.length === 0) return null;
  const average = reviews.reduce((sum, { rating }) => sum + rating, 0) / reviews.length;
  return (
    <section
      aria-labelledby="reviews-heading"
      className="overflow-hidden border-y border-line bg-sunken py-[clamp(3.5rem,7vw,7rem)]"
    >
      <div className="page-grid grid gap-10 lg:grid-cols-12">
        <div className="grid grid-cols-[auto_1fr] content-start items-center gap-x-5 gap-y-3 lg:col-span-3 lg:grid-cols-1">
          <h2 id="reviews-heading" className="col-span-full font-mono text-label text-muted uppercase">
            {heading}
          </h2>
          <p className="text-display-2">{average.toFixed(1)}</p>
          <div className="grid gap-1 lg:gap-3">
            <Stars rating={Math.round(average)} />
            <p className="text-sm text-muted">
              out of 5, from {reviews.length} {reviews.length === 1 ? 'client' : 'clients'}
            </p>
          </div>
        </div>
        <ul
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
          tabIndex={0}
          aria-label={heading}
          className="-mr-[50vw] flex snap-x gap-4 overflow-x-auto pr-[50vw] pb-4 lg:col-span-9 print:mr-0 print:flex-wrap print:pr-0"
        >
          {reviews.map((review) => (
            <ReviewCard key={review.id} review={review} />
          ))}
        </ul>
      </div>
    </section>
  );
}

function ReviewCard({ review }: { review: PublishedReview }) {
  return (
    <li className="flex w-[min(21rem,80vw)] shrink-0 snap-start flex-col gap-5 rounded-lg border border-line bg-surface p-6">
      <Stars rating={review.rating} />
      <blockquote className="line-clamp-8 flex-1 wrap-anywhere">{review.quote}</blockquote>
      <div className="flex items-center gap-3 text-sm">
        <Avatar
          name={review.author_name}
          src={review.avatar_url}
          metadata={findMetadata(review.pictures, review.avatar_url)}
          className="size-10 rounded-full"
        />
        <p className="min-w-0 leading-snug">
          <span className="block font-semibold">{review.author_name}</span>
          <span className="block text-muted">{[review.author_role, review.company].filter(Boolean).join(', ')}</span>
        </p>
      </div>
    </li>
  );
}

function Stars({ rating }: { rating: number }) {
  return <p role="img" aria-label={`${rating} out of 5 stars`} data-rating={rating} className="rating text-signal" />;
}
