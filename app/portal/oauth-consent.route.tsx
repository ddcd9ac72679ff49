import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute, redirect } from '@tanstack/react-router';
import { answerConsentMutation, type ConsentRequest, consentRequestQuery } from '../accounts/oauth-consent.ts';
import { accountQuery } from '../accounts/session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { titleHead } from '../ui/lib/seo.ts';
import { messageOf } from '../ui/show-error.ts';
import { PortalLoading } from './loading.tsx';

/** Scope descriptions. */
const SCOPE_LABELS: Record<string, string> = {
  email: 'your email address',
  profile: 'your name and picture',
  phone: 'your phone number',
};

export const Route = createFileRoute('/_gate/_site/_portal/oauth/consent')({
  validateSearch: ({ authorization_id: id }: Record<string, unknown>): { authorization_id?: string } =>
    id === undefined ? {} : { authorization_id: String(id) },
  beforeLoad: async ({ context, location }) => {
    const account = await context.queryClient.fetchQuery(accountQuery);
    if (!account) throw redirect({ to: '/auth', search: { back: location.href }, replace: true });
    return { account };
  },
  head: ({ matches }) => titleHead(matches, 'Sign in to an application'),
  component: OAuthConsent,
});

function OAuthConsent() {
  const { authorization_id: id = '' } = Route.useSearch();
  const { account } = Route.useRouteContext();
  const { data: request, error } = useQuery(consentRequestQuery(id));
  if (error) {
    return (
      <div className="page-grid grid min-h-[75svh] place-items-center py-16">
        <div role="alert" className="w-full max-w-xl">
          <EmptyState
            title="This request has expired"
            description={`A request expires after ten minutes and can be answered once. Go back to the application and start again. (${messageOf(error)})`}
            action={<ButtonLink to="/">Return to Home</ButtonLink>}
          />
        </div>
      </div>
    );
  }
  if (!request) return <PortalLoading />;
  return (
    <div className="page-grid grid min-h-[75svh] place-items-center py-16">
      <ConsentForm id={id} email={account.email} request={request} />
    </div>
  );
}

function ConsentForm({ id, email, request }: { id: string; email: string; request: ConsentRequest }) {
  const decision = useMutation({ ...answerConsentMutation(id), networkMode: 'always' });
  const name = request.client.name || request.destination;
  // Keep the buttons busy after success, because the browser is about to be redirected.
  const isRedirecting = decision.isPending || decision.isSuccess;
  const readableData = request.scopes.map((scope) => SCOPE_LABELS[scope]).filter(Boolean);
  return (
    <Card className="grid w-full max-w-xl gap-6 p-6 sm:p-10">
      <div className="flex items-center gap-4">
        <Avatar name={name} className="size-12 rounded-md" />
        <p className="min-w-0 font-mono text-label text-muted [overflow-wrap:anywhere]">{request.destination}</p>
      </div>
      <h1 className="text-display-3 [overflow-wrap:anywhere]">Allow {name} to access your account?</h1>
      <div className="grid gap-3 text-muted">
        <p>This application will be able to</p>
        <ul className="grid list-disc gap-1 pl-5">
          {readableData.length > 0 && <li>read {readableData.join(', ')}</li>}
          <li>view and change everything on this site that you can</li>
        </ul>
        <p>It cannot change your password, email address or other sign-in methods.</p>
      </div>
      <dl className="rounded-md bg-sunken px-5 py-4">
        <dt className="font-mono text-label text-muted uppercase">Signed in as</dt>
        <dd className="mt-1 [overflow-wrap:anywhere]">{email}</dd>
      </dl>
      {decision.error && (
        <p role="alert" className="text-danger">
          Could not save your decision: {messageOf(decision.error)}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button loading={isRedirecting && decision.variables === 'approve'} onClick={() => decision.mutate('approve')}>
          Allow access
        </Button>
        <Button
          variant="secondary"
          loading={isRedirecting && decision.variables === 'deny'}
          onClick={() => decision.mutate('deny')}
        >
          Cancel
        </Button>
      </div>
      <p className="text-sm text-muted [overflow-wrap:anywhere]">
        You will be returned to {request.destination}. Only allow access if you started this request yourself.
      </p>
    </Card>
  );
}
