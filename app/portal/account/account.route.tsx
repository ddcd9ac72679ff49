import { createFileRoute } from '@tanstack/react-router';
import { homeOf, requireAccount } from '../../data/accounts/session.ts';
import { useFollowSession } from '../../data/accounts/use-follow-session.ts';
import { titleHead } from '../../lib/seo.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { ConfirmAddress } from '../confirm-address.tsx';
import { DashboardFrame } from '../dashboard-frame.tsx';
import { SignOutButton } from '../sign-out-button.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { DownloadData } from './download-data.tsx';
import { EmailForm } from './email-form.tsx';
import { Passkeys } from './factors/passkeys.tsx';
import { SecondFactors } from './factors/second-factors.tsx';
import { LinkedIdentities } from './linked-identities.tsx';
import { NameForm } from './name-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { Sessions } from './sessions.tsx';

export const Route = createFileRoute('/_gate/_site/_portal/account')({
  beforeLoad: async (route) => ({ account: await requireAccount(route) }),
  loader: async ({ context }) => {
    // On demand: loaders are a part of the first page's JavaScript, and the forms of accounts bring zod.
    const { hasSignedInWithPassword } = await import('../../data/accounts/authentication.ts');
    const { waysQuery } = await import('../../data/accounts/ways-to-sign-in.ts');
    const ways = context.queryClient.fetchQuery(waysQuery);
    return { asksPassword: await hasSignedInWithPassword(), ways: await ways };
  },
  head: ({ matches }) => titleHead(matches, 'Account'),
  component: AccountPage,
});

function AccountPage() {
  const account = useFollowSession(Route.useRouteContext().account);
  const { asksPassword, ways } = Route.useLoaderData();
  return (
    <DashboardFrame
      eyebrow="Account"
      title="Your account"
      description={account.email ? `You are signed in as ${account.email}.` : 'You are signed in.'}
      actions={
        <>
          <ButtonLink to={homeOf(account)} variant="ghost" className="max-sm:-ml-5">
            Back to the dashboard
          </ButtonLink>
          <SignOutButton account={account} />
        </>
      }
    >
      <div className="grid grid-cols-1 gap-6">
        {account.setupDropped && (
          <Callout kind="important">
            <p>{account.setupDropped} Choose a password below.</p>
          </Callout>
        )}
        <ConfirmAddress
          email={account.email}
          reason="Confirm that this email address is yours. Client data is only shown to confirmed addresses."
        />
        <NameForm account={account} />
        <EmailForm account={account} />
        <PasswordForm account={account} asksCurrent={asksPassword} />
        {ways.linking && <LinkedIdentities ways={ways} />}
        <SecondFactors account={account} offersPhone={ways.phone} />
        <Passkeys />
        <Sessions />
        <DownloadData />
        <DeleteAccount account={account} hasPassword={asksPassword} />
      </div>
    </DashboardFrame>
  );
}
