/**
 * Notes what the assistant said in a conversation, as hashes. The browser stores the reply itself, and transcripts mark
 * stored replies that were never noted.
 */
import { callFunction, type TableApi } from './site-content.ts';

/** A reply that is stopped ends for the visitor with one of the pieces that were sent last. */
const LAST_PIECES = 64;

/** Notes a reply; of one that was stopped every beginning that the visitor may have got. */
export async function noteReply(
  api: TableApi,
  conversationId: string,
  pieces: readonly string[],
  isStopped: boolean,
): Promise<void> {
  const first = isStopped ? Math.max(1, pieces.length - LAST_PIECES + 1) : pieces.length;
  const beginnings = pieces.slice(first - 1).map((_, at) => pieces.slice(0, first + at).join(''));
  const hashes = await Promise.all(beginnings.map(hashOf));
  await callFunction(api, 'note_chat_reply', { _conversation_id: conversationId, _hashes: hashes });
}

/** SHA-256, hexadecimal: private.reply_hash() of the database. */
export async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
