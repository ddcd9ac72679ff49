import { createFileRoute, Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { AccountGroup } from '../accounts/portal/account-section.tsx';
import { ConfirmAddress } from '../accounts/portal/confirm-address.tsx';
import { DeleteAccount } from '../accounts/portal/delete-account.tsx';
import { DownloadData } from '../accounts/portal/download-data.tsx';
import { EmailForm } from '../accounts/portal/email-form.tsx';
import { Passkeys } from '../accounts/portal/factors/passkeys.tsx';
import { SecondFactors } from '../accounts/portal/factors/second-factors.tsx';
import { LinkedIdentities } from '../accounts/portal/linked-identities.tsx';
import { NameForm } from '../accounts/portal/name-form.tsx';
import { PasswordForm } from '../accounts/portal/password-form.tsx';
import { Sessions } from '../accounts/portal/sessions.tsx';
import { getStartPage, requireAccount } from '../accounts/session.ts';
import { useSessionSync } from '../accounts/use-session-sync.ts';
import { buttonClass } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { titleHead } from '../ui/lib/seo.ts';
import { DashboardFrame } from './dashboard-frame.tsx';

export const Route = createFileRoute('/_gate/_site/_portal/account')({
  beforeLoad: async (route) => ({ account: await requireAccount(route) }),
  loader: async ({ context }) => {
    // Load the forms on demand, because loaders are in the initial bundle and the account forms import zod.
    const { hasSignedInWithPassword } = await import('../accounts/authentication.ts');
    const { signInMethodsQuery } = await import('../accounts/sign-in-methods.ts');
    const signInMethods = context.queryClient.fetchQuery(signInMethodsQuery);
    return { hasPassword: await hasSignedInWithPassword(), signInMethods: await signInMethods };
  },
  head: ({ matches }) => titleHead(matches, 'Account'),
  component: AccountPage,
});

function AccountPage() {
  const account = useSessionSync(Route.useRouteContext().account);
  const { hasPassword, signInMethods } = Route.useLoaderData();
  return (
    <DashboardFrame
      title="Your account"
      description={account.email ? `You are signed in as ${account.email}.` : 'You are signed in.'}
      back={
        <Link to={getStartPage(account)} className={buttonClass({ variant: 'link' }, 'justify-self-start')}>
          <ArrowLeft aria-hidden="true" />
          Back to the dashboard
        </Link>
      }
    >
      <div className="grid grid-cols-1 gap-6 empty:hidden">
        {account.removedCredentials && (
          <Callout kind="important">
            <p>{account.removedCredentials} Choose a password below.</p>
          </Callout>
        )}
        <ConfirmAddress
          email={account.email}
          reason="Confirm that this email address is yours. Client data is only shown to confirmed addresses."
        />
      </div>
      {/* On wide screens, the second group is to the right of the other groups. */}
      <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-2 lg:grid-rows-[auto_1fr] lg:[&>:nth-child(2)]:col-start-2 lg:[&>:nth-child(2)]:row-span-2">
        <AccountGroup title="Profile">
          <NameForm account={account} />
          <EmailForm account={account} />
        </AccountGroup>
        <AccountGroup title="Sign-in">
          <PasswordForm account={account} requiresCurrent={hasPassword} />
          {signInMethods.linking && <LinkedIdentities methods={signInMethods} />}
          <SecondFactors account={account} offersPhone={signInMethods.phone} />
          <Passkeys />
          <Sessions />
        </AccountGroup>
        <AccountGroup title="Data">
          <DownloadData />
          <DeleteAccount account={account} hasPassword={hasPassword} />
        </AccountGroup>
      </div>
    </DashboardFrame>
  );
}
