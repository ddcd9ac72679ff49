import { useHydrated } from '@tanstack/react-router';
import { type ComponentType, memo, Suspense, use, useState } from 'react';
import { lazyPiece } from './lazy-piece.tsx';

/**
 * Makes a lazyPiece that the server draws too, once its loader has awaited `prepare()`. A page from the server keeps what
 * is drawn until the code is there, also when it never comes (no network, or a build that is gone).
 *
 * `prepare` waits on the server for the code; in the browser it only begins to load it.
 */
export function drawnPiece<Props extends object>(...[load, options]: Parameters<typeof lazyPiece<Props>>) {
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

  function Drawn(props: Props) {
    const Loaded = loaded ?? use(loadDrawn());
    return <Loaded {...props} />;
  }

  // Rendered anew before its code is there, the section would go and come back.
  const OfServer: ComponentType<Props> = memo((props: Props) => (
    <Suspense>
      <Drawn {...props} />
    </Suspense>
  ));

  function Piece(props: Props) {
    const isHydrated = useHydrated();
    const [isOfServer] = useState(!isHydrated);
    return isOfServer ? <OfServer {...props} /> : <Later {...props} />;
  }

  return Object.assign(Piece, {
    async prepare() {
      if (typeof window === 'undefined') await loadDrawn();
      else Later.preload();
    },
  });
}
