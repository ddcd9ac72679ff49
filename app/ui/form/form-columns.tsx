import type { ReactNode } from 'react';

/** The width of a form with a rail, and of what stands above it. */
export const FORM_WIDTH_CLASS = 'w-full max-w-form xl:max-w-[calc(var(--container-form)+20.5rem)]';

interface FormColumnsProps {
  /** Fields that are set rather than written: status, date, slug, picture. */
  rail: ReactNode;
  /** Fields that are written. */
  children: ReactNode;
}

/**
 * Columns of a form: written fields at the left, of the width of every form, and a rail of 280 px at the right, one below the
 * other on a narrow screen. By the screen and not by a container: a container would hold the writer's full screen.
 */
export function FormColumns({ rail, children }: FormColumnsProps) {
  return (
    <div className="grid grid-cols-1 items-start gap-x-12 gap-y-6 xl:grid-cols-[minmax(0,1fr)_17.5rem]">
      <div className="grid min-w-0 grid-cols-1 gap-6">{children}</div>
      {/* It stays in sight on screens that are tall enough for all of it. */}
      <div className="grid grid-cols-1 gap-5 border-line max-xl:border-t max-xl:pt-6 xl:rounded-lg xl:border xl:bg-surface xl:p-4 xl:[@media(min-height:56rem)]:sticky xl:[@media(min-height:56rem)]:top-20">
        {rail}
      </div>
    </div>
  );
}
