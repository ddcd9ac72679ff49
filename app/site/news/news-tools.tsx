import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Search } from 'lucide-react';
import type { FormEvent } from 'react';
import { withinPreview } from '../../api/host/preview-base.ts';
import { type NewsView, newsCategoriesQuery } from '../../content/posts/published-news.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/input.tsx';

/** Categories beyond this number can be found with the search. */
const MAX_CATEGORIES = 12;

/** Category filter and search. Both navigate to a URL, so they work without JavaScript. */
export function NewsTools({ view }: { view: NewsView }) {
  const { categories = [] } = useQuery(newsCategoriesQuery).data ?? {};
  const shownCategories = categories.slice(0, MAX_CATEGORIES).map(({ category }) => category);
  if (view.category && !shownCategories.includes(view.category)) shownCategories.push(view.category);
  return (
    <div className="grid items-start gap-x-8 gap-y-5 lg:grid-cols-[minmax(0,1fr)_auto]">
      {shownCategories.length > 0 && (
        <nav aria-label="Categories">
          <ul className="flex flex-wrap gap-2">
            {['', ...shownCategories].map((category) => (
              <li key={category} className="min-w-0">
                <CategoryLink category={category} view={view} />
              </li>
            ))}
          </ul>
        </nav>
      )}
      <SearchForm key={view.words} view={view} />
    </div>
  );
}

/** An empty category means all posts. */
function CategoryLink({ category, view }: { category: string; view: NewsView }) {
  const isCurrent = category === view.category;
  return (
    <Link
      to="/news"
      search={{ category: category || undefined, q: view.words || undefined }}
      resetScroll={false}
      // The router's own active state ignores the search parameters.
      activeOptions={{ exact: true, includeSearch: true }}
      aria-current={isCurrent ? 'page' : undefined}
      className={clsx(
        'inline-flex min-h-9 max-w-full items-center rounded-full border px-3.5 text-sm sm:min-h-10 sm:px-4 sm:text-[0.9375rem] transition-colors duration-150',
        isCurrent
          ? 'border-accent bg-accent text-on-accent'
          : 'border-line-strong text-ink hover:border-ink hover:bg-sunken',
      )}
    >
      <span className="truncate">{category || 'All'}</span>
    </Link>
  );
}

function SearchForm({ view: { category, words } }: { view: NewsView }) {
  const navigate = useNavigate();
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const q = String(new FormData(event.currentTarget).get('q') ?? '').trim();
    void navigate({ to: '/news', search: { category: category || undefined, q: q || undefined }, resetScroll: false });
  };
  return (
    <search className="lg:col-start-2 lg:w-80">
      <form action={withinPreview('/news')} onSubmit={onSubmit} className="flex gap-2">
        {category && <input type="hidden" name="category" value={category} />}
        <Input
          type="search"
          name="q"
          aria-label="Search posts"
          placeholder="Search posts"
          defaultValue={words}
          maxLength={100}
          enterKeyHint="search"
          autoComplete="off"
        />
        <Button type="submit" variant="secondary" size="icon" aria-label="Search">
          <Search aria-hidden="true" />
        </Button>
      </form>
    </search>
  );
}
