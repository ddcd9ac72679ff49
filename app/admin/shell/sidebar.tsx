import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { LogOut, type LucideIcon } from 'lucide-react';
import { type ReactElement, useId } from 'react';
import { Logo, LogoMark } from '../../settings/brand/logo.tsx';
import { siteSettingDefaults } from '../../settings/read-site-settings.ts';
import { siteSettingsQuery } from '../../settings/site-settings.ts';
import { Sheet } from '../../ui/sheet.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { GROUPS, SECTIONS, type Section } from '../sections.ts';
import { usePendingCounts } from './use-pending-counts.ts';
import type { SidebarState } from './use-sidebar.ts';

interface SidebarProps {
  sidebar: SidebarState;
  isSigningOut: boolean;
  onSignOut: () => void;
}

/** Renders the sidebar: 16rem wide, 3rem wide with icons only, or an 18rem sheet on phones. */
export function Sidebar({ sidebar, ...signOutProps }: SidebarProps) {
  if (sidebar.mobile) {
    return (
      <Sheet
        open={sidebar.sheetOpen}
        onOpenChange={sidebar.setSheetOpen}
        title="Admin menu"
        side="left"
        className="w-72"
      >
        <SidebarContent iconsOnly={false} {...signOutProps} onNavigate={() => sidebar.setSheetOpen(false)} />
      </Sheet>
    );
  }
  return (
    <aside
      data-state={sidebar.expanded ? 'expanded' : 'collapsed'}
      className={clsx(
        'sticky top-0 flex h-dvh shrink-0 flex-col overflow-hidden border-r border-line bg-sunken',
        sidebar.expanded ? 'w-64' : 'w-12',
      )}
    >
      <SidebarContent iconsOnly={!sidebar.expanded} {...signOutProps} />
    </aside>
  );
}

interface SidebarContentProps extends Omit<SidebarProps, 'sidebar'> {
  iconsOnly: boolean;
  onNavigate?: () => void;
}

function SidebarContent({ iconsOnly, isSigningOut, onSignOut, onNavigate }: SidebarContentProps) {
  const pendingCounts = usePendingCounts();
  const siteName = useQuery(siteSettingsQuery).data?.site_name ?? siteSettingDefaults.site_name;
  return (
    <>
      <div className={clsx('flex h-14 shrink-0 items-center', iconsOnly ? 'justify-center' : 'px-4')}>
        <Link to="/admin/dashboard" onClick={onNavigate} className="rounded-sm">
          {iconsOnly ? <LogoMark className="size-6" /> : <Logo name={siteName} className="text-lg" />}
          <span className="sr-only">{iconsOnly ? 'Dashboard' : ', dashboard'}</span>
        </Link>
      </div>
      <nav aria-label="Admin" className="flex min-h-0 flex-1 flex-col">
        <div className={clsx('min-h-0 flex-1 overflow-x-hidden overflow-y-auto py-2', iconsOnly ? 'px-1' : 'px-2')}>
          {[undefined, ...GROUPS].map((group) => (
            <SectionGroup
              key={group ?? ''}
              group={group}
              iconsOnly={iconsOnly}
              pendingCounts={pendingCounts}
              onNavigate={onNavigate}
            />
          ))}
        </div>
        <div className={clsx('shrink-0 border-t border-line py-2', iconsOnly ? 'px-1' : 'px-2')}>
          <WithTooltip label="Sign Out" isEnabled={iconsOnly}>
            <button
              type="button"
              disabled={isSigningOut}
              aria-busy={isSigningOut || undefined}
              onClick={onSignOut}
              className={clsx(itemClass(iconsOnly), 'disabled:opacity-55')}
            >
              <ItemContent icon={LogOut} label="Sign Out" iconsOnly={iconsOnly} />
            </button>
          </WithTooltip>
        </div>
      </nav>
    </>
  );
}

interface SectionGroupProps {
  group: Section['group'];
  iconsOnly: boolean;
  /** Number of pending tasks, keyed by section path. */
  pendingCounts: Record<string, number | undefined>;
  onNavigate: (() => void) | undefined;
}

function SectionGroup({ group, iconsOnly, pendingCounts, onNavigate }: SectionGroupProps) {
  const id = useId();
  const { pathname } = useLocation();
  return (
    <>
      {group && (
        <p
          id={id}
          className={clsx(
            'font-mono text-label text-muted',
            iconsOnly ? 'mx-1.5 my-1.5 h-px overflow-hidden bg-line text-transparent' : 'px-3 pt-4 pb-1',
          )}
        >
          {group}
        </p>
      )}
      <ul aria-labelledby={group && id} className="grid gap-0.5">
        {SECTIONS.filter((section) => section.group === group).map(({ path, label, icon, relatedPath }) => (
          <li key={path}>
            <WithTooltip label={label} isEnabled={iconsOnly}>
              <Link
                to={path}
                onClick={onNavigate}
                activeOptions={{ exact: false, includeSearch: false }}
                aria-current={pathname === relatedPath ? 'page' : undefined}
                className={itemClass(iconsOnly)}
              >
                <ItemContent icon={icon} label={label} iconsOnly={iconsOnly} pendingCount={pendingCounts[path]} />
              </Link>
            </WithTooltip>
          </li>
        ))}
      </ul>
    </>
  );
}

interface ItemContentProps {
  icon: LucideIcon;
  label: string;
  iconsOnly: boolean;
  /** Number of pending tasks. */
  pendingCount?: number | undefined;
}

function ItemContent({ icon: Icon, label, iconsOnly, pendingCount = 0 }: ItemContentProps) {
  return (
    <>
      <Icon aria-hidden="true" className="size-[1.125rem] shrink-0" />
      <span className={clsx(iconsOnly && 'sr-only')}>{label}</span>
      {pendingCount > 0 && (
        <span
          className={clsx(
            'rounded-full bg-accent font-mono text-label text-on-accent',
            iconsOnly ? 'absolute top-1 right-1 size-2' : 'ml-auto px-2 py-0.5',
          )}
        >
          <span className={clsx(iconsOnly && 'sr-only')}>{pendingCount > 99 ? '99+' : pendingCount}</span>
          <span className="sr-only"> pending</span>
        </span>
      )}
    </>
  );
}

function WithTooltip({
  label,
  isEnabled,
  children,
}: {
  label: string;
  isEnabled: boolean;
  children: ReactElement<{ 'aria-describedby'?: string | undefined }>;
}) {
  return isEnabled ? (
    <Tooltip label={label} side="right">
      {children}
    </Tooltip>
  ) : (
    children
  );
}

function itemClass(iconsOnly: boolean): string {
  return clsx(
    'relative flex w-full items-center rounded-md text-[0.9375rem] text-muted transition-colors duration-150',
    'hover:bg-line/60 hover:text-ink focus-visible:-outline-offset-2',
    'aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent',
    iconsOnly ? 'size-9 justify-center' : 'min-h-9 gap-3 px-3 max-md:min-h-11',
  );
}
