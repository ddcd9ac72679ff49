import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { supportsWebAuthn } from '../../ui/lib/webauthn-support.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import {
  type Factor,
  factorsQuery,
  isKeyCancelled,
  isWrongCode,
  refreshUser,
  sendPhoneCode,
  verifyAppCode,
  verifyPhoneCode,
  verifyRecoveryCode,
  verifySecurityKey,
} from '../factors.ts';
import { CodeForm } from './code-form.tsx';

interface SecondFactorFormProps {
  /** Called after verification, or if the user has no factors. */
  onVerified: () => Promise<void> | void;
}

/** Asks for a code from an app or a text message, for a security key, or for a recovery code. */
export function SecondFactorForm({ onVerified }: SecondFactorFormProps) {
  const { data, error, refetch } = useQuery({ ...factorsQuery, staleTime: 0, gcTime: 0 });
  const [usesRecoveryCode, setUsesRecoveryCode] = useState(false);
  const hasNoFactor = data?.factors.length === 0;
  const finish = useEffectEvent(async () => {
    await refreshUser();
    await onVerified();
  });
  useEffect(() => {
    if (hasNoFactor) void finish();
  }, [hasNoFactor]);

  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data || hasNoFactor) {
    return (
      <div aria-busy="true" className="grid gap-5">
        <p className="sr-only">Loading...</p>
        <Skeleton className="h-17" />
        <Skeleton className="h-11" />
      </div>
    );
  }
  if (usesRecoveryCode) {
    return (
      <div className="grid gap-5">
        <CodeForm
          label="Recovery code"
          help="Enter one of the codes you saved. Each code works once."
          rejectionText="This code is wrong or has already been used."
          verify={verifyRecoveryCode}
          onVerified={onVerified}
        />
        <Button variant="ghost" onClick={() => setUsesRecoveryCode(false)}>
          Back
        </Button>
      </div>
    );
  }
  return (
    <div className="grid gap-5">
      <Apps apps={data.factors.filter(({ type }) => type === 'totp')} onVerified={onVerified} />
      {data.factors.map(
        (factor) => factor.type === 'phone' && <Phone key={factor.id} phone={factor} onVerified={onVerified} />,
      )}
      <Keys keys={data.factors.filter(({ type }) => type === 'webauthn')} onVerified={onVerified} />
      {data.hasRecoveryCodes && (
        <Button variant="ghost" onClick={() => setUsesRecoveryCode(true)}>
          Use a recovery code
        </Button>
      )}
    </div>
  );
}

function Apps({ apps, onVerified }: SecondFactorFormProps & { apps: Factor[] }) {
  const [appId, setAppId] = useState(apps[0]?.id ?? '');
  if (apps.length === 0) return null;
  return (
    <>
      {apps.length > 1 && (
        <Field label="Authenticator app">
          <Select value={appId} onChange={(event) => setAppId(event.target.value)}>
            {apps.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <CodeForm
        label="Code"
        help={
          apps.length === 1
            ? `Enter the six digits shown by ${apps[0]?.name}.`
            : 'Enter the six digits shown in the app.'
        }
        isNumeric
        rejectionText="This code is wrong or has already been used. Wait for the next code."
        verify={(code) => verifyAppCode({ factorId: appId, code })}
        onVerified={onVerified}
      />
    </>
  );
}

function Phone({ phone, onVerified }: SecondFactorFormProps & { phone: Factor }) {
  // Kept in state because a mutation resets its data when it starts again. The last code is valid until another code
  // is sent.
  const [challengeId, setChallengeId] = useState<string | null>(null);
  const sendCode = useMutationWithToasts(
    { mutationFn: sendPhoneCode, onSuccess: setChallengeId },
    { failure: 'Could not send the code' },
  );
  return (
    <>
      <Button variant="secondary" loading={sendCode.isPending} onClick={() => sendCode.mutate(phone.id)}>
        <span className="truncate">
          {challengeId ? 'Send another code to' : 'Send a code to'} {phone.name}
        </span>
      </Button>
      {challengeId && (
        <CodeForm
          label="Code from the text message"
          help="Enter the six digits we sent you. They are valid for five minutes."
          isNumeric
          rejectionText="This is not the latest code we sent."
          verify={(code) => verifyPhoneCode({ factorId: phone.id, challengeId, code })}
          onVerified={onVerified}
        />
      )}
    </>
  );
}

function Keys({ keys, onVerified }: SecondFactorFormProps & { keys: Factor[] }) {
  const verifyKey = useMutationWithToasts(
    { mutationFn: verifySecurityKey, onSuccess: () => onVerified() },
    {
      failure: (error) =>
        isKeyCancelled(error)
          ? 'No security key was used'
          : isWrongCode(error)
            ? 'This security key is not registered here'
            : 'The security key did not work',
    },
  );
  if (keys.length === 0) return null;
  if (!supportsWebAuthn()) {
    return (
      <p className="text-muted">
        Security keys work only at this site’s main address, and in browsers that support them.
      </p>
    );
  }
  return keys.map(({ id, name }) => (
    <Button
      key={id}
      variant="secondary"
      loading={verifyKey.isPending && verifyKey.variables === id}
      onClick={() => verifyKey.mutate(id)}
    >
      <KeyRound aria-hidden="true" />
      <span className="truncate">Use {name}</span>
    </Button>
  ));
}
