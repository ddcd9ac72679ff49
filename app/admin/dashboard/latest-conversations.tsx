import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { latestConversationsQuery } from '../../chat/conversations.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Panel, ROW_LINK } from './panel.tsx';

const MAX_ROWS = 3;

/** Lists the latest conversations, if there are any. */
export function LatestConversations() {
  const { data: conversations, error, refetch } = useQuery(latestConversationsQuery(MAX_ROWS));
  if (conversations?.length === 0) return null;
  return (
    <Panel
      heading="Latest conversations"
      error={error}
      onRetry={() => void refetch()}
      more={
        conversations && (
          <ButtonLink to="/admin/conversations" variant="ghost" size="sm" className="-mr-3">
            All conversations
          </ButtonLink>
        )
      }
      rows={conversations?.map(({ id, excerpt, last_message_at, message_count }) => (
        <li key={id}>
          <Link to="/admin/conversations/$id" params={{ id }} className={ROW_LINK}>
            <span className="grid min-w-0 grow grid-cols-1">
              <span className="truncate font-medium">{excerpt}</span>
              <span className="text-sm text-muted">
                <RelativeTime at={last_message_at} /> · {message_count} {message_count === 1 ? 'message' : 'messages'}
              </span>
            </span>
          </Link>
        </li>
      ))}
    />
  );
}
