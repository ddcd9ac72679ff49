import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { supportsWebAuthn } from '../../../ui/lib/webauthn-support.ts';
import { useMutationWithToasts } from '../../../ui/use-mutation-with-toasts.ts';
import { enrolKey, type Factor, factorsQuery, removeFactor } from '../../factors.ts';
import { type Account, accountQuery } from '../../session.ts';
import { AccountSection } from '../account-section.tsx';
import { ROWS_CLASS, Row, RowButton, RowsPlaceholder } from '../rows.tsx';
import { AddAppDialog } from './add-app-dialog.tsx';
import { AddPhoneDialog } from './add-phone-dialog.tsx';
import { NameDialog } from './name-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });

const TYPE_LABELS: Record<Factor['type'], string> = {
  totp: 'Authenticator app',
  webauthn: 'Security key',
  phone: 'Phone',
};

interface SecondFactorsProps {
  account: Account;
  /** True if text messages are enabled. */
  offersPhone: boolean;
}

/** Lets the user add and remove second factors and create recovery codes. */
export function SecondFactors({ account, offersPhone }: SecondFactorsProps) {
  const queryClient = useQueryClient();
  const query = useQuery(factorsQuery);
  const { data } = query;
  const [factorToRemove, setFactorToRemove] = useState<(Factor & { isLast: boolean }) | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const refresh = async () => {
    await queryClient.invalidateQueries({ queryKey: ['account'] });
    await queryClient.fetchQuery({ ...accountQuery, staleTime: 0 });
  };
  const remove = useMutationWithToasts(
    { mutationFn: removeFactor, onSettled: refresh },
    { success: 'Second factor removed', failure: 'Could not remove the second factor' },
  );

  return (
    <AccountSection
      title="Second factor"
      description="Required in addition to your password, so that the password alone is not enough to sign in."
    >
      {account.factorDue === 'enrol' && (
        <p role="status" className="rounded-md bg-warning-soft px-4 py-3 text-[0.9375rem]">
          <strong className="font-semibold">This site requires a second factor for admins.</strong> Add one to access
          the admin area.
        </p>
      )}
      <RowsPlaceholder subject="The second factors" query={query} />
      {data && data.factors.length > 0 && (
        <ul className={ROWS_CLASS}>
          {data.factors.map((factor) => (
            <Row
              key={factor.id}
              title={factor.name}
              detail={`${TYPE_LABELS[factor.type]}, added ${date.format(new Date(factor.createdAt))}`}
            >
              <RowButton
                action="Remove"
                name={factor.name}
                onClick={() => setFactorToRemove({ ...factor, isLast: data.factors.length === 1 })}
              />
            </Row>
          ))}
        </ul>
      )}
      {data && <AddFactor factors={data.factors} offersPhone={offersPhone} addButton={addButton} onAdded={refresh} />}
      {data && data.factors.length > 0 && <RecoveryCodes />}
      <ConfirmDialog
        open={factorToRemove !== null}
        onOpenChange={(open) => !open && setFactorToRemove(null)}
        focusAfter={addButton}
        title="Remove this second factor?"
        description={
          factorToRemove?.isLast
            ? `"${factorToRemove.name}" is your only second factor. Your recovery codes are removed with it, and your password alone will be enough to sign in.`
            : `"${factorToRemove?.name}" is no longer required when you sign in.`
        }
        confirmLabel="Remove"
        destructive
        loading={remove.isPending}
        // Close the dialog only after the refetch, so that rows do not move under the pointer.
        onConfirm={() => factorToRemove && remove.mutate(factorToRemove, { onSuccess: () => setFactorToRemove(null) })}
      />
    </AccountSection>
  );
}

interface AddFactorProps extends Pick<SecondFactorsProps, 'offersPhone'> {
  factors: readonly Factor[];
  /** First button of the group. */
  addButton: RefObject<HTMLButtonElement | null>;
  onAdded: () => Promise<void>;
}

function AddFactor({ factors, offersPhone, addButton, onAdded }: AddFactorProps) {
  const [adding, setAdding] = useState<'app' | 'key' | 'phone' | null>(null);
  const addPhoneButton = useRef<HTMLButtonElement>(null);
  const dialog = { takenNames: factors.map(({ name }) => name), onAdded, onClose: () => setAdding(null) };
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <Button ref={addButton} variant="secondary" onClick={() => setAdding('app')}>
          Add an authenticator app
        </Button>
        {supportsWebAuthn() && (
          <Button variant="secondary" onClick={() => setAdding('key')}>
            Add a security key
          </Button>
        )}
        {offersPhone && (
          <Button ref={addPhoneButton} variant="secondary" onClick={() => setAdding('phone')}>
            Add a phone
          </Button>
        )}
      </div>
      {adding === 'app' && <AddAppDialog {...dialog} focusAfter={addButton} />}
      {adding === 'phone' && <AddPhoneDialog {...dialog} focusAfter={addPhoneButton} />}
      {adding === 'key' && (
        <NameDialog
          title="Add a security key"
          description="Enter a name, then follow your browser. It asks you to touch the key."
          suggestion="Security key"
          submitLabel="Continue"
          success="Security key added"
          failure="Could not add the security key"
          save={enrolKey}
          onSaved={onAdded}
          onClose={dialog.onClose}
        />
      )}
    </>
  );
}
