import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { SecondFactorForm } from '../factors/second-factor-form.tsx';
import { type Account, accountQuery } from '../session.ts';
import { signOut } from '../session-end.ts';
import { AuthLayout } from './auth-layout.tsx';
import { useAfterSignIn } from './use-after-sign-in.ts';

interface SecondFactorStepProps {
  account: Account;
  /** Path to open after verification. */
  back?: string | undefined;
  /** True to stay on the page after verification instead of navigating. */
  staysOnPage?: boolean;
}

/** Asks for the second factor during sign-in. */
export function SecondFactorStep({ account, back, staysOnPage = false }: SecondFactorStepProps) {
  const queryClient = useQueryClient();
  const navigateAfterSignIn = useAfterSignIn(back);
  const onVerified = async () => {
    if (staysOnPage) {
      await queryClient.fetchQuery({ ...accountQuery, staleTime: 0 });
      return;
    }
    toast.success('Welcome back!', 'You have been signed in successfully.');
    await navigateAfterSignIn();
  };
  return (
    <AuthLayout title="One more step" description={`Confirm that you are ${account.email}.`}>
      <SecondFactorForm onVerified={onVerified} />
      <p className="text-muted">
        Not you?{' '}
        <Button variant="link" onClick={() => void signOut(queryClient, account)}>
          Use another account
        </Button>
      </p>
    </AuthLayout>
  );
}
