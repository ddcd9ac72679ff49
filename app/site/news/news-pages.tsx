import { Link } from '@tanstack/react-router';
import { ArrowLeft, ArrowRight } from 'lucide-react';
import { NEWS_PAGE_SIZE, type NewsView } from '../../content/posts/published-news.ts';
import { ButtonLink, buttonClass } from '../../ui/button.tsx';

/** Pagination with links to the first, previous, next and last page. */
export function NewsPages({ view, total }: { view: NewsView; total: number }) {
  const last = Math.ceil(total / NEWS_PAGE_SIZE);
  if (last < 2) return null;
  const { page } = view;
  const numbers = [...new Set([1, page - 1, page, page + 1, last])].filter((number) => number >= 1 && number <= last);
  return (
    <nav aria-label="Pages" className="grid grid-cols-2 items-center gap-x-4 gap-y-5 sm:grid-cols-[1fr_auto_1fr]">
      <div>
        {page > 1 && (
          <ButtonLink to="/news" search={buildSearch(view, page - 1)} rel="prev" variant="secondary">
            <ArrowLeft aria-hidden="true" />
            Previous
          </ButtonLink>
        )}
      </div>
      <ol className="col-span-2 row-start-2 flex flex-wrap items-center justify-center gap-1 sm:col-span-1 sm:row-start-auto">
        {numbers.map((number, index) => (
          <li key={number} className="flex items-center gap-1">
            {number > (numbers[index - 1] ?? 0) + 1 && (
              <span aria-hidden="true" className="px-1 text-muted">
                …
              </span>
            )}
            <Link
              to="/news"
              search={buildSearch(view, number)}
              aria-label={`Page ${number}`}
              aria-current={number === page ? 'page' : undefined}
              className={buttonClass({ variant: number === page ? 'primary' : 'ghost' }, 'min-w-11 px-3! tabular-nums')}
            >
              {number}
            </Link>
          </li>
        ))}
      </ol>
      <div className="col-start-2 row-start-1 justify-self-end sm:col-start-auto sm:row-start-auto">
        {page < last && (
          <ButtonLink to="/news" search={buildSearch(view, page + 1)} rel="next" variant="secondary">
            Next
            <ArrowRight aria-hidden="true" />
          </ButtonLink>
        )}
      </div>
    </nav>
  );
}

function buildSearch({ category, words }: NewsView, page: number) {
  return { category: category || undefined, q: words || undefined, page: page > 1 ? page : undefined };
}
