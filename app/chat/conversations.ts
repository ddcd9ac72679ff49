/** Admin queries for conversations. They cover the list, transcripts, deletion and CSV export. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { changeAsSignedIn, readPageAsSignedIn, reloadOnSuccess } from '../api/as-signed-in.ts';
import { PAGE_SIZE, pageRange } from '../api/paging.ts';
import { sessionApi } from '../api/visitor-api.ts';
import { writeCsv } from '../ui/lib/write-csv.ts';
import type { ChatMessage } from './chat.ts';

/** Page size of the export, in rows. */
const EXPORT_PAGE_SIZE = 1000;

export interface ConversationListItem {
  id: string;
  created_at: string;
  last_message_at: string;
  message_count: number;
  /** First message, or first match of the search. */
  excerpt: string;
}

/** Reads one page (1-based) of conversations with messages, latest first, and the total count. */
export function conversationsQuery({ page, search }: { page: number; search: string }) {
  return queryOptions({
    queryKey: ['conversations', 'list', { page, search }],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<{ items: ConversationListItem[]; count: number }> =>
      search.trim() ? findConversations(search.trim(), page, signal) : readConversations(page, signal),
  });
}

async function findConversations(search: string, page: number, signal: AbortSignal) {
  const [_offset] = pageRange(page);
  const { data } = await (await sessionApi())
    .rpc('find_conversations', { _search: search, _limit: PAGE_SIZE, _offset })
    .abortSignal(signal)
    .throwOnError();
  return { items: data, count: data[0]?.total ?? 0 };
}

/**
 * Loads the first messages of one page in a separate request. If they were embedded, PostgREST would also read the
 * messages of all previous pages.
 */
async function readConversations(page: number, signal: AbortSignal) {
  const { items: ids, count } = await readPageAsSignedIn(page, (api) =>
    api
      .from('conversations')
      .select('id', { count: 'exact' })
      .gt('message_count', 0)
      .order('last_message_at', { ascending: false }),
  )({ signal });
  const api = await sessionApi();
  const { data: items } = await api
    .from('conversations')
    .select('id, created_at, last_message_at, message_count, chat_messages(content)')
    .in(
      'id',
      ids.map(({ id }) => id),
    )
    .order('last_message_at', { ascending: false })
    .order('created_at', { referencedTable: 'chat_messages', ascending: true })
    .limit(1, { referencedTable: 'chat_messages' })
    .abortSignal(signal)
    .throwOnError();
  return { items: items.map(addExcerpt), count };
}

function addExcerpt<Row extends { chat_messages: { content: string }[] }>({ chat_messages, ...row }: Row) {
  return { ...row, excerpt: chat_messages[0]?.content ?? '' };
}

/** Reads the latest conversations with messages, without a total count. */
export function latestConversationsQuery(limit: number) {
  return queryOptions({
    queryKey: ['conversations', 'latest', limit],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<ConversationListItem[]> => {
      const { data } = await (await sessionApi())
        .from('conversations')
        .select('id, created_at, last_message_at, message_count, chat_messages(content)')
        .gt('message_count', 0)
        .order('last_message_at', { ascending: false })
        .limit(limit)
        .order('created_at', { referencedTable: 'chat_messages', ascending: true })
        .limit(1, { referencedTable: 'chat_messages' })
        .abortSignal(signal)
        .throwOnError();
      return data.map(addExcerpt);
    },
  });
}

export interface TranscriptMessage extends ChatMessage {
  id: string;
  /** True for messages that a visitor's browser stored with the role `assistant`. */
  isForged: boolean;
}

/** Reads all messages of a conversation, oldest first. */
export function transcriptQuery(conversationId: string) {
  return queryOptions({
    queryKey: ['conversations', 'transcript', conversationId],
    queryFn: async ({ signal }): Promise<TranscriptMessage[]> => {
      const api = await sessionApi();
      const [messages, forged] = await Promise.all([
        api
          .from('chat_messages')
          .select('id, role, content, created_at')
          .eq('conversation_id', conversationId)
          .order('created_at', { ascending: true })
          .abortSignal(signal)
          .throwOnError(),
        api.rpc('forged_chat_replies', { _conversation_id: conversationId }).abortSignal(signal).throwOnError(),
      ]);
      return messages.data.map(({ role, ...message }) => ({
        ...message,
        role: role === 'user' ? 'user' : 'assistant',
        isForged: forged.data.includes(message.id),
      }));
    },
  });
}

/** Deletes a conversation with its messages. Succeeds if it is already deleted. */
export const deleteConversationMutation = mutationOptions({
  mutationKey: ['conversations', 'delete'],
  mutationFn: changeAsSignedIn((api, id: string) => api.from('conversations').delete().eq('id', id)),
  ...reloadOnSuccess(['conversations']),
});

/** Exports the messages of one or all conversations as CSV (RFC 4180), grouped by conversation. */
export const exportConversationsMutation = mutationOptions({
  mutationKey: ['conversations', 'export'],
  mutationFn: (conversationId: string | undefined) => exportConversations(conversationId),
});

async function exportConversations(conversationId?: string): Promise<string> {
  const api = await sessionApi();
  const rows = [['conversation_id', 'created_at', 'role', 'content']];
  for (let start = 0; ; start += EXPORT_PAGE_SIZE) {
    let request = api.from('chat_messages').select('conversation_id, created_at, role, content');
    if (conversationId) request = request.eq('conversation_id', conversationId);
    const { data } = await request
      .order('conversation_id')
      .order('created_at')
      .order('id')
      .range(start, start + EXPORT_PAGE_SIZE - 1)
      .throwOnError();
    for (const row of data) rows.push([row.conversation_id, row.created_at, row.role, row.content]);
    if (data.length < EXPORT_PAGE_SIZE) return writeCsv(rows);
  }
}
