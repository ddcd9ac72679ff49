import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { MessagesSquare, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { CardList, ROW_LINK_CLASS } from '../../ui/list/card-list.tsx';
import { ItemCount } from '../../ui/list/item-count.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { type ConversationListItem, conversationsQuery } from '../conversations.ts';
import { AskTheAssistant } from './ask-the-assistant.tsx';
import { ConversationsHeader } from './conversations-header.tsx';
import { DeleteConversationDialog } from './delete-conversation-dialog.tsx';
import { ExportButton } from './export-button.tsx';

/** Lists conversations with the assistant, latest first. */
export function ConversationList({ search, page }: { search: string; page: number }) {
  const list = useQuery(conversationsQuery({ page, search }));
  const [deleting, setDeleting] = useState<string | null>(null);
  const navigate = useNavigate();
  const { items = [], count } = list.data ?? {};
  const isFiltered = search !== '' || page > 1;
  return (
    <div className="grid grid-cols-1 gap-6">
      <ConversationsHeader action={items.length > 0 && <ExportButton />} />
      {(isFiltered || items.length > 0) && (
        <div className="flex flex-wrap items-center gap-3">
          <SearchBox
            label="Search conversations"
            value={search}
            onSearch={(q) => void navigate({ to: '/admin/conversations', search: q ? { q } : {}, replace: true })}
          />
          <ItemCount count={count} singular="conversation" plural="conversations" />
        </div>
      )}
      <CardList
        query={list}
        page={page}
        loading="Loading conversations..."
        empty={<NoConversations isFiltered={isFiltered} />}
      >
        {(item) => <ConversationRow item={item} onDelete={() => setDeleting(item.id)} />}
      </CardList>
      {deleting && <DeleteConversationDialog conversationId={deleting} onClose={() => setDeleting(null)} />}
    </div>
  );
}

function ConversationRow({ item, onDelete }: { item: ConversationListItem; onDelete: () => void }) {
  const time = formatTime(item.last_message_at);
  return (
    <div className="flex items-center gap-2">
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-0.5">
        <h2 className="font-medium [overflow-wrap:anywhere]">
          <Link to="/admin/conversations/$id" params={{ id: item.id }} className={`line-clamp-2 ${ROW_LINK_CLASS}`}>
            {item.excerpt}
          </Link>
        </h2>
        <p className="text-sm text-muted">
          <RelativeTime at={item.last_message_at} /> · {item.message_count}{' '}
          {item.message_count === 1 ? 'message' : 'messages'}
        </p>
      </div>
      <Button
        variant="ghost"
        size="icon"
        className="relative z-1 -mr-3 text-muted!"
        aria-label={`Delete conversation from ${time}`}
        onClick={onDelete}
      >
        <Trash2 aria-hidden="true" />
      </Button>
    </div>
  );
}

function NoConversations({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered) {
    return (
      <EmptyState
        icon={MessagesSquare}
        title="No conversations yet"
        description="Conversations between visitors and the assistant appear here. Ask the assistant a question to start one."
        action={<AskTheAssistant />}
      />
    );
  }
  return (
    <EmptyState
      title="No conversations found"
      description="No conversations match this search."
      action={
        <ButtonLink to="/admin/conversations" variant="secondary">
          Show all conversations
        </ButtonLink>
      }
    />
  );
}
