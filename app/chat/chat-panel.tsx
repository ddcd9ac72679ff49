import { CalendarDays, RotateCcw, X } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { LogoMark } from '../settings/brand/logo.tsx';
import { buttonClass } from '../ui/button.tsx';
import { Composer } from './composer.tsx';
import { MessageList, type Offers } from './message-list.tsx';
import { useConversation } from './use-conversation.ts';

interface ChatPanelProps {
  siteName: string;
  /** The assistant's first message. */
  greeting?: string | undefined;
  offers: Offers;
  /** Text input, focused when the chat opens. */
  input: RefObject<HTMLTextAreaElement | null>;
  onBook: () => void;
  /** Handles clicks on links in replies. */
  onFollow: (link: URL) => void;
  /** Null if the chat cannot be closed. */
  onClose: (() => void) | null;
}

/** Complete chat with title bar, messages and input. Fills its parent. */
export function ChatPanel({ siteName, greeting, offers, input, onBook, onFollow, onClose }: ChatPanelProps) {
  const conversation = useConversation();
  const [draft, setDraft] = useState('');

  async function send(text: string) {
    setDraft('');
    if (!(await conversation.send(text))) setDraft((newDraft) => newDraft || text);
  }

  return (
    <div className="group/chat flex h-full flex-col bg-surface text-ink">
      <div className="flex items-center gap-3 border-b border-line px-4 py-2.5 low:py-0">
        <LogoMark className="size-8" />
        <div className="min-w-0 flex-1 leading-tight">
          <h2 className="truncate font-semibold">{siteName}</h2>
          <p className="truncate text-sm text-muted">AI assistant</p>
        </div>
        <button
          type="button"
          aria-label="Clear conversation"
          title="Clear conversation"
          className={buttonClass({ variant: 'ghost', size: 'icon' })}
          onClick={() => {
            void conversation.clear();
            input.current?.focus();
          }}
        >
          <RotateCcw />
        </button>
        {onClose && (
          <button
            type="button"
            aria-label="Close chat"
            className={buttonClass({ variant: 'ghost', size: 'icon' })}
            onClick={onClose}
          >
            <X />
          </button>
        )}
      </div>
      <MessageList
        conversation={conversation}
        greeting={
          greeting || `Hello! I answer questions about what ${siteName} does, based on the content of this site.`
        }
        offers={offers}
        onAsk={(question) => void send(question)}
        onBook={onBook}
        onFollow={onFollow}
      />
      <div className="border-t border-line px-4 py-3 low:py-1.5 group-has-[[role=log]_form]/chat:py-1.5">
        <Composer
          input={input}
          draft={draft}
          onDraft={setDraft}
          status={conversation.status}
          onSend={(text) => void send(text)}
          onStop={conversation.stop}
        >
          <button type="button" className={buttonClass({ variant: 'ghost', size: 'sm' }, '-ml-3')} onClick={onBook}>
            <CalendarDays />
            <span className="low:sr-only group-has-[[role=log]_form]/chat:sr-only">Book a Meeting</span>
          </button>
        </Composer>
      </div>
    </div>
  );
}
