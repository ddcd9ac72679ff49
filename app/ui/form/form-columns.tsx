import { clsx } from 'clsx';
import { createContext, type ReactNode, use } from 'react';

/** Width of a page with a rail, which ends where lists end on wide screens. */
export const FORM_WIDTH_CLASS = 'w-full max-w-form xl:max-w-table';

/** True in a narrow panel, where the rail is below the fields on screens of any width. */
export const SingleColumn = createContext(false);

interface FormColumnsProps {
  /** Short fields, such as status, date, slug and picture. */
  rail: ReactNode;
  /** Main fields. */
  children: ReactNode;
}

/**
 * Form with a rail of at least 280 px on the right, stacked on narrow screens. Uses media queries, because a container query would
 * confine the writer's full-screen mode to the form.
 */
export function FormColumns({ rail, children }: FormColumnsProps) {
  const isSingle = use(SingleColumn);
  return (
    <div
      className={clsx(
        'grid grid-cols-1 items-start gap-x-12 gap-y-6',
        !isSingle && 'xl:grid-cols-[minmax(0,45rem)_minmax(17.5rem,1fr)]',
      )}
    >
      <div className="grid min-w-0 grid-cols-1 gap-6">{children}</div>
      {/* Sticky on screens that are tall enough. */}
      <div
        className={clsx(
          'grid grid-cols-1 gap-5 border-line',
          isSingle
            ? 'border-t pt-6'
            : 'max-xl:border-t max-xl:pt-6 xl:rounded-lg xl:border xl:bg-surface xl:p-4 xl:[@media(min-height:56rem)]:sticky xl:[@media(min-height:56rem)]:top-20',
        )}
      >
        {rail}
      </div>
    </div>
  );
}
