import { X } from 'lucide-react';
import { type ComponentType, useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { PartBoundary } from './part-boundary.tsx';

interface PieceOptions<Props> {
  /** Stands in its place until it is there; nothing by default. */
  Loading?: ComponentType<Props>;
  /** Shown in its place if it cannot be loaded or throws while it renders. */
  Failed?: ComponentType<Props & { onRetry: () => void }>;
}

/**
 * Makes a part of the page whose code loads when it is first rendered. Unlike `React.lazy` it never takes the page down
 * when loading or rendering fails (no network, or a build that is gone): the page stays as it is, a notice in its place
 * offers another try, and a failed import is not remembered. When the network comes back it tries by itself.
 *
 * `preload` starts loading early, and leaves telling about a failure to the piece.
 */
export function lazyPiece<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  { Loading, Failed = Failure }: PieceOptions<Props> = {},
) {
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = async () => {
    loaded ??= (await load()).default;
    return loaded;
  };

  function Piece(props: Props) {
    const [Loaded, setLoaded] = useState(() => loaded);
    const [hasFailed, setFailed] = useState(false);

    useEffect(() => {
      if (Loaded) return;
      const retry = () => setFailed(false);
      if (hasFailed) {
        window.addEventListener('online', retry);
        return () => window.removeEventListener('online', retry);
      }
      let isGone = false;
      loadOnce().then(
        (component) => !isGone && setLoaded(() => component),
        () => !isGone && setFailed(true),
      );
      return () => {
        isGone = true;
      };
    }, [Loaded, hasFailed]);

    if (Loaded) {
      return (
        <PartBoundary fallback={(onRetry) => <Failed {...props} onRetry={onRetry} />}>
          <Loaded {...props} />
        </PartBoundary>
      );
    }
    if (hasFailed) return <Failed {...props} onRetry={() => setFailed(false)} />;
    return Loading ? <Loading {...props} /> : null;
  }

  return Object.assign(Piece, { preload: () => void loadOnce().catch(() => undefined) });
}

/** Notice of a part that could not be loaded, with a button to try again. */
export function Failure({ onRetry }: { onRetry: () => void }) {
  return <PieceFailure onRetry={onRetry} />;
}

interface PieceFailureProps {
  onRetry: () => void;
  /** Makes it a card over the page that can be closed, for pieces that open over the page themselves. */
  onClose?: () => void;
}

/** Says that a part of the page could not be loaded, and offers to try again. */
export function PieceFailure({ onRetry, onClose }: PieceFailureProps) {
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
