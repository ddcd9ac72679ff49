import { Link } from '@tanstack/react-router';

const SCREENS = [
  { to: '/admin/conversations', label: 'All' },
  { to: '/admin/conversations/asked', label: 'Questions' },
  { to: '/admin/conversations/unanswered', label: 'Unanswered' },
  { to: '/admin/conversations/checks', label: 'Test box' },
] as const;

/** Tabs of the admin screens for the assistant. */
export function ConversationTabs() {
  return (
    <nav aria-label="Conversations" className="flex gap-1 overflow-x-auto border-b border-line [scrollbar-width:none]">
      {SCREENS.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true, includeSearch: false }}
          className="relative flex min-h-11 items-center rounded-sm px-4 text-[0.9375rem] max-sm:px-3 first:pl-0 first:after:left-0 font-medium whitespace-nowrap text-muted transition-colors duration-150 after:absolute after:inset-x-3 after:bottom-0 after:h-0.5 after:bg-accent after:opacity-0 hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:text-ink aria-[current=page]:after:opacity-100"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
