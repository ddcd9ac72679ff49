import { Link } from '@tanstack/react-router';

const SCREENS = [
  { to: '/admin/settings', label: 'General' },
  { to: '/admin/settings/brand', label: 'Brand' },
  { to: '/admin/settings/import', label: 'Import' },
] as const;

/** Renders the navigation between the settings screens. */
export function SettingsTabs() {
  return (
    <nav aria-label="Settings" className="flex gap-1 border-b border-line">
      {SCREENS.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true, includeSearch: false }}
          className="relative flex min-h-11 items-center rounded-sm px-3 text-[0.9375rem] first:pl-0 first:after:left-0 font-medium text-muted transition-colors duration-150 after:absolute after:inset-x-3 after:bottom-0 after:h-0.5 after:bg-accent after:opacity-0 hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:text-ink aria-[current=page]:after:opacity-100"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
