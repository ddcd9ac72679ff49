/**
 * Notes what the assistant said in a conversation, as hashes. The browser stores the reply itself, and transcripts mark
 * stored replies that were never noted.
 */
import { noteReplyHashes, type TableApi } from './site-content.ts';

/** A reply that is stopped ends for the visitor with one of the pieces that were sent last. */
const LAST_PIECES = 64;

/** Notes a reply that was sent to its end. */
export async function noteReply(api: TableApi, conversationId: string, pieces: readonly string[]): Promise<void> {
  await noteReplyHashes(api, conversationId, [await hashOf(pieces.join(''))]);
}

/** Notes every beginning of the reply that the visitor may have got before it was stopped. */
export async function noteStoppedReply(
  api: TableApi,
  conversationId: string,
  pieces: readonly string[],
): Promise<void> {
  const first = Math.max(1, pieces.length - LAST_PIECES + 1);
  const ends = Array.from({ length: pieces.length - first + 1 }, (_, index) => first + index);
  const hashes = await Promise.all(ends.map((end) => hashOf(pieces.slice(0, end).join(''))));
  await noteReplyHashes(api, conversationId, hashes);
}

/** SHA-256, hexadecimal: private.reply_hash() of the database. */
export async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
