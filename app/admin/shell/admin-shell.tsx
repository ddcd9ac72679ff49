import { Outlet } from '@tanstack/react-router';
import { ExternalLink, PanelLeft, Search } from 'lucide-react';
import { useState } from 'react';
import type { Account } from '../../accounts/session.ts';
import { hasUnsavedWork } from '../../accounts/session-end.ts';
import { useSessionSync } from '../../accounts/use-session-sync.ts';
import { useSignOut } from '../../accounts/use-sign-out.ts';
import { AskAboutDuplicates } from '../../media/ask-about-duplicates.tsx';
import { ThemeToggle } from '../../settings/theme/theme-toggle.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { LoadFailure, lazy } from '../../ui/lazy.tsx';
import { useShortcut } from '../../ui/lib/use-shortcut.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { hasUnsavedChanges } from './has-unsaved-changes.ts';
import { ProjectNote } from './project-note.tsx';
import { Sidebar } from './sidebar.tsx';
import { SignInAgainDialog } from './sign-in-again-dialog.tsx';
import { useSidebar } from './use-sidebar.ts';
import { useSignInAgain } from './use-sign-in-again.ts';
import { UserMenu } from './user-menu.tsx';

const CommandPalette = lazy(() => import('./command-palette.tsx'), { Failed: LoadFailure });

/** Renders the layout of the admin area with a sidebar and a top bar. */
export function AdminShell({ account }: { account: Account }) {
  const { closeDialog, stayOnPage } = useSignInAgain(account);
  const { email } = useSessionSync(account, { onEnd: stayOnPage, isSignInDialogOpen: closeDialog !== null });
  const sidebar = useSidebar();
  const signOut = useSignOut(account);
  const [isConfirming, setConfirming] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);

  // The editor uses the same shortcut for links.
  useShortcut('k', () => setPaletteOpen((isOpen) => !isOpen));

  const leave = async () => {
    if (hasUnsavedChanges() || (await hasUnsavedWork(account))) setConfirming(true);
    else signOut.mutate();
  };

  return (
    <div className="flex min-h-dvh">
      <a
        href="#admin-content"
        className={buttonClass({}, 'sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50')}
      >
        Skip to content
      </a>
      <Sidebar sidebar={sidebar} isSigningOut={signOut.isPending} onSignOut={() => void leave()} />
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar
          email={email}
          onToggleSidebar={sidebar.toggle}
          onOpenPalette={() => setPaletteOpen(true)}
          onSignOut={() => void leave()}
        />
        <main id="admin-content" tabIndex={-1} className="flex-1 px-4 py-6 outline-none md:px-8 md:py-8">
          <div className="max-w-table">
            <Outlet />
            <ProjectNote />
          </div>
        </main>
      </div>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Sign out without saving?"
        description="Your unsaved changes are kept in this browser only. They are deleted when you sign out."
        confirmLabel="Sign out"
        cancelLabel="Stay"
        destructive
        loading={signOut.isPending}
        onConfirm={() => signOut.mutate()}
      />
      <AskAboutDuplicates />
      {closeDialog && <SignInAgainDialog account={account} onClose={closeDialog} />}
      {isPaletteOpen && (
        <CommandPalette
          onClose={() => setPaletteOpen(false)}
          onSignOut={() => void leave()}
          onToggleSidebar={sidebar.toggle}
        />
      )}
    </div>
  );
}

interface TopBarProps {
  email: string;
  onToggleSidebar: () => void;
  onOpenPalette: () => void;
  onSignOut: () => void;
}

function TopBar({ email, onToggleSidebar, onOpenPalette, onSignOut }: TopBarProps) {
  return (
    <header className="@container sticky top-0 z-20 flex h-14 items-center gap-1 border-b border-line bg-canvas px-2 sm:gap-2 md:px-4 low:relative">
      <Tooltip label="Ctrl+B">
        <Button variant="ghost" size="icon" aria-label="Toggle sidebar" onClick={onToggleSidebar}>
          <PanelLeft aria-hidden="true" />
        </Button>
      </Tooltip>
      <button
        type="button"
        onClick={onOpenPalette}
        className="ml-auto inline-flex h-9 items-center gap-2 rounded-md border border-line-strong bg-surface px-3 text-sm text-muted hover:border-ink"
      >
        <Search aria-hidden="true" className="size-4" />
        <span className="@max-[30rem]:sr-only">Go to</span>
        <kbd className="hidden font-mono text-label @min-[30rem]:inline">Ctrl K</kbd>
      </button>
      <a href="/" target="_blank" rel="noopener" className={buttonClass({ variant: 'ghost', size: 'sm' })}>
        <ExternalLink aria-hidden="true" />
        <span className="@max-[30rem]:sr-only">View site</span>
      </a>
      <ThemeToggle />
      <UserMenu email={email} onSignOut={onSignOut} />
    </header>
  );
}
