import { useCallback, useEffect, useRef, useState } from 'react';
import { ReplyStreamError } from '../../supabase/functions/ai-chat/event-stream.ts';
import { errorCode, rejectionMessage } from '../api/error-code.ts';
import { toast } from '../ui/toast.ts';
import {
  AssistantError,
  askAssistant,
  type ChatMessage,
  readMessages,
  saveMessage,
  startConversation,
} from './chat.ts';
import {
  connectToOtherTabs,
  type OtherTabs,
  storeConversationId,
  storedConversationId,
  withTabLock,
} from './conversation-id.ts';

export interface Conversation {
  messages: ChatMessage[];
  /** `restoring` while the history loads, `waiting` until the reply begins, and `streaming` until it ends. */
  status: 'restoring' | 'idle' | 'waiting' | 'streaming';
  /** Streaming reply so far. */
  reply: string;
  /** Notice that a limit was reached, shown with an offer to book a meeting. */
  limitNotice: string | null;
  /** @returns false if the input must be restored, because sending failed or was stopped before any text arrived */
  send(text: string): Promise<boolean>;
  /** Stops the reply. The text so far is kept. */
  stop(): void;
  /** Starts a new conversation. */
  clear(): Promise<void>;
}

/** Abort reason of a reply that the visitor stopped. */
const STOPPED = 'stopped';
/** Abort reason of a reply whose conversation was cleared. */
const CLEARED = 'cleared';
const NOT_SAVED = 'not saved';

/** Manages this browser's conversation. It is restored when the chat first opens, and shared by all tabs. */
export function useConversation(): Conversation {
  const [messages, setMessages] = useState<ChatMessage[]>([]);
  const [status, setStatus] = useState<Conversation['status']>('restoring');
  const [reply, setReply] = useState('');
  const [limitNotice, setLimitNotice] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  const otherTabs = useRef<OtherTabs | null>(null);

  const restore = useCallback(async () => {
    const id = storedConversationId() ?? (await withTabLock(currentConversation));
    const stored = await readMessages(id);
    // If a question was sent in the meantime, `converse` has already read the messages.
    if (!running.current) setMessages(stored);
  }, []);

  useEffect(() => {
    const reload = () =>
      restore().catch((error: unknown) => showError(error, 'Could not load the conversation', setLimitNotice));
    void reload().then(() => setStatus((current) => (current === 'restoring' ? 'idle' : current)));
    otherTabs.current = connectToOtherTabs(() => {
      // A tab that is sending a question has already read the messages from the other tabs.
      if (!running.current) void reload();
    });
    return () => {
      otherTabs.current?.close();
      running.current?.abort(STOPPED);
    };
  }, [restore]);

  async function send(text: string): Promise<boolean> {
    if (running.current) return false;
    const controller = new AbortController();
    running.current = controller;
    setStatus('waiting');
    setLimitNotice(null);
    setMessages((previous) => [...previous, newMessage('user', text)]);
    try {
      await withTabLock(() => converse(text, controller, { setMessages, setStatus, setReply }));
      return true;
    } catch (error) {
      setMessages((previous) => previous.slice(0, -1));
      if (controller.signal.reason !== STOPPED && controller.signal.reason !== CLEARED) {
        showError(error, 'Failed to send message', setLimitNotice);
      }
      return controller.signal.reason === CLEARED;
    } finally {
      running.current = null;
      setReply('');
      setStatus('idle');
      otherTabs.current?.notify();
    }
  }

  async function clear() {
    running.current?.abort(CLEARED);
    await withTabLock(async () => {
      setMessages([]);
      setLimitNotice(null);
      storeConversationId(null);
      await currentConversation().catch((error: unknown) =>
        showError(error, 'Could not start a new conversation', setLimitNotice),
      );
    });
    otherTabs.current?.notify();
  }

  return { messages, status, reply, limitNotice, send, stop: () => running.current?.abort(STOPPED), clear };
}

/** State setters that `converse` calls during a reply. */
interface ReplySetters {
  setMessages: (messages: ChatMessage[]) => void;
  setStatus: (status: Conversation['status']) => void;
  setReply: (reply: string) => void;
}

/** Sends a question, shows the streaming reply, and saves the question and the reply. */
async function converse(text: string, controller: AbortController, setters: ReplySetters): Promise<void> {
  const { setMessages, setStatus, setReply } = setters;
  let id = await currentConversation();
  const stored = await readMessages(id);
  const last = stored.at(-1);
  // If the last stored message is the same question, its reply failed. Ask again without saving the question twice.
  const isSaved = last?.role === 'user' && last.content === text;
  const history: ChatMessage[] = isSaved ? stored : [...stored, newMessage('user', text)];
  setMessages(history);

  let replyText = '';
  let frame = 0;
  let saving: Promise<void> | null = isSaved ? Promise.resolve() : null;
  const saveQuestion = async () => {
    id = await saveInto(id, newMessage('user', text));
  };
  try {
    for await (const chunk of askAssistant(id, history, controller.signal)) {
      if (!saving) {
        // Save the question when the assistant accepts it, in parallel with the stream.
        saving = saveQuestion();
        saving.catch(() => controller.abort(NOT_SAVED));
      }
      replyText += chunk;
      setStatus('streaming');
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        setReply(replyText);
      });
    }
  } catch (error) {
    await saving;
    // If the visitor stops the reply, save the text so far.
    if (controller.signal.reason !== STOPPED || replyText.trim() === '') throw error;
  } finally {
    cancelAnimationFrame(frame);
  }
  await saving;
  if (replyText.trim() === '') throw new AssistantError('Failed to get response');
  const replyMessage = newMessage('assistant', replyText);
  await saveMessage(id, replyMessage);
  setReply('');
  setMessages([...history, replyMessage]);
}

function newMessage(role: ChatMessage['role'], content: string): ChatMessage {
  return { role, content, created_at: new Date().toISOString() };
}

/** Returns the id of this browser's conversation. Creates one if necessary. */
async function currentConversation(): Promise<string> {
  const stored = storedConversationId();
  if (stored) return stored;
  const id = await startConversation();
  storeConversationId(id);
  return id;
}

/**
 * Saves a message, in a new conversation if the current one was deleted.
 *
 * @returns the id of the conversation
 */
async function saveInto(id: string, message: ChatMessage): Promise<string> {
  try {
    await saveMessage(id, message);
    return id;
  } catch (error) {
    if (errorCode(error) !== FOREIGN_KEY_VIOLATION) throw error;
    storeConversationId(null);
    const newId = await currentConversation();
    await saveMessage(newId, message);
    return newId;
  }
}

const FOREIGN_KEY_VIOLATION = '23503';
/** Custom SQLSTATE of the rate limits per IP address. */
const TOO_MANY_REQUESTS = 'PT429';

/** Shows an error. Rate limits are shown in the chat, because a toast would cover the offer to book a meeting. */
function showError(error: unknown, fallback: string, setLimitNotice: (notice: string | null) => void) {
  setLimitNotice(limitMessage(error));
  if (errorCode(error) !== TOO_MANY_REQUESTS) toast.error(textForVisitors(error) ?? fallback);
}

function textForVisitors(error: unknown): string | null {
  return error instanceof AssistantError || error instanceof ReplyStreamError ? error.message : rejectionMessage(error);
}

/** Returns the message if the error is a rate limit, otherwise null. */
function limitMessage(error: unknown): string | null {
  const isLimit = error instanceof AssistantError ? error.bookingUrl !== null : errorCode(error) === TOO_MANY_REQUESTS;
  return isLimit && error instanceof Error ? error.message : null;
}
