import { clsx } from 'clsx';
import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../button.tsx';

interface FilterBarProps {
  search: ReactNode;
  count: ReactNode;
  /** True if a filter is set. The filters are then visible when the page opens. */
  isFiltered: boolean;
  /** Select elements. */
  children: ReactNode;
}

/** Search, filters and number of items in one row. In a narrow container, a button shows the filters. */
export function FilterBar({ search, count, isFiltered, children }: FilterBarProps) {
  const [isOpen, setOpen] = useState(isFiltered);
  return (
    <div className="flex flex-wrap items-center gap-3">
      {search}
      <Button
        variant="secondary"
        size="icon"
        className="order-1 @xl:hidden"
        aria-label="Filters"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        icon={SlidersHorizontal}
      />
      <div
        className={clsx(
          'flex-wrap gap-3 @max-xl:order-2 @max-xl:w-full @max-xl:*:min-w-32 @max-xl:*:flex-1 @xl:contents',
          isOpen ? 'flex' : 'hidden',
        )}
      >
        {children}
      </div>
      {count}
    </div>
  );
}
