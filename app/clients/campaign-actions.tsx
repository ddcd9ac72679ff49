import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type Campaign, deleteCampaignMutation } from '../data/clients/clients.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useMutationWithToasts } from '../ui/use-mutation-with-toasts.ts';
import { CampaignDialog } from './campaign-dialog.tsx';

export function AddCampaign({ clientId, clientName }: { clientId: string; clientName: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Add a campaign for ${clientName}`}
        onClick={() => setOpen(true)}
      >
        <Plus aria-hidden="true" />
        Add a campaign
      </Button>
      {isOpen && <CampaignDialog clientId={clientId} onClose={() => setOpen(false)} />}
    </>
  );
}

export function CampaignActions({ campaign }: { campaign: Campaign }) {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const remove = useMutationWithToasts(deleteCampaignMutation, {
    success: 'Campaign deleted successfully',
    failure: 'Error deleting campaign',
  });
  return (
    <div className="flex flex-wrap gap-3">
      <Button variant="secondary" size="sm" aria-label={`Edit ${campaign.name}`} onClick={() => setOpen('edit')}>
        Edit
      </Button>
      <Button variant="ghost" size="sm" aria-label={`Delete ${campaign.name}`} onClick={() => setOpen('delete')}>
        Delete
      </Button>
      {open === 'edit' && <CampaignDialog clientId={campaign.client_id} campaign={campaign} onClose={close} />}
      <ConfirmDialog
        open={open === 'delete'}
        onOpenChange={close}
        title="Delete this campaign?"
        description={`${campaign.name} goes for good, also from the client’s dashboard. To keep it there, set its phase to Done instead.`}
        confirmLabel="Delete"
        destructive
        loading={remove.isPending}
        onConfirm={() => remove.mutate(campaign, { onSettled: close })}
      />
    </div>
  );
}
