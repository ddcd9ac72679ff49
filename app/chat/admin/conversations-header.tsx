import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ScreenHeader } from '../../ui/screen-header.tsx';

const SCREENS = [
  { to: '/admin/conversations', label: 'All' },
  { to: '/admin/conversations/asked', label: 'Questions' },
  { to: '/admin/conversations/unanswered', label: 'Unanswered' },
  { to: '/admin/conversations/checks', label: 'Test box' },
] as const;

interface ConversationsHeaderProps {
  /** Document title, if it differs. */
  page?: string;
  description?: string;
  action?: ReactNode;
}

/** Title and tabs of the assistant's admin screens. The description is below the tabs, so that they do not move. */
export function ConversationsHeader({ page = 'Conversations', description, action }: ConversationsHeaderProps) {
  return (
    <>
      <ScreenHeader title="Conversations" page={page} isInline action={action} />
      <nav
        aria-label="Conversations"
        className="flex gap-1 overflow-x-auto border-b border-line [scrollbar-width:none]"
      >
        {SCREENS.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: true, includeSearch: false }}
            className="relative flex min-h-11 items-center rounded-sm px-3 text-[0.9375rem] first:pl-0 first:after:left-0 font-medium whitespace-nowrap text-muted transition-colors duration-150 after:absolute after:inset-x-3 after:bottom-0 after:h-0.5 after:bg-accent after:opacity-0 hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:text-ink aria-[current=page]:after:opacity-100"
          >
            {label}
          </Link>
        ))}
      </nav>
      {description && <p className="max-w-[68ch] text-muted">{description}</p>}
    </>
  );
}
