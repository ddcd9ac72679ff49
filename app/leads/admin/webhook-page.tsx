import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Send, Webhook } from 'lucide-react';
import type { ReactNode } from 'react';
import { allSettingsQuery } from '../../settings/setting-document.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FORM_WIDTH_CLASS } from '../../ui/form/form-columns.tsx';
import { BackLink } from '../../ui/list/back-link.tsx';
import { LoadingCards } from '../../ui/list/loading-cards.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { Step } from '../../ui/steps.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import {
  renewWebhookSecretMutation,
  testWebhookMutation,
  type WebhookDelivery,
  webhookLogQuery,
  webhookSecretQuery,
} from '../lead-webhook.ts';
import { DELIVERY_BADGES, DeliveryRow, SigningSecret } from '../webhook-components.tsx';

/** Renders the setup steps and the log of the webhook for new leads. */
export function WebhookPage({ page }: { page: number }) {
  const { data: settings, error, refetch } = useQuery(allSettingsQuery);
  const { data: log } = useQuery(webhookLogQuery(1));
  const url = settings?.get('lead_webhook_url')?.content.trim() ?? '';
  const lastDelivery = log?.items[0];
  const isDelivered = lastDelivery?.status === 'delivered';
  return (
    <div className={clsx('@container grid grid-cols-1 gap-6', FORM_WIDTH_CLASS)}>
      <BackLink to="/admin/leads">Leads</BackLink>
      <ScreenHeader
        title="Webhook"
        description="Sends each new lead to another program, such as a CRM, a chat or a spreadsheet."
        badge={settings && <Badge tone={url ? 'accent' : 'neutral'}>{url ? 'On' : 'Off'}</Badge>}
      />
      <div className="grid grid-cols-1 items-start gap-6 @4xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Card className="p-5">
          <ol className="grid">
            <Step number={1} isDone={url !== ''} isCurrent={settings !== undefined && url === ''}>
              <StepBody title="URL">
                {error && <LoadError error={error} onRetry={() => void refetch()} />}
                {settings && (
                  <p className={url ? 'font-mono text-sm [overflow-wrap:anywhere]' : 'text-muted'}>
                    {url || 'No webhook is set up, so new leads are not sent anywhere.'}
                  </p>
                )}
                <ButtonLink to="/admin/settings" hash="lead_webhook_url" variant={url ? 'link' : 'primary'}>
                  {url ? 'Change it in the settings' : 'Set the URL'}
                </ButtonLink>
              </StepBody>
            </Step>
            <Step number={2}>
              <Secret />
            </Step>
            <Step number={3} isDone={isDelivered} isCurrent={url !== '' && log !== undefined && !isDelivered}>
              <LastDelivery delivery={lastDelivery} hasUrl={url !== ''} />
            </Step>
          </ol>
        </Card>
        <Log page={page} hasUrl={url !== ''} />
      </div>
    </div>
  );
}

function StepBody({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 justify-items-start gap-3 pb-3">
      <h2 className="text-lg leading-7 font-semibold">{title}</h2>
      {children}
    </section>
  );
}

/** Shows the latest request, which may be a test, and the test button. */
function LastDelivery({ delivery, hasUrl }: { delivery: WebhookDelivery | undefined; hasUrl: boolean }) {
  const test = useMutationWithToasts(testWebhookMutation, {
    success: ['Test sent', 'The result will appear in the log.'],
    failure: 'Could not send the test',
  });
  return (
    <StepBody title="Delivery">
      {delivery ? (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
          {DELIVERY_BADGES[delivery.status]}
          <span>
            Last request: <RelativeTime at={delivery.created_at} />
          </span>
        </p>
      ) : (
        <p className="text-muted">A test shows whether your program accepts the requests.</p>
      )}
      {hasUrl && (
        <Button
          variant={delivery?.status === 'delivered' ? 'secondary' : 'primary'}
          loading={test.isPending}
          onClick={() => test.mutate()}
          icon={Send}
        >
          Send a test
        </Button>
      )}
    </StepBody>
  );
}

function Secret() {
  const { data: secret, error, refetch } = useQuery(webhookSecretQuery);
  const renew = useMutationWithToasts(renewWebhookSecretMutation, {
    success: 'The webhook has a new secret',
    failure: 'Could not renew the secret',
  });
  return (
    <StepBody title="Secret">
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      <SigningSecret
        secret={secret}
        isRenewing={renew.isPending}
        onRenew={(onSettled) => renew.mutate(undefined, { onSettled })}
      />
    </StepBody>
  );
}

function Log({ page, hasUrl }: { page: number; hasUrl: boolean }) {
  const list = useQuery(webhookLogQuery(page));
  const { items = [], count } = list.data ?? {};
  return (
    <section className="grid grid-cols-1 gap-3">
      <h2 className="font-semibold">Log</h2>
      {list.isPending && <LoadingCards text="Loading log..." height="h-16" />}
      {list.error && <LoadError error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && items.length === 0 && (
        <EmptyState
          icon={Webhook}
          title="Nothing sent yet"
          description={`${hasUrl ? 'Send a test.' : 'Set the URL first.'} Requests and their results appear here for 30 days.`}
        />
      )}
      {items.length > 0 && (
        <Card>
          <ul className="divide-y divide-line">
            {items.map((delivery) => (
              <li key={delivery.id}>
                <Delivery delivery={delivery} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Pagination page={page} count={count} />
    </section>
  );
}

function Delivery({ delivery }: { delivery: WebhookDelivery }) {
  const { lead_id } = delivery;
  return (
    <DeliveryRow
      delivery={delivery}
      title={
        lead_id ? (
          <Link
            to="/admin/leads/$id"
            params={{ id: lead_id }}
            className="rounded-sm decoration-line-strong underline-offset-4 hover:underline"
          >
            New lead
          </Link>
        ) : (
          'Test'
        )
      }
    />
  );
}
