import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { keysOf } from '../../ui/lib/keys-of.ts';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Campaign, Client } from '../clients.ts';
import { SourceUrl } from './source-url.tsx';
import { addedSourceSchema, addSourceMutation, EVENT_GROUPS, PROVIDERS, type Provider } from './sources.ts';

/** Explains where to find or enter the secret at each provider. */
export const SECRET_HELP: Record<Provider, string> = {
  smartlead: 'The secret key that Smartlead includes in its events. Leave it empty if Smartlead shows no key.',
  instantly: 'Enter the same value at Instantly as the header x-webhook-secret. Leave empty for no secret.',
  lemlist: 'The secret of the webhook at lemlist. Leave empty for no secret.',
  json: 'Send the same value as the header x-webhook-secret. Leave empty for no secret.',
};

interface AddSourceDialogProps {
  client: Pick<Client, 'id' | 'name'>;
  /** Campaigns without a source. */
  campaigns: readonly Campaign[];
  onClose: () => void;
}

/** Creates a source and shows its webhook URL once. */
export function AddSourceDialog({ client, campaigns, onClose }: AddSourceDialogProps) {
  const { register, handleSubmit, formState, watch } = useForm({
    resolver: zodResolver(addedSourceSchema),
    defaultValues: {
      campaign: campaigns.length === 1 ? (campaigns[0]?.id ?? '') : '',
      provider: 'smartlead' as const,
      external_id: '',
      secret: '',
      messages: true,
      replies: true,
      meetings: false,
    },
  });
  const add = useMutationWithToasts(addSourceMutation, { failure: 'Could not add the source' });
  if (add.data !== undefined) return <SourceUrl token={add.data} onClose={onClose} />;
  return (
    <FormDialog
      title="New event source"
      description={`The selected metrics will no longer be imported for ${client.name}. Imports will be compared with the events instead.`}
      submitLabel="Create source"
      isPending={add.isPending}
      onClose={onClose}
      onSubmit={handleSubmit((values) => add.mutate({ clientId: client.id, ...values }), showFirstError)}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Campaign" required error={formState.errors.campaign?.message}>
          <Select data-initial-focus {...register('campaign')}>
            {campaigns.length > 1 && <option value="">Choose a campaign</option>}
            {campaigns.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Provider">
          <Select {...register('provider')}>
            {Object.entries(PROVIDERS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Field
        label="Campaign ID at the provider"
        help="Events of other campaigns are listed but not counted. Leave empty to count all events."
        error={formState.errors.external_id?.message}
      >
        <Input autoComplete="off" {...register('external_id')} />
      </Field>
      <Field label="Secret" help={SECRET_HELP[watch('provider')]} error={formState.errors.secret?.message}>
        <Input autoComplete="off" {...register('secret')} />
      </Field>
      <fieldset className="grid gap-3">
        <legend className="mb-2 text-sm font-medium">Metrics to count</legend>
        {keysOf(EVENT_GROUPS).map((name) => (
          <Switch key={name} label={EVENT_GROUPS[name]} {...register(name)} />
        ))}
        {formState.errors.messages && (
          <p role="alert" className="text-sm text-danger">
            {formState.errors.messages.message}
          </p>
        )}
      </fieldset>
    </FormDialog>
  );
}
