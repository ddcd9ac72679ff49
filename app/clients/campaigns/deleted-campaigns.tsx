import { useQuery } from '@tanstack/react-query';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { CAMPAIGN_RETENTION_DAYS, deletedCampaignsQuery, restoreCampaignMutation } from './campaign-document.ts';

interface DeletedCampaignsProps {
  clientId: string;
  onClose: () => void;
}

/** Lists a client's deleted campaigns, with buttons to restore them. */
export function DeletedCampaigns({ clientId, onClose }: DeletedCampaignsProps) {
  const { data: campaigns, error, isPending, refetch } = useQuery(deletedCampaignsQuery(clientId));
  const restore = useMutationWithToasts(restoreCampaignMutation, {
    success: 'Campaign restored successfully',
    failure: 'Could not restore the campaign',
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Deleted campaigns"
      description={`Deleted campaigns can be restored for ${CAMPAIGN_RETENTION_DAYS} days. Their figures remain in past weeks and reports.`}
      footer={
        <Button variant="secondary" onClick={onClose}>
          Close
        </Button>
      }
    >
      {isPending && <p className="text-muted">Loading campaigns...</p>}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {campaigns?.length === 0 && <p className="text-muted">No deleted campaigns.</p>}
      <ul className="grid grid-cols-1 divide-y divide-line">
        {campaigns?.map((campaign) => (
          <li key={campaign.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
            <div className="grid min-w-0 gap-1">
              <p className="font-medium [overflow-wrap:anywhere]">{campaign.name}</p>
              <p className="text-sm text-muted">Deleted {formatTime(campaign.deleted_at ?? '')}</p>
            </div>
            <Button
              variant="secondary"
              size="sm"
              aria-label={`Restore ${campaign.name}`}
              loading={restore.isPending && restore.variables.id === campaign.id}
              onClick={() => restore.mutate(campaign)}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
