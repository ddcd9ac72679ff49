import { Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DropdownItem, DropdownMenu } from '../../ui/dropdown-menu.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Campaign } from '../clients.ts';
import { CampaignDialog } from './campaign-dialog.tsx';
import { CAMPAIGN_RETENTION_DAYS, deleteCampaignMutation } from './campaign-document.ts';
import { DeletedCampaigns } from './deleted-campaigns.tsx';

export function AddCampaign({ clientId, clientName }: { clientId: string; clientName: string }) {
  const [open, setOpen] = useState<'add' | 'deleted' | null>(null);
  const close = () => setOpen(null);
  return (
    <div className="flex flex-wrap gap-3">
      <Button
        variant="ghost"
        size="sm"
        aria-label={`Deleted campaigns of ${clientName}`}
        onClick={() => setOpen('deleted')}
      >
        Deleted campaigns
      </Button>
      <Button size="sm" aria-label={`Add a campaign for ${clientName}`} onClick={() => setOpen('add')}>
        <Plus aria-hidden="true" />
        Add a campaign
      </Button>
      {open === 'add' && <CampaignDialog clientId={clientId} onClose={close} />}
      {open === 'deleted' && <DeletedCampaigns clientId={clientId} onClose={close} />}
    </div>
  );
}

/** Menu of a campaign. */
export function CampaignActions({ campaign }: { campaign: Campaign }) {
  const trigger = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const remove = useMutationWithToasts(deleteCampaignMutation, {
    success: 'Campaign deleted successfully',
    failure: 'Could not delete the campaign',
  });
  return (
    <>
      <DropdownMenu
        trigger={
          <Button ref={trigger} variant="ghost" size="icon" aria-label={`Actions for ${campaign.name}`}>
            <Ellipsis aria-hidden="true" />
          </Button>
        }
      >
        <DropdownItem onSelect={() => setOpen('edit')}>
          <Pencil aria-hidden="true" />
          Edit
        </DropdownItem>
        <DropdownItem destructive onSelect={() => setOpen('delete')}>
          <Trash2 aria-hidden="true" />
          Delete
        </DropdownItem>
      </DropdownMenu>
      {open === 'edit' && (
        <CampaignDialog clientId={campaign.client_id} campaign={campaign} focusAfter={trigger} onClose={close} />
      )}
      <ConfirmDialog
        open={open === 'delete'}
        onOpenChange={close}
        title="Delete this campaign?"
        description={`${campaign.name} is also removed from the client’s portal, and can be restored under Deleted campaigns for ${CAMPAIGN_RETENTION_DAYS} days. Its figures remain in past weeks and reports. To keep the campaign visible, set its phase to Done instead.`}
        confirmLabel="Delete"
        destructive
        focusAfter={trigger}
        loading={remove.isPending}
        onConfirm={() => remove.mutate(campaign, { onSettled: close })}
      />
    </>
  );
}
