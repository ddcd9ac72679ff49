import { ArrowUp, Square } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { buttonClass } from '../ui/button.tsx';
import { CONTROL_CLASS } from '../ui/control-class.ts';
import { MAX_MESSAGE_LENGTH } from './chat.ts';
import type { Conversation } from './use-conversation.ts';

interface ComposerProps {
  input: RefObject<HTMLTextAreaElement | null>;
  draft: string;
  onDraft: (text: string) => void;
  status: Conversation['status'];
  /** Called with non-blank text. */
  onSend: (text: string) => void;
  onStop: () => void;
  /** Additional actions below the input, at the left. */
  children: ReactNode;
}

/** Text input. Enter sends, Shift+Enter adds a line break. While a reply is streaming, the visitor can only stop it. */
export function Composer({ input, draft, onDraft, status, onSend, onStop, children }: ComposerProps) {
  const isReplying = status === 'waiting' || status === 'streaming';
  const stopButton = useRef<HTMLButtonElement>(null);
  const canSend = !isReplying && draft.trim() !== '';
  useFocusThroughReply(isReplying, input, stopButton);

  function send() {
    if (canSend) onSend(draft.trim());
  }

  function onKeyDown(event: KeyboardEvent) {
    // Enter also confirms an IME composition, which must not send.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  }

  return (
    <form
      // One row in a low window and while a form in a message needs the space.
      className="grid gap-2 low:flex low:items-end group-has-[[role=log]_form]/chat:flex group-has-[[role=log]_form]/chat:items-end"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={input}
        value={draft}
        rows={1}
        maxLength={MAX_MESSAGE_LENGTH}
        disabled={isReplying}
        placeholder="Write a message"
        aria-label="Write to the assistant"
        className={`${CONTROL_CLASS} field-sizing-content max-h-36 min-h-11 resize-none py-2 focus-visible:-outline-offset-1!`}
        onChange={(event) => onDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex items-center gap-2">
        <div className="flex-1">{children}</div>
        {isReplying && (
          <button
            ref={stopButton}
            type="button"
            className={buttonClass({ variant: 'secondary', size: 'sm' }, 'min-h-11')}
            onClick={onStop}
          >
            <Square className="fill-current" />
            Stop
          </button>
        )}
        <button type="submit" aria-label="Send" disabled={!canSend} className={buttonClass({ size: 'icon' })}>
          <ArrowUp />
        </button>
      </div>
    </form>
  );
}

/**
 * Moves the focus to the stop button while a reply is streaming, because the disabled input loses the focus. Moves
 * the focus back afterwards.
 */
function useFocusThroughReply(
  isReplying: boolean,
  input: RefObject<HTMLTextAreaElement | null>,
  stopButton: RefObject<HTMLButtonElement | null>,
) {
  const hadFocus = useRef(false);
  useEffect(() => {
    if (isReplying) {
      const active = document.activeElement;
      hadFocus.current = active === input.current || active === document.body || active?.closest('form') !== null;
      if (hadFocus.current) stopButton.current?.focus();
    } else if (hadFocus.current && (document.activeElement === document.body || document.activeElement === null)) {
      hadFocus.current = false;
      // On touch screens, focusing the input would open the keyboard over the reply.
      if (window.matchMedia('(pointer: fine)').matches) input.current?.focus({ preventScroll: true });
    }
  }, [isReplying, input, stopButton]);
}
