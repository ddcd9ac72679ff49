import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import {
  type Campaign,
  CHANNELS,
  campaignSchema,
  isChannel,
  isPhase,
  PHASES,
  saveCampaignMutation,
} from '../data/clients/clients.ts';
import { Field } from '../ui/field.tsx';
import { tellFirstError } from '../ui/first-error.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Input } from '../ui/input.tsx';
import { Select } from '../ui/select.tsx';
import { useMutationWithToasts } from '../ui/use-mutation-with-toasts.ts';

interface CampaignDialogProps {
  clientId: string;
  /** The campaign that is changed; without it one is added. */
  campaign?: Campaign;
  onClose: () => void;
}

/** Asks what a campaign is and what comes next. The typed text stays when saving fails. */
export function CampaignDialog({ clientId, campaign, onClose }: CampaignDialogProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(campaignSchema),
    defaultValues: {
      name: campaign?.name ?? '',
      channel: campaign && isChannel(campaign.channel) ? campaign.channel : 'email',
      phase: campaign && isPhase(campaign.phase) ? campaign.phase : 'planned',
      next_step: campaign?.next_step ?? '',
      due_on: campaign?.due_on ?? '',
    },
  });
  const save = useMutationWithToasts(saveCampaignMutation, {
    success: 'Campaign saved successfully',
    failure: 'Error saving campaign',
  });
  return (
    <FormDialog
      title={campaign ? 'Edit campaign' : 'New campaign'}
      description="The client reads all of it on their dashboard."
      submitLabel="Save"
      savesByKeyboard
      isPending={save.isPending}
      onClose={onClose}
      onSubmit={handleSubmit(
        (values) => save.mutate({ clientId, id: campaign?.id, ...values }, { onSuccess: onClose }),
        tellFirstError,
      )}
    >
      <Field label="Name" required aside="Required" error={formState.errors.name?.message}>
        <Input data-initial-focus {...register('name')} />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Channel">
          <Select {...register('channel')}>
            {Object.entries(CHANNELS).map(([value, word]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Phase">
          <Select {...register('phase')}>
            {Object.entries(PHASES).map(([value, word]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Field label="Next step" error={formState.errors.next_step?.message}>
        <Input {...register('next_step')} />
      </Field>
      <Field label="Due" error={formState.errors.due_on?.message}>
        <Input type="date" {...register('due_on')} />
      </Field>
    </FormDialog>
  );
}
