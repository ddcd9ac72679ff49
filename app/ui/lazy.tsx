import { useHydrated } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { type ComponentType, memo, Suspense, use, useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { keysOf } from './lib/keys-of.ts';

interface LazyOptions<Props> {
  /** Placeholder while the code loads. Default: nothing. */
  Loading?: ComponentType<Props>;
  /** Shown if the code cannot be loaded or the component throws while rendering. */
  Failed?: ComponentType<Props & { onRetry: () => void }>;
  /** True if the server renders the component. The route's loader must await `preload()`. */
  ssr?: boolean;
  /** Returns true if the HTML needs no JavaScript. The browser then loads the code only if the props change. */
  isStatic?: (props: Props) => boolean;
}

export type LazyComponent<Props> = ComponentType<Props> & {
  /** Loads the code early. Resolves when it has loaded or failed. The component itself reports a failure. */
  preload(): Promise<void>;
};

/**
 * Creates a component whose code loads on first render. Unlike `React.lazy`, it shows a failed load in place, retries
 * on demand or when the browser is back online, and renders immediately if preloaded.
 */
export function lazy<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  { Loading, Failed = DefaultFailure, ssr, isStatic }: LazyOptions<Props> = {},
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined;
  let loadedOrPending: Promise<ComponentType<Props>> | undefined;

  async function loadOnce() {
    loaded ??= (await load()).default;
    return loaded;
  }

  function ClientRendered(props: Props) {
    const [Loaded, setLoaded] = useState(() => loaded);
    const [hasFailed, setFailed] = useState(false);

    useEffect(() => {
      if (Loaded) return;
      const retry = () => setFailed(false);
      if (hasFailed) {
        window.addEventListener('online', retry);
        return () => window.removeEventListener('online', retry);
      }
      let isUnmounted = false;
      loadOnce().then(
        (component) => !isUnmounted && setLoaded(() => component),
        () => !isUnmounted && setFailed(true),
      );
      return () => {
        isUnmounted = true;
      };
    }, [Loaded, hasFailed]);

    if (Loaded) {
      return (
        <ErrorBoundary fallback={(onRetry) => <Failed {...props} onRetry={onRetry} />}>
          <Loaded {...props} />
        </ErrorBoundary>
      );
    }
    if (hasFailed) return <Failed {...props} onRetry={() => setFailed(false)} />;
    return Loading ? <Loading {...props} /> : null;
  }

  /** Suspends until the code has loaded. React keeps the server's HTML, even if loading fails. */
  function Suspending(props: Hydrated<Props>) {
    if (props.needsCode) loadedOrPending ??= loadOnce().catch(() => PENDING);
    const Loaded = loaded ?? use(loadedOrPending ?? PENDING);
    return <Loaded {...props} />;
  }

  // Without memo, a rerender of the parent would replace the HTML with the fallback.
  const Hydrating: ComponentType<Hydrated<Props>> = memo((props: Hydrated<Props>) => (
    <ErrorBoundary fallback={(onRetry) => <Failed {...props} onRetry={onRetry} />}>
      <Suspense>
        <Suspending {...props} />
      </Suspense>
    </ErrorBoundary>
  ));

  function ServerRendered(props: Props) {
    const isHydrated = useHydrated();
    const [firstProps] = useState(isHydrated ? undefined : props);
    if (!firstProps) return <ClientRendered {...props} />;
    return <Hydrating {...props} needsCode={!isStatic?.(props) || !isShallowEqual(firstProps, props)} />;
  }

  return Object.assign(ssr ? ServerRendered : ClientRendered, { preload: () => loadOnce().then(noop, noop) });
}

type Hydrated<Props> = Props & { needsCode: boolean };

const PENDING = new Promise<never>(() => undefined);
const noop = () => undefined;

function isShallowEqual<Props extends object>(first: Props, props: Props): boolean {
  return keysOf(props).every((key) => Object.is(first[key], props[key]));
}

function DefaultFailure({ onRetry }: { onRetry: () => void }) {
  return <LoadFailure onRetry={onRetry} />;
}

interface LoadFailureProps {
  onRetry: () => void;
  /** Shows the message as a closable card above the page, for components that open above the page. */
  onClose?: () => void;
}

/** Error message with a retry button for a part of the page whose code could not be loaded. */
export function LoadFailure({ onRetry, onClose }: LoadFailureProps) {
  const notice = (
    <div role="alert" className="flex flex-wrap items-center gap-3">
      <p>This part could not be loaded.</p>
      <Button variant="secondary" size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
  if (!onClose) return notice;
  return (
    <div className="fixed right-4 bottom-24 left-4 z-50 ml-auto flex max-w-md items-start gap-2 rounded-md border border-line bg-surface p-4 text-ink shadow-lg print:hidden">
      <div className="grow">{notice}</div>
      <Button variant="ghost" size="icon" aria-label="Close" className="-m-2" onClick={onClose}>
        <X aria-hidden="true" />
      </Button>
    </div>
  );
}
