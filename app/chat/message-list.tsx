import { clsx } from 'clsx';
import { CalendarDays } from 'lucide-react';
import { type MouseEvent, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { buttonClass } from '../ui/button.tsx';
import { lazy } from '../ui/lazy.tsx';
import type { ChatMessage } from './chat.ts';
import { messageTime } from './message-time.ts';
import { offerPosition } from './offer-position.ts';
import type { Conversation } from './use-conversation.ts';
import { isPersonLink, useLeadOffer } from './use-lead-offer.ts';

/** Offers that are shown below replies: contact by a person (`leads`) and calls. */
export interface Offers {
  leads: boolean;
  calls: boolean;
}

interface MessageListProps {
  conversation: Conversation;
  greeting: string;
  offers: Offers;
  onAsk: (question: string) => void;
  onBook: () => void;
  onFollow: (link: URL) => void;
}

const FIRST_QUESTIONS = [
  'What services do you offer?',
  'How long does a project take?',
  'What does it cost?',
  'Can you show me past projects?',
];

const LeadCard = lazy(() => import('./lead-card.tsx'));
/** The code is loaded with the first question. Until then, replies are shown as plain text. */
const ReplyText = lazy(async () => ({ default: (await import('./reply-text.tsx')).ReplyText }), {
  Failed: ({ text }) => <p className="whitespace-pre-wrap">{text}</p>,
});
const ChatOffer = lazy(() => import('../bookings/chat-offer.tsx'));

/** Maximum distance above the scroll target, in px, at which the list keeps following the reply. */
const FOLLOW_DISTANCE = 80;
/** Maximum distance below the scroll target, in px, at which the list keeps following the reply. */
const UNFOLLOW_DISTANCE = 4;

/** Space in px above a reply that is aligned to the top. */
const ABOVE_REPLY = 12;

/**
 * Message list. Complete messages are in the log, which screen readers announce. The streaming reply is below the log
 * and moves into it when complete.
 */
export function MessageList({ conversation, greeting, offers, onAsk, onBook, onFollow }: MessageListProps) {
  const { messages, status, reply, limitNotice } = conversation;
  const { scroller, content, onScroll } = useFollowedReply(conversation);
  const { lead, showsLead, callOffer, last } = useOffers(messages, offers);

  function onClick(event: MouseEvent) {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    // Downloads and clicks with modifier keys keep their default behaviour.
    if (!link || link.hasAttribute('download') || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const url = new URL(link.href);
    if (lead && lead.state !== 'accepted' && isPersonLink(url)) lead.open();
    else onFollow(url);
  }

  function decline() {
    lead?.decline();
    // The focused button has unmounted, so focus the input below the list.
    scroller.current?.nextElementSibling?.querySelector('textarea')?.focus({ preventScroll: true });
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link fires `click`
    // biome-ignore lint/a11y/noStaticElementInteractions: only handles clicks on links inside the element
    <div
      ref={scroller}
      onScroll={onScroll}
      onClick={onClick}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 [overflow-anchor:none]"
    >
      <div ref={content} className={clsx('flex min-h-full flex-col pb-4', messages.length === 0 && 'justify-end')}>
        <Bubble from="assistant">{greeting}</Bubble>
        {/* Empty until the history is loaded, so that only new messages are announced. */}
        {status !== 'restoring' && (
          <div role="log" aria-label="Messages" className="flex flex-col">
            {messages.flatMap(({ role, content }, position) => [
              // biome-ignore lint/suspicious/noArrayIndexKey: messages are only appended
              <Bubble key={position} from={role} time={messageTime(messages, position)}>
                {role === 'user' ? (
                  content
                ) : (
                  <Reply text={position === callOffer && position === last ? withoutCallLinks(content) : content} />
                )}
              </Bubble>,
              // The key keeps the form's state when it moves below a later reply.
              ...(lead?.position === position && showsLead
                ? [<LeadCard key="lead" offer={lead} onDecline={decline} />]
                : []),
              ...(callOffer === position
                ? [
                    <ChatOffer
                      key="call"
                      isOld={position < last}
                      isNextWeek={isForNextWeek(messages.slice(0, position))}
                      isOtherFormOpen={lead?.state === 'open'}
                      onOpen={() => lead?.collapse()}
                      onShowAll={onBook}
                    />,
                  ]
                : []),
            ])}
          </div>
        )}
        {reply && (
          <Bubble from="assistant">
            <Reply text={reply} isStreaming />
          </Bubble>
        )}
        {status === 'waiting' && <TypingIndicator />}
        {/* Invisible until it is known that there is no history, so that the greeting does not move. */}
        {(status === 'idle' || status === 'restoring') && messages.length === 0 && (
          <FirstQuestions onAsk={onAsk} isVisible={status === 'idle'} />
        )}
        {limitNotice && <LimitNotice text={limitNotice} onBook={onBook} />}
      </div>
    </div>
  );
}

/** Returns the offers below the messages, with the positions of the call offer and of the last message. */
function useOffers(messages: readonly ChatMessage[], offers: Offers) {
  const lead = useLeadOffer(messages, offers.leads);
  const callOffer = offers.calls ? offerPosition(messages, CALL_LINK) : -1;
  const last = messages.length - 1;
  // Free times replace the question, unless it asks for consent to an address. Old offers are hidden.
  const showsLead =
    lead?.state === 'collapsed'
      ? lead.email !== '' || (lead.position === last && callOffer !== last)
      : lead?.state !== 'declined';
  return { lead, showsLead, callOffer, last };
}

/**
 * Scrolls with the streaming reply until its beginning reaches the top, where the visitor can start reading. Later
 * content, such as an offer, stays below the fold. Stops when the visitor scrolls, and resumes with the next question.
 */
function useFollowedReply({ messages, reply }: Conversation) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const lastTop = useRef(0);
  /** Width at the last scroll. A new width changes the scroll position, too. */
  const lastWidth = useRef(0);

  const follow = useCallback(() => {
    const list = scroller.current;
    if (!list) return;
    // The visitor has scrolled, but the scroll event has not fired yet.
    const isResized = list.clientWidth !== lastWidth.current;
    if (!isResized && list.scrollTop < lastTop.current - FOLLOW_DISTANCE) isFollowing.current = false;
    if (isFollowing.current) list.scrollTop = findScrollTarget(list);
    lastTop.current = list.scrollTop;
    lastWidth.current = list.clientWidth;
  }, []);

  useEffect(() => {
    const observer = new ResizeObserver(follow);
    for (const { current } of [scroller, content]) if (current) observer.observe(current);
    return () => observer.disconnect();
  }, [follow]);

  useLayoutEffect(() => {
    if (messages.at(-1)?.role === 'user' && !reply) isFollowing.current = true;
    follow();
  }, [messages, reply, follow]);

  function onScroll() {
    const list = scroller.current;
    if (!list || list.clientWidth !== lastWidth.current) return;
    const offset = list.scrollTop - findScrollTarget(list);
    if (offset > UNFOLLOW_DISTANCE) isFollowing.current = false;
    // New text may have moved the target after the last scroll.
    else if (offset > -FOLLOW_DISTANCE || list.scrollTop < lastTop.current)
      isFollowing.current = offset > -FOLLOW_DISTANCE;
    lastTop.current = list.scrollTop;
  }

  return { scroller, content, onScroll };
}

/** Returns the end of the list as the scroll target, but does not scroll past the beginning of a last reply. */
function findScrollTarget(list: HTMLElement): number {
  const end = list.scrollHeight - list.clientHeight;
  const last = [...list.querySelectorAll<HTMLElement>('[data-from]')].at(-1);
  if (last?.dataset['from'] !== 'assistant') return end;
  const top = last.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
  return Math.max(0, Math.min(end, Math.round(top) - ABOVE_REPLY));
}

/** Matches questions about this week, in the built-in assistant's languages. */
const THIS_WEEK = /this week|denn[ae] (?:u[kg]|veck)|den här veck|dies\w+ woche/i;
/** Matches questions about next week, in the same languages. */
const NEXT_WEEK = /next week|neste u[kg]|næste uge|nästa vecka|nächste woche/i;

/** Returns whether the visitor asked for next week, unless a later message asks for this week. */
function isForNextWeek(messages: readonly ChatMessage[]): boolean {
  const questions = messages.flatMap(({ role, content }) => (role === 'user' ? [content] : []));
  return NEXT_WEEK.test(questions.findLast((text) => NEXT_WEEK.test(text) || THIS_WEEK.test(text)) ?? '');
}

/** Markdown link to the booking section, as the assistant writes it. */
const CALL_LINK = '](/#booking)';

/** Replaces links to the booking section by their text, because the free times are shown below the reply. */
function withoutCallLinks(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\(\/#booking\)/g, '$1');
}

function FirstQuestions({ onAsk, isVisible }: Pick<MessageListProps, 'onAsk'> & { isVisible: boolean }) {
  return (
    <div className={clsx('grid gap-2 pt-6', !isVisible && 'invisible')}>
      <p className="text-sm text-muted">You could ask</p>
      <div className="flex flex-wrap gap-2">
        {FIRST_QUESTIONS.map((question) => (
          <button
            key={question}
            type="button"
            className={buttonClass({ variant: 'secondary', size: 'sm' }, 'font-normal')}
            onClick={() => onAsk(question)}
          >
            {question}
          </button>
        ))}
      </div>
    </div>
  );
}

function LimitNotice({ text, onBook }: { text: string; onBook: () => void }) {
  return (
    <div className="mt-4 grid justify-items-start gap-3 rounded-md bg-signal-soft p-4">
      <p>{text}</p>
      <button type="button" className={buttonClass({ size: 'sm' })} onClick={onBook}>
        <CalendarDays />
        Book a Meeting
      </button>
    </div>
  );
}

function Reply({ text, isStreaming = false }: { text: string; isStreaming?: boolean }) {
  // No `text-wrap: balance`, which would reflow all lines with each word of a streaming reply.
  return <ReplyText text={text} isStreaming={isStreaming} topLevel={3} className="gap-3! [&_:is(p,li)]:text-wrap" />;
}

function Bubble({ from, time, children }: { from: 'user' | 'assistant'; time?: string | null; children: ReactNode }) {
  return (
    <div
      data-from={from}
      className={clsx(
        'relative mt-6 wrap-anywhere',
        from === 'user'
          ? 'ml-auto max-w-[85%] rounded-md rounded-br-sm bg-accent px-3.5 py-2 text-[0.9375rem] whitespace-pre-wrap text-on-accent'
          : 'max-w-[92%] text-[0.9375rem] leading-relaxed',
      )}
    >
      <span className="sr-only">{from === 'user' ? 'You: ' : 'Assistant: '}</span>
      {children}
      {/* In the margin, so that it never moves the messages. */}
      {time && (
        <time className="absolute bottom-full mb-0.5 text-label whitespace-nowrap text-muted in-data-[from=user]:right-0">
          {time}
        </time>
      )}
    </div>
  );
}

function TypingIndicator() {
  useEffect(() => void ReplyText.preload(), []);
  return (
    <div role="status" className="mt-4 flex h-6 items-center gap-1.5">
      <span className="sr-only">The assistant is writing</span>
      {['', '[animation-delay:160ms]', '[animation-delay:320ms]'].map((delay) => (
        <span key={delay} aria-hidden="true" className={clsx('size-2 animate-pulse rounded-full bg-muted', delay)} />
      ))}
    </div>
  );
}
