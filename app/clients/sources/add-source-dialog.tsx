import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import { tellFirstError } from '../../ui/first-error.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { keysOf } from '../../ui/lib/keys-of.ts';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Campaign, Client } from '../clients.ts';
import { SourceAddress } from './source-address.tsx';
import { addedSourceSchema, addSourceMutation, EVENT_GROUPS, PROVIDERS, type Provider } from './sources.ts';

/** From where each provider takes the secret that it sends along. */
export const SECRET_HELP: Record<Provider, string> = {
  smartlead: 'The secret key that Smartlead puts into its events. Empty for none.',
  instantly: 'Enter the same at Instantly as the header x-webhook-secret. Empty for none.',
  lemlist: 'The secret that you give the webhook at lemlist. Empty for none.',
  json: 'Send the same as the header x-webhook-secret. Empty for none.',
};

interface AddSourceDialogProps {
  client: Pick<Client, 'id' | 'name'>;
  /** Those that have no source. */
  campaigns: readonly Campaign[];
  onClose: () => void;
}

/** Asks from where a campaign's events come, and then shows the address for them once. */
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
  const add = useMutationWithToasts(addSourceMutation, { failure: 'The source was not added' });
  if (add.data !== undefined) return <SourceAddress token={add.data} onClose={onClose} />;
  return (
    <FormDialog
      title="New source of events"
      description={`What it counts for ${client.name} is no longer imported: an import is then compared with the events.`}
      submitLabel="Make the address"
      isPending={add.isPending}
      onClose={onClose}
      onSubmit={handleSubmit((values) => add.mutate({ clientId: client.id, ...values }), tellFirstError)}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Campaign" required error={formState.errors.campaign?.message}>
          <Select data-initial-focus {...register('campaign')}>
            {campaigns.length > 1 && <option value="">Choose...</option>}
            {campaigns.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Provider">
          <Select {...register('provider')}>
            {Object.entries(PROVIDERS).map(([value, word]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Field
        label="Campaign id at the provider"
        help="Events of other campaigns are then listed and not counted. Empty takes all that come."
        error={formState.errors.external_id?.message}
      >
        <Input autoComplete="off" {...register('external_id')} />
      </Field>
      <Field label="Secret" help={SECRET_HELP[watch('provider')]} error={formState.errors.secret?.message}>
        <Input autoComplete="off" {...register('secret')} />
      </Field>
      <fieldset className="grid gap-3">
        <legend className="mb-2 text-sm font-medium">What its events count</legend>
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
