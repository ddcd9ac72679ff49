/**
 * Records replies of the assistant as hashes. The browser stores the reply itself, and transcripts mark stored replies
 * that were never recorded.
 */
import { callFunction, type TableApi } from './site-content.ts';

/** Maximum number of pieces that were sent but have not reached the browser when the visitor stops a reply. */
const LAST_PIECES = 64;

/** Records a reply. For a stopped reply, records each beginning that the visitor may have received. */
export async function recordReply(
  api: TableApi,
  conversationId: string,
  pieces: readonly string[],
  isStopped: boolean,
): Promise<void> {
  const firstLength = isStopped ? Math.max(1, pieces.length - LAST_PIECES + 1) : pieces.length;
  const beginnings = pieces.slice(firstLength - 1).map((_, index) => pieces.slice(0, firstLength + index).join(''));
  const hashes = await Promise.all(beginnings.map(hashOf));
  await callFunction(api, 'record_chat_reply', { _conversation_id: conversationId, _hashes: hashes });
}

/** Returns the SHA-256 in hexadecimal, like private.reply_hash() in the database. */
export async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
