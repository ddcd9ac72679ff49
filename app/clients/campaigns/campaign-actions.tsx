import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ActionsMenu, DropdownItem } from '../../ui/dropdown-menu.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Campaign } from '../clients.ts';
import { CampaignDialog } from './campaign-dialog.tsx';
import { CAMPAIGN_RETENTION_DAYS, deleteCampaignMutation } from './campaign-document.ts';
import { DeletedCampaigns } from './deleted-campaigns.tsx';

export function AddCampaign({ clientId, clientName }: { clientId: string; clientName: string }) {
  const [dialog, setDialog] = useState<'add' | 'deleted' | null>(null);
  const close = () => setDialog(null);
  return (
    <div className="flex flex-wrap gap-3">
      <Button
        variant="ghost"
        size="sm"
        className="max-sm:-ml-3"
        aria-label={`Deleted campaigns for ${clientName}`}
        onClick={() => setDialog('deleted')}
      >
        Deleted campaigns
      </Button>
      <Button size="sm" aria-label={`Add a campaign for ${clientName}`} onClick={() => setDialog('add')}>
        <Plus aria-hidden="true" />
        Add a campaign
      </Button>
      {dialog === 'add' && <CampaignDialog clientId={clientId} onClose={close} />}
      {dialog === 'deleted' && <DeletedCampaigns clientId={clientId} onClose={close} />}
    </div>
  );
}

export function CampaignActions({ campaign }: { campaign: Campaign }) {
  const trigger = useRef<HTMLButtonElement>(null);
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const remove = useMutationWithToasts(deleteCampaignMutation, {
    success: 'Campaign deleted successfully',
    failure: 'Could not delete the campaign',
  });
  return (
    <>
      <ActionsMenu ref={trigger} aria-label={`Actions for ${campaign.name}`}>
        <DropdownItem onSelect={() => setDialog('edit')}>
          <Pencil aria-hidden="true" />
          Edit
        </DropdownItem>
        <DropdownItem destructive onSelect={() => setDialog('delete')}>
          <Trash2 aria-hidden="true" />
          Delete
        </DropdownItem>
      </ActionsMenu>
      {dialog === 'edit' && (
        <CampaignDialog clientId={campaign.client_id} campaign={campaign} focusAfter={trigger} onClose={close} />
      )}
      <ConfirmDialog
        open={dialog === 'delete'}
        onOpenChange={close}
        title="Delete this campaign?"
        description={`${campaign.name} will also be removed from the client’s portal. It can be restored under Deleted campaigns for ${CAMPAIGN_RETENTION_DAYS} days. Its figures remain in past weeks and reports. To keep the campaign visible, set its phase to Done instead.`}
        confirmLabel="Delete"
        destructive
        focusAfter={trigger}
        loading={remove.isPending}
        onConfirm={() => remove.mutate(campaign, { onSettled: close })}
      />
    </>
  );
}
