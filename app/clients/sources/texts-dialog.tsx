import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { campaignTextsQuery, type Source, setCampaignTextMutation } from './sources.ts';

const STEPS = Array.from({ length: 12 }, (_, index) => String(index + 1));

interface TextsDialogProps {
  clientId: string;
  source: Pick<Source, 'campaign' | 'campaign_id'>;
  onClose: () => void;
}

/**
 * Selects the texts that a campaign sends. A message with any other text raises an alarm. Choices are saved
 * immediately.
 */
export function TextsDialog({ clientId, source: { campaign, campaign_id }, onClose }: TextsDialogProps) {
  const { data: texts, error, isPending, refetch } = useQuery(campaignTextsQuery(clientId, campaign_id));
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Allowed texts"
      description={`Messages of ${campaign} are compared with the last approved version of the texts selected here. A message with any other text raises an alarm.`}
      footer={<Button onClick={onClose}>Done</Button>}
    >
      {isPending && <Skeleton className="h-24 rounded-md" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {texts?.length === 0 && <p className="text-muted">First ask the client to approve a text, under Approvals.</p>}
      {texts && texts.length > 0 && (
        <ul className="grid grid-cols-1 divide-y divide-line border-t border-line">
          {texts.map((text) => (
            <TextRow key={text.id} clientId={clientId} campaignId={campaign_id} text={text} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

interface TextRowProps {
  clientId: string;
  campaignId: string;
  text: { id: string; title: string; is_approved: boolean; is_sent: boolean; step: number | null };
}

function TextRow({ clientId, campaignId, text: { id, title, is_approved, is_sent, step } }: TextRowProps) {
  const saveChoice = useMutationWithToasts(setCampaignTextMutation, { failure: 'Could not save your choice' });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="flex min-w-0 flex-1 basis-48 flex-wrap items-center gap-2">
        <span className="[overflow-wrap:anywhere]">{title}</span>
        {!is_approved && <Badge tone="warning">Not approved yet</Badge>}
      </div>
      <Select
        aria-label={`Step that sends ${title}`}
        className="w-auto"
        value={is_sent ? String(step ?? 'any') : ''}
        disabled={saveChoice.isPending}
        onChange={({ target: { value } }) =>
          saveChoice.mutate({
            clientId,
            campaignId,
            approvalId: id,
            isSent: value !== '',
            step: STEPS.includes(value) ? Number(value) : null,
          })
        }
      >
        <option value="">Not sent</option>
        <option value="any">At any step</option>
        {STEPS.map((number) => (
          <option key={number} value={number}>
            Step {number}
          </option>
        ))}
      </Select>
    </li>
  );
}
