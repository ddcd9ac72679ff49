/** One message of a conversation, as the client sends it. */
export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}
