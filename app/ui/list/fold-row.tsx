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

/** Content of a list item that expands in place, with a menu beside it. */
export function FoldRow({ title, detail, badges, menu, isOpen = false, isLazy = false, children }: FoldRowProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const [opensAtStart] = useState(isOpen);
  const [isShown, setShown] = useState(isOpen);
  useEffect(() => {
    // A link can open a row that is already rendered. An answer must not close it.
    if (isOpen && details.current) details.current.open = true;
  }, [isOpen]);
  return (
    <div className="relative">
      <details
        ref={details}
        open={opensAtStart}
        className="group"
        onToggle={({ currentTarget }) => setShown(currentTarget.open)}
      >
        <summary
          className={clsx(
            'grid min-h-14 cursor-pointer list-none grid-cols-[auto_minmax(0,1fr)] content-center items-center gap-x-3 rounded-sm py-2 hover:bg-sunken sm:grid-cols-[auto_minmax(0,1fr)_auto]',
            menu !== undefined && 'pr-12',
          )}
        >
          <ChevronRight
            aria-hidden="true"
            className="row-span-2 size-4 text-muted transition-transform duration-150 group-open:rotate-90"
          />
          {title}
          <span className="col-start-2 text-sm text-muted [overflow-wrap:anywhere]">{detail}</span>
          <span className="col-start-2 flex flex-wrap gap-2 empty:hidden max-sm:mt-1.5 sm:col-start-3 sm:row-span-2 sm:row-start-1 sm:justify-end">
            {badges}
          </span>
        </summary>
        {(isShown || !isLazy) && <div className="grid grid-cols-1 gap-4 pt-2 pb-5 sm:pl-7">{children}</div>}
      </details>
      <div className="absolute top-1.5 right-0 empty:hidden">{menu}</div>
    </div>
  );
}
