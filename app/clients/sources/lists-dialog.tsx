import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { type CampaignList, campaignListsQuery, type Source, setCampaignListMutation } from './sources.ts';

interface ListsDialogProps {
  clientId: string;
  source: Pick<Source, 'campaign' | 'campaign_id'>;
  onClose: () => void;
}

/**
 * Selects the lists of people that a campaign contacts. A message to anyone else raises an alarm. Choices are saved
 * immediately.
 */
export function ListsDialog({ clientId, source: { campaign, campaign_id }, onClose }: ListsDialogProps) {
  const { data: lists, error, isPending, refetch } = useQuery(campaignListsQuery(clientId, campaign_id));
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Approved lists"
      description={`Recipients of ${campaign} are compared with the last approved version of the lists selected here. A message to anyone else raises an alarm.`}
      footer={<Button onClick={onClose}>Done</Button>}
    >
      {isPending && <Skeleton className="h-24 rounded-md" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {lists?.length === 0 && <p className="text-muted">First ask the client to approve a list, under Approvals.</p>}
      {lists && lists.length > 0 && (
        <ul className="grid grid-cols-1 divide-y divide-line border-t border-line">
          {lists.map((list) => (
            <ListRow key={list.id} clientId={clientId} campaignId={campaign_id} list={list} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function ListRow({ clientId, campaignId, list }: { clientId: string; campaignId: string; list: CampaignList }) {
  const { id, title, number, row_count, is_used } = list;
  const saveChoice = useMutationWithToasts(setCampaignListMutation, { failure: 'Could not save your choice' });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
      <Switch
        className="min-h-11 min-w-0 [overflow-wrap:anywhere]"
        label={title}
        checked={is_used}
        disabled={saveChoice.isPending}
        onChange={({ target }) => saveChoice.mutate({ clientId, campaignId, approvalId: id, isUsed: target.checked })}
      />
      {number === null ? (
        <Badge tone="warning">Not approved yet</Badge>
      ) : (
        <span className="text-sm text-muted">
          {`Version ${number}, ${row_count === 1 ? '1 row' : `${row_count.toLocaleString('en-GB')} rows`}`}
        </span>
      )}
    </li>
  );
}
