import { Link, useLocation } from '@tanstack/react-router';
import { LayoutDashboard, LogIn, Menu } from 'lucide-react';
import type { ReactNode } from 'react';
import { useDashboardHint } from '../../accounts/session-hint.ts';
import { MAIN_PAGES } from '../../api/places/public-pages.ts';
import { Logo } from '../../settings/brand/logo.tsx';
import { ThemeToggle } from '../../settings/theme/theme-toggle.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { MobileMenu } from './mobile-menu.tsx';
import { setMobileMenuOpen, useMobileMenuOpen } from './mobile-menu-flag.ts';

interface NavigationProps {
  siteName: string;
  /** Content beside the logo. */
  children: ReactNode;
}

/** Bar at the top of the site. */
export function Navigation({ siteName, children }: NavigationProps) {
  return (
    <header className="@container sticky top-0 z-40 border-b border-line bg-canvas/90 backdrop-blur-md low:relative print:hidden">
      <a
        href="#content"
        className="absolute top-2 left-2 z-10 -translate-y-20 rounded-md bg-accent px-4 py-2 font-medium text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      <div className="page-grid flex h-17 items-center justify-between gap-2 sm:gap-4">
        <Link
          to="/"
          aria-label={`${siteName}, home`}
          className="-mx-2 inline-flex min-h-11 min-w-0 items-center rounded-md px-2"
        >
          <Logo name={siteName} className="text-base @min-[26rem]:text-xl" />
        </Link>
        {children}
      </div>
      <MobileMenu siteName={siteName} />
    </header>
  );
}

/** Links and buttons of public pages. */
export function SiteMenu() {
  const isMenuOpen = useMobileMenuOpen();
  return (
    <>
      <nav aria-label="Main" className="hidden shrink-0 @3xl:block">
        <ul className="flex items-center @5xl:gap-1">
          {MAIN_PAGES.map(({ label, to }) => (
            <li key={label}>
              <Link
                to={to}
                activeOptions={{ exact: to === '/' }}
                className="relative inline-flex min-h-11 items-center rounded-md px-2.5 text-[0.9375rem] font-medium text-muted transition-colors duration-150 hover:text-ink aria-[current=page]:text-ink after:absolute after:inset-x-2.5 after:bottom-1.5 after:h-0.5 after:origin-left after:scale-x-0 after:rounded-full after:bg-signal after:transition-transform after:duration-200 after:ease-out aria-[current=page]:after:scale-x-100 @5xl:px-3 @5xl:after:inset-x-3"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="-mr-2.5 flex shrink-0 items-center">
        {/* The link is hidden if it does not fit. On phones, the menu contains the same link. */}
        <Link
          to="/"
          hash="booking"
          activeOptions={{ includeHash: true }}
          className={buttonClass(
            { size: 'sm' },
            'mr-1 @max-[24rem]:hidden @max-[40rem]:px-2.5 @3xl:@max-[52rem]:hidden',
          )}
        >
          Book a call
        </Link>
        <ThemeToggle />
        <AccountLink />
        <button
          type="button"
          aria-label="Open menu"
          aria-haspopup="dialog"
          aria-expanded={isMenuOpen}
          onClick={() => setMobileMenuOpen(true)}
          className={buttonClass({ variant: 'ghost', size: 'icon' }, '@3xl:hidden')}
        >
          <Menu aria-hidden="true" />
        </button>
      </div>
    </>
  );
}

/** Links to the dashboard if signed in, otherwise to the sign-in page. */
function AccountLink() {
  // Signing in or out navigates, so read the hint again on every path change.
  useLocation({ select: (location) => location.pathname });
  const dashboard = useDashboardHint();
  const label = dashboard ? 'Dashboard' : 'Sign in';
  return (
    <Tooltip label={label}>
      <Link to={dashboard ?? '/auth'} aria-label={label} className={buttonClass({ variant: 'ghost', size: 'icon' })}>
        {dashboard ? <LayoutDashboard aria-hidden="true" /> : <LogIn aria-hidden="true" />}
      </Link>
    </Tooltip>
  );
}
