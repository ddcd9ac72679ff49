import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter, useRouterState } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { accountQuery } from '../../accounts/session.ts';
import { isCorrectPasscode } from '../../api/gate/check-passcode.ts';
import { openAndStoreGrant, openWithStoredGrant } from '../../api/gate/grant.ts';
import { whenGateOpens } from '../../api/gate/opening.ts';
import type { GateChallenge } from '../../api/host/site-host.ts';
import { Logo } from '../../settings/brand/logo.tsx';
import { ThemeToggle } from '../../settings/theme/theme-toggle.tsx';
import { Button } from '../../ui/button.tsx';
import { CoverArt } from '../../ui/cover-art.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { focusHeading } from '../../ui/lib/focus-heading.ts';
import { isMailedPage } from '../../ui/lib/mailed-page.ts';
import { Eyebrow } from '../../ui/section-heading.tsx';
import { Spinner } from '../../ui/spinner.tsx';

const VERIFY_DELAY_MS = 300;

interface GateProps {
  challenge: GateChallenge;
  siteName: string;
  children: ReactNode;
}

/**
 * Shows the gate until access is granted. A valid session also grants access. Pages with a token from an email are
 * shown without the gate, and grant access if the token is valid.
 */
export function Gate({ challenge, siteName, children }: GateProps) {
  const router = useRouter();
  const [state, setState] = useState<'checking' | 'locked' | 'unlocked'>('checking');
  const isMailed = useRouterState({ select: ({ location }) => isMailedPage(location.href) });
  const queryClient = useQueryClient();
  useEffect(() => {
    const lock = () => setState((current) => (current === 'checking' ? 'locked' : current));
    void whenGateOpens().then(() => setState('unlocked'));
    if (openWithStoredGrant(challenge.version)) return;
    if (isMailedPage(router.state.location.href)) lock();
    queryClient.fetchQuery(accountQuery).then((session) => (session ? openAndStoreGrant() : lock()), lock);
  }, [challenge.version, queryClient, router]);
  // Signing in on a page opened from an email also grants access.
  const { data: account } = useQuery({ ...accountQuery, enabled: false });
  useEffect(() => {
    if (account) openAndStoreGrant();
  }, [account]);

  const enter = () => {
    // The focused submit button unmounts, so move the focus when the page behind the gate has rendered.
    const unsubscribe = router.subscribe('onRendered', () => {
      unsubscribe();
      focusHeading();
    });
  };

  // The server always renders the gate, so the first browser render must match it for hydration.
  if (state === 'unlocked' || (state === 'locked' && isMailed)) return children;
  return (
    <>
      {state === 'checking' && (
        <div className="fixed inset-0 grid place-items-center text-3xl text-muted">
          <Spinner label="Checking access" />
        </div>
      )}
      <div
        className={clsx(
          'grid min-h-svh grid-rows-[1fr_11rem] lg:grid-cols-2 lg:grid-rows-1',
          state === 'checking' && 'invisible',
        )}
      >
        <div className="flex flex-col justify-between gap-12 px-6 py-5 sm:px-10 sm:py-8">
          <header className="flex items-center justify-between gap-4">
            <Logo name={siteName} />
            <ThemeToggle />
          </header>
          <main className="mx-auto grid w-full max-w-md gap-5">
            <Eyebrow>Preview</Eyebrow>
            <h1 className="text-display-2">Under Development</h1>
            <p className="text-lead text-muted">Private preview — team access only.</p>
            <PasscodeForm challenge={challenge} onGranted={enter} />
          </main>
          <footer className="font-mono text-label text-muted">Something amazing is being built</footer>
        </div>
        <div className="relative overflow-hidden border-line max-lg:border-t lg:border-l">
          <CoverArt subject={{ slug: 'out at sea' }} className="absolute inset-0 size-full" />
        </div>
      </div>
    </>
  );
}

function PasscodeForm({ challenge, onGranted }: { challenge: GateChallenge; onGranted: () => void }) {
  const [passcode, setPasscode] = useState('');
  const [error, setError] = useState<string>();
  const [isVerifying, setVerifying] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  const verify = async () => {
    setError(undefined);
    setVerifying(true);
    const [isCorrect] = await Promise.all([
      isCorrectPasscode(passcode, challenge),
      new Promise((resolve) => setTimeout(resolve, VERIFY_DELAY_MS)),
    ]);
    if (isCorrect) {
      onGranted();
      return openAndStoreGrant();
    }
    setVerifying(false);
    setPasscode('');
    setError('Incorrect passcode. Please try again.');
    input.current?.focus();
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (passcode && !isVerifying) void verify();
  };

  return (
    <form onSubmit={onSubmit} className="mt-3 grid gap-4">
      <Field label="Passcode" labelHidden error={error}>
        <Input
          ref={input}
          type="password"
          name="passcode"
          placeholder="Enter passcode"
          autoComplete="current-password"
          value={passcode}
          readOnly={isVerifying}
          onChange={(event) => {
            setPasscode(event.target.value);
            setError(undefined);
          }}
        />
      </Field>
      <Button type="submit" size="lg" disabled={!passcode} loading={isVerifying}>
        {isVerifying ? 'Verifying...' : 'Enter site'}
      </Button>
    </form>
  );
}
