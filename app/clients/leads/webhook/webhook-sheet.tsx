import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { useForm } from 'react-hook-form';
import { DeliveryRow, SigningSecret } from '../../../leads/webhook-components.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Field } from '../../../ui/field.tsx';
import { Input } from '../../../ui/input.tsx';
import { LoadError } from '../../../ui/load-error.tsx';
import { Pagination } from '../../../ui/pagination.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useMutationWithToasts } from '../../../ui/use-mutation-with-toasts.ts';
import type { Client } from '../../clients.ts';
import { leadName } from '../lead-schema.ts';
import {
  type ClientDelivery,
  clientWebhookLogQuery,
  clientWebhookQuery,
  EVENTS,
  renewClientSecretMutation,
  saveClientWebhookMutation,
  testClientWebhookMutation,
  webhookUrlSchema,
} from './client-webhook.ts';

interface WebhookSheetProps {
  client: Pick<Client, 'id' | 'name'>;
  focusAfter: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** Panel for a client's webhook settings and delivery log. */
export function WebhookSheet({ client, focusAfter, onClose }: WebhookSheetProps) {
  const { data: webhook, error, isPending, refetch } = useQuery(clientWebhookQuery(client.id));
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={`Webhook for ${client.name}`}
      focusAfter={focusAfter}
      className="w-full gap-8 p-6 sm:w-lg"
    >
      <header className="grid gap-2 pr-10">
        <h2 className="text-display-3">Webhook</h2>
        <p className="text-muted">
          {`Sends every new or updated lead of ${client.name} to another app, such as a CRM.`}
        </p>
      </header>
      {isPending && <Skeleton className="h-40 rounded-md" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {webhook !== undefined && <UrlForm key={webhook?.url} clientId={client.id} url={webhook?.url ?? ''} />}
      {webhook && <SecretAndTest clientId={client.id} secret={webhook.secret} />}
      {webhook !== undefined && <Log clientId={client.id} hasWebhook={webhook !== null} />}
    </Sheet>
  );
}

function UrlForm({ clientId, url }: { clientId: string; url: string }) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(webhookUrlSchema),
    defaultValues: { url },
  });
  const save = useMutationWithToasts(saveClientWebhookMutation, {
    success: (_result, { url }) => (url === '' ? 'Webhook removed' : 'Webhook saved'),
    failure: 'Could not save the webhook',
  });
  return (
    <form
      noValidate
      className="grid justify-items-start gap-4"
      onSubmit={(event) => void handleSubmit((values) => save.mutate({ clientId, ...values }))(event)}
    >
      <Field
        label="URL"
        className="w-full"
        help="Copy it from the receiving app. To remove the webhook, clear the field and save."
        error={formState.errors.url?.message}
      >
        <Input type="url" inputMode="url" autoComplete="off" placeholder="https://" {...register('url')} />
      </Field>
      <Button type="submit" loading={save.isPending}>
        Save
      </Button>
    </form>
  );
}

function SecretAndTest({ clientId, secret }: { clientId: string; secret: string }) {
  const renew = useMutationWithToasts(renewClientSecretMutation, {
    success: 'The webhook has a new secret',
    failure: 'Could not renew the secret',
  });
  const test = useMutationWithToasts(testClientWebhookMutation, {
    success: ['Test sent', 'The result will appear in the log.'],
    failure: 'Could not send the test',
  });
  return (
    <>
      <section className="grid justify-items-start gap-3">
        <h3 className="font-semibold">Secret</h3>
        <SigningSecret
          secret={secret}
          isRenewing={renew.isPending}
          onRenew={(onSettled) => renew.mutate({ clientId }, { onSettled })}
        />
      </section>
      <div>
        <Button variant="secondary" loading={test.isPending} onClick={() => test.mutate({ clientId })} icon={Send}>
          Send a test
        </Button>
      </div>
    </>
  );
}

function Log({ clientId, hasWebhook }: { clientId: string; hasWebhook: boolean }) {
  const [page, setPage] = useState(1);
  const { data, error, isPending, refetch } = useQuery(clientWebhookLogQuery(clientId, page));
  return (
    <section className="grid grid-cols-1 gap-3">
      <h3 className="font-semibold">Log</h3>
      {isPending && <Skeleton className="h-16 rounded-md" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {data?.items.length === 0 && (
        <p className="text-muted">
          {`Nothing sent yet. ${hasWebhook ? 'Send a test.' : 'Save a URL first.'} Requests and their results appear here for 30 days.`}
        </p>
      )}
      {data && data.items.length > 0 && (
        <Card>
          <ul className="divide-y divide-line">
            {data.items.map((delivery) => (
              <li key={delivery.id}>
                <Delivery delivery={delivery} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Pagination page={page} count={data?.count} onPageChange={setPage} />
    </section>
  );
}

function Delivery({ delivery }: { delivery: ClientDelivery }) {
  const { event, payload, response } = delivery;
  const { lead } = payload;
  return (
    <DeliveryRow delivery={delivery} title={lead ? `${EVENTS[event]}: ${leadName(lead)}` : EVENTS[event]}>
      <details className="w-full text-sm">
        <summary className="w-fit cursor-pointer rounded-sm text-muted hover:text-ink">Payload and response</summary>
        <div className="grid grid-cols-1 gap-2 pt-2">
          <Code label="Payload" text={JSON.stringify(payload, null, 2)} />
          {response !== '' && <Code label="Response" text={response} />}
        </div>
      </details>
    </DeliveryRow>
  );
}

function Code({ label, text }: { label: string; text: string }) {
  return (
    <figure className="grid grid-cols-1 gap-1">
      <figcaption className="text-muted">{label}</figcaption>
      <pre className="rounded-md bg-sunken p-3 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">
        {text}
      </pre>
    </figure>
  );
}
