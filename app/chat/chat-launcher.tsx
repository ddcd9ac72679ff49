import { MessageCircle } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { buttonClass } from '../ui/button.tsx';
import { LoadFailure, lazy } from '../ui/lazy.tsx';
import { whenIdle } from '../ui/lib/when-idle.ts';
import { Spinner } from '../ui/spinner.tsx';
import { avoidOverlap } from './avoid-overlap.ts';
import { useChatEntry } from './chat-entry.ts';

const ChatWindow = lazy(() => import('./chat-window.tsx'), {
  Loading: ({ open }) => open && <OpeningNotice />,
  Failed: ({ open, onClose, onRetry }) => open && <LoadFailure onRetry={onRetry} onClose={onClose} />,
});

/** Button at the bottom right of public pages that visitors read. The chat is lazy-loaded on first opening. */
export function ChatLauncher({ siteName }: { siteName: string }) {
  const { isOpen, open, close } = useChatEntry();
  const [wasOpened, setWasOpened] = useState(false);
  if (isOpen && !wasOpened) setWasOpened(true);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (wasOpened && !isOpen) button.current?.focus({ preventScroll: true });
  }, [isOpen, wasOpened]);

  useEffect(() => {
    let stop: (() => void) | undefined;
    const cancel = whenIdle(() => {
      if (button.current) stop = avoidOverlap(button.current);
    });
    return () => {
      cancel();
      stop?.();
    };
  }, []);

  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label="Open chat"
        data-launcher
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className={buttonClass(
          {},
          'chat-launcher fixed right-5 bottom-5 mb-(--preview-bar,0px) z-40 size-14 min-h-0 rounded-full! px-0! shadow-lg ring-2 ring-canvas md:right-6 md:bottom-6 print:hidden',
        )}
        onPointerEnter={ChatWindow.preload}
        onClick={open}
      >
        <MessageCircle className="size-6!" />
      </button>
      {wasOpened && <ChatWindow siteName={siteName} open={isOpen} onClose={close} />}
    </>
  );
}

function OpeningNotice() {
  return (
    <div className="fixed right-6 bottom-24 z-40 rounded-md bg-surface p-3 shadow-md">
      <Spinner label="Opening the chat" />
    </div>
  );
}
