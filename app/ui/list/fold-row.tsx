import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';

interface FoldRowProps {
  /** Heading or phrasing content, because it is in a `summary` element. */
  title: ReactNode;
  detail: ReactNode;
  badges: ReactNode;
  /** Menu at the right end of the row. An empty element keeps the badges of all rows aligned. */
  menu?: ReactNode;
  /** Opens the row when it becomes true. The user can close it. */
  isOpen?: boolean;
  /** Renders the content only while the row is open. */
  isLazy?: boolean;
  children: ReactNode;
}

/** Content of a list item that expands in place, with a menu beside it. In narrow lists, the badges follow the detail. */
export function FoldRow({ title, detail, badges, menu, isOpen = false, isLazy = false, children }: FoldRowProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const [opensAtStart] = useState(isOpen);
  const [isShown, setShown] = useState(isOpen);
  useEffect(() => {
    // A link can open a row that is already rendered. An answer must not close it.
    if (isOpen && details.current) details.current.open = true;
  }, [isOpen]);
  return (
    <div className="@container relative">
      <details
        ref={details}
        open={opensAtStart}
        className="group"
        onToggle={({ currentTarget }) => setShown(currentTarget.open)}
      >
        <summary
          className={clsx(
            'grid min-h-14 cursor-pointer list-none grid-cols-[auto_minmax(0,1fr)] content-center items-center gap-x-3 rounded-sm py-2 hover:bg-sunken @xl:grid-cols-[auto_minmax(0,1fr)_auto]',
            menu !== undefined && 'pr-12',
          )}
        >
          <ChevronRight
            aria-hidden="true"
            className="mt-1 size-4 self-start text-muted transition-transform duration-150 group-open:rotate-90 @xl:row-span-2 @xl:mt-0 @xl:self-center"
          />
          {title}
          <span className="col-start-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 @xl:contents">
            <span className="text-sm text-muted [overflow-wrap:anywhere] @xl:col-start-2">{detail}</span>
            <span className="flex flex-wrap gap-2 empty:hidden @xl:col-start-3 @xl:row-span-2 @xl:row-start-1 @xl:justify-end">
              {badges}
            </span>
          </span>
        </summary>
        {(isShown || !isLazy) && <div className="grid grid-cols-1 gap-4 pt-2 pb-5 sm:pl-7">{children}</div>}
      </details>
      <div className="absolute -top-0.5 right-0 empty:hidden @xl:top-1.5">{menu}</div>
    </div>
  );
}
