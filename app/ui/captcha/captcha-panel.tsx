import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { CaptchaChoice } from '../../api/host/site-host.ts';
import { Button } from '../button.tsx';
import { messageOf } from '../show-error.ts';
import { Spinner } from '../spinner.tsx';
import { drawCaptcha } from './captcha-widget.ts';

export interface CaptchaQuestion<Result> {
  captcha: CaptchaChoice;
  /** Explains the purpose. */
  reason: string;
  /** Label of the button for an alternative to the captcha. */
  fallback?: string;
  /** Called with the token. If it throws, the error is shown and the captcha restarts. */
  onToken: (token: string) => Result | Promise<Result>;
}

/** Thrown if the user closes the captcha. Nothing was sent. */
export class CaptchaClosedError extends Error {
  readonly code = 'captcha_closed';
}

/**
 * Shows a captcha above the page. Makes the page inert instead of opening a modal dialog, because the provider adds its
 * challenge to the end of the body.
 * @returns the result of `onToken`, or null if the user chooses the alternative
 * @throws CaptchaClosedError
 */
export function askForCaptcha<Result>(question: CaptchaQuestion<Result>): Promise<Result | null> {
  const opener = document.activeElement;
  const siblings = [...document.body.children]
    .filter((child) => child instanceof HTMLElement)
    .filter(({ inert }) => !inert);
  for (const sibling of siblings) sibling.inert = true;
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  const { promise, resolve, reject } = Promise.withResolvers<Result | null>();
  const onClose = () =>
    reject(new CaptchaClosedError('You closed the check, so nothing was sent. Your input is kept.'));
  root.render(<CaptchaPanel question={question} onDone={resolve} onClose={onClose} />);
  return promise.finally(() => {
    root.unmount();
    container.remove();
    for (const sibling of siblings) sibling.inert = false;
    if (opener instanceof HTMLElement) opener.focus();
  });
}

interface CaptchaPanelProps<Result> {
  question: CaptchaQuestion<Result>;
  onDone: (result: Result | null) => void;
  onClose: () => void;
}

const PROVIDERS = { hcaptcha: 'hCaptcha', turnstile: 'Cloudflare Turnstile' };

function CaptchaPanel<Result>({ question, onDone, onClose }: CaptchaPanelProps<Result>) {
  const { captcha, reason, fallback } = question;
  const [titleId, reasonId] = [useId(), useId()];
  const panel = useRef<HTMLElement>(null);
  const { target, state, problem, restart } = useCaptcha(question, onDone);
  useCloseOnEscape(onClose);
  useEffect(() => panel.current?.focus(), []);

  return (
    <div className="fixed inset-0 z-50 grid animate-fade items-end overflow-y-auto bg-scrim p-4 sm:place-items-center">
      <section
        ref={panel}
        role="dialog"
        aria-labelledby={titleId}
        aria-describedby={reasonId}
        tabIndex={-1}
        className="grid w-full max-w-md gap-2 rounded-lg border border-line bg-surface p-5 text-ink shadow-lg outline-none sm:p-6"
      >
        <h2 id={titleId} className="text-display-3">
          Please complete this check
        </h2>
        <p id={reasonId} className="text-[0.9375rem] text-muted">
          {reason}
        </p>
        {problem && (
          <p role="alert" className="mt-2 rounded-md bg-danger-soft px-4 py-3 text-[0.9375rem] wrap-anywhere">
            {problem}
          </p>
        )}
        <div ref={target} aria-busy={state !== 'ready'} className={state === 'broken' ? 'hidden' : 'mt-2 min-h-20'} />
        {(state === 'loading' || state === 'checking') && (
          <p role="status" className="flex items-center gap-2 text-sm text-muted">
            <Spinner />
            {state === 'loading' ? 'Loading the check…' : 'Checking…'}
          </p>
        )}
        <p className="text-sm text-muted">
          Provided by {PROVIDERS[captcha.provider]}, which receives your IP address and the URL of this page.
        </p>
        <div className="mt-3 flex flex-wrap gap-3">
          {state === 'broken' && <Button onClick={() => restart('')}>Try again</Button>}
          {fallback && (
            <Button variant="secondary" onClick={() => onDone(null)}>
              {fallback}
            </Button>
          )}
          <Button variant={fallback || state === 'broken' ? 'ghost' : 'secondary'} onClick={onClose}>
            Cancel
          </Button>
        </div>
      </section>
    </div>
  );
}

/** Renders the captcha into `target` on each attempt and passes on the token. */
function useCaptcha<Result>({ captcha, onToken }: CaptchaQuestion<Result>, onDone: (result: Result) => void) {
  const target = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'ready' | 'checking' | 'broken'>('loading');
  const [problem, setProblem] = useState('');
  const [attempt, setAttempt] = useState(0);

  const restart = (message: string) => {
    setProblem(message);
    setAttempt((number) => number + 1);
  };
  const onSolved = useEffectEvent(async (token: string) => {
    setState('checking');
    try {
      onDone(await onToken(token));
    } catch (error) {
      restart(messageOf(error));
    }
  });
  const onExpired = useEffectEvent(() => restart('The check has expired. Please complete it again.'));
  const onBroken = useEffectEvent(() => {
    setState('broken');
    setProblem('The security check could not load. A content blocker or your network may be blocking it.');
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt renders the widget again
  useEffect(() => {
    const container = target.current?.appendChild(document.createElement('div'));
    if (!container) return;
    let remove: () => void = () => container.remove();
    let isCancelled = false;
    setState('loading');
    drawCaptcha(container, captcha, { onSolved, onExpired, onBroken }).then(
      (removeWidget) => {
        remove = () => {
          removeWidget();
          container.remove();
        };
        if (isCancelled) remove();
        else setState('ready');
      },
      () => {
        if (!isCancelled) onBroken();
      },
    );
    return () => {
      isCancelled = true;
      remove();
    };
  }, [captcha, attempt]);

  return { target, state, problem, restart };
}

function useCloseOnEscape(onClose: () => void) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    // Escape must not also close a dialog behind the panel.
    event.stopPropagation();
    onClose();
  });
  useEffect(() => {
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, []);
}
