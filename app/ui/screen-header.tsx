import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { usePageTitle } from './lib/use-page-title.ts';

interface ScreenHeaderProps {
  title: string;
  /** Document title, if it differs. */
  page?: string;
  description?: ReactNode;
  /** Status after the title. */
  badge?: ReactNode;
  /** Main action, on the right. */
  action?: ReactNode;
  /** True to keep the action beside the title on phones. The action must be small. */
  isInline?: boolean;
}

/** Button with an icon that becomes a square in a narrow header. */
export const HEADER_BUTTON_CLASS = '@max-2xl:size-11 @max-2xl:px-0';
/** Label of such a button, which a narrow header hides. */
export const HEADER_LABEL_CLASS = '@max-2xl:sr-only';

/** Title of an admin page with its main action. */
export function ScreenHeader({ title, page = title, description, badge, action, isInline = false }: ScreenHeaderProps) {
  usePageTitle(`${page} · Admin`);
  return (
    <header className="@container">
      <div
        className={clsx(
          'flex items-center justify-between gap-y-3',
          // Wraps only if the header is narrower than a phone.
          isInline ? 'min-h-11 gap-x-3 sm:gap-x-6 @max-[21rem]:flex-wrap' : 'flex-wrap gap-x-6',
        )}
      >
        <div
          className={clsx(
            'grid min-w-0 grid-cols-1 gap-1',
            isInline && '@lg:min-w-36 @2xl:max-w-3/5 @2xl:shrink-0',
            // A long description wraps, so that the action stays beside it.
            !isInline && description && 'flex-1 basis-80',
          )}
        >
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="min-w-0 text-display-3 [overflow-wrap:anywhere]">{title}</h1>
            {badge}
          </div>
          {!isInline && description && <p className="max-w-[68ch] text-pretty text-muted">{description}</p>}
        </div>
        {action}
      </div>
      {isInline && description && <p className="mt-1 max-w-[68ch] text-pretty text-muted">{description}</p>}
    </header>
  );
}
