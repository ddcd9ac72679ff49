/** Chat client. Access to a conversation requires its id, which is sent in the header x-conversation-id. */
import { readReply } from '../../supabase/functions/ai-chat/event-stream.ts';
import { browserApiEndpoint } from '../api/api-endpoint.ts';
import { publicApi } from '../api/visitor-api.ts';

const ID_HEADER = 'x-conversation-id';

/** Maximum number of messages that the chat function accepts. */
const MAX_MESSAGES = 30;
/** Maximum length of a message that the chat function accepts, in characters. */
export const MAX_MESSAGE_LENGTH = 4000;

export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
  created_at: string;
}

/**
 * Creates an empty conversation.
 *
 * @returns the id of the conversation
 * @throws PostgrestError (PT429: rate limit of the IP address)
 */
export async function startConversation(): Promise<string> {
  const api = await publicApi();
  const { data } = await api.from('conversations').insert({}).select('id').single().throwOnError();
  return data.id;
}

/** Reads the messages of a conversation, oldest first. Empty if the conversation does not exist. */
export async function readMessages(conversationId: string): Promise<ChatMessage[]> {
  const api = await publicApi();
  const { data } = await api
    .from('chat_messages')
    .select('role, content, created_at')
    .eq('conversation_id', conversationId)
    .order('created_at', { ascending: true })
    .setHeader(ID_HEADER, conversationId)
    .throwOnError();
  return data.map(({ role, ...message }) => ({ ...message, role: role === 'user' ? 'user' : 'assistant' }));
}

/**
 * @throws PostgrestError (23503: conversation deleted; P0001: conversation full; PT429: rate limit of the IP address)
 */
export async function saveMessage(conversationId: string, { role, content }: ChatMessage): Promise<void> {
  const api = await publicApi();
  await api
    .from('chat_messages')
    .insert({ conversation_id: conversationId, role, content })
    .setHeader(ID_HEADER, conversationId)
    .throwOnError();
  await api
    .from('conversations')
    .update({ last_message_at: new Date().toISOString() })
    .eq('id', conversationId)
    .setHeader(ID_HEADER, conversationId)
    .throwOnError();
}

/** Error with a message for the visitor. `bookingUrl` is set if a limit was reached. */
export class AssistantError extends Error {
  readonly bookingUrl: string | null;

  constructor(message: string, bookingUrl: string | null = null) {
    super(message);
    this.bookingUrl = bookingUrl;
  }
}

/**
 * Requests a reply to the last message and yields its chunks as they arrive.
 *
 * @throws AssistantError, ReplyStreamError (stream interrupted), TypeError (offline), AbortError
 */
export async function* askAssistant(
  conversationId: string,
  messages: ChatMessage[],
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  const { url, publishableKey } = browserApiEndpoint();
  const response = await fetch(`${url}/functions/v1/ai-chat`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      apikey: publishableKey,
      authorization: `Bearer ${publishableKey}`,
      [ID_HEADER]: conversationId,
    },
    body: JSON.stringify({
      messages: messages
        .slice(-MAX_MESSAGES)
        .map(({ role, content }) => ({ role, content: content.slice(0, MAX_MESSAGE_LENGTH) })),
    }),
    signal,
  });
  if (!response.ok) throw await toAssistantError(response);
  if (!response.body) throw new AssistantError('No response body');
  yield* readReply(response.body);
}

async function toAssistantError(response: Response): Promise<AssistantError> {
  const body = await response.json().catch(() => ({ error: 'Unknown error' }));
  const { error, booking_url }: { error?: unknown; booking_url?: unknown } = body ?? {};
  return new AssistantError(
    typeof error === 'string' && error ? error : 'Failed to get response',
    typeof booking_url === 'string' ? booking_url : null,
  );
}
