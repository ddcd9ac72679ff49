import { useHydrated } from '@tanstack/react-router';
import { type ComponentType, memo, Suspense, use, useState } from 'react';
import { Failure, lazyPiece } from './lazy-piece.tsx';
import { keysOf } from './lib/keys-of.ts';
import { PartBoundary } from './part-boundary.tsx';

interface DrawnOptions<Props extends object> extends NonNullable<Parameters<typeof lazyPiece<Props>>[1]> {
  /** Tells whether what is drawn does nothing: as long as it stays the same, a page from the server needs no code for it. */
  isStill?: (props: Props) => boolean;
}

/**
 * Makes a lazyPiece that the server draws too, once its loader has awaited `prepare()`. A page from the server keeps what
 * is drawn until the code is there, also when it never comes (no network, or a build that is gone).
 *
 * `prepare` waits on the server for the code; in the browser it only begins to load it.
 */
export function drawnPiece<Props extends object>(
  load: Parameters<typeof lazyPiece<Props>>[0],
  { isStill, ...options }: DrawnOptions<Props> = {},
) {
  const { Failed = Failure } = options;
  let loading: Promise<ComponentType<Props>> | undefined;
  let loaded: ComponentType<Props> | undefined;
  const Later = lazyPiece<Props>(load, options);

  function loadDrawn() {
    loading ??= load().then(
      (module) => {
        loaded = module.default;
        return loaded;
      },
      () => new Promise<ComponentType<Props>>(() => undefined),
    );
    return loading;
  }

  function Drawn(props: Kept<Props>) {
    const Loaded = loaded ?? use(props.needsCode || typeof window === 'undefined' ? loadDrawn() : NEVER);
    return <Loaded {...props} />;
  }

  // Rendered anew before its code is there, the section would go and come back.
  const OfServer: ComponentType<Kept<Props>> = memo((props: Kept<Props>) => (
    <PartBoundary fallback={(onRetry) => <Failed {...props} onRetry={onRetry} />}>
      <Suspense>
        <Drawn {...props} />
      </Suspense>
    </PartBoundary>
  ));

  function Piece(props: Props) {
    const isHydrated = useHydrated();
    const [first] = useState(isHydrated ? undefined : props);
    if (!first) return <Later {...props} />;
    return <OfServer {...props} needsCode={!isStill?.(props) || !isAlike(first, props)} />;
  }

  return Object.assign(Piece, {
    async prepare() {
      if (typeof window === 'undefined') await loadDrawn();
      else Later.preload();
    },
  });
}

type Kept<Props> = Props & { needsCode: boolean };

/** Leaves what the server drew as it is: React keeps it until what is to stand there instead has loaded. */
const NEVER = new Promise<never>(() => undefined);

function isAlike<Props extends object>(first: Props, props: Props): boolean {
  return keysOf(props).every((key) => Object.is(first[key], props[key]));
}
