import { zodResolver } from '@hookform/resolvers/zod';
import { type RefObject, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Input } from '../../../ui/input.tsx';
import { messageOf } from '../../../ui/show-error.ts';
import { useMutationWithToasts } from '../../../ui/use-mutation-with-toasts.ts';
import { enrolApp, type NewApp, verifyAppCode } from '../../factors.ts';
import { CodeStep } from './code-step.tsx';
import { copyText } from './copy-text.ts';
import { nameSchema } from './name-dialog.tsx';
import { QrCode } from './qr-code.tsx';
import { unusedName } from './unused-name.ts';

interface AddAppDialogProps {
  takenNames: string[];
  /** Button that opened the dialog. */
  focusAfter: RefObject<HTMLElement | null>;
  onAdded: () => Promise<void>;
  onClose: () => void;
}

/** Enrols an authenticator app. Asks for a name, then shows the QR code and asks for the first code. */
export function AddAppDialog({ takenNames, focusAfter, onAdded, onClose }: AddAppDialogProps) {
  const [app, setApp] = useState<NewApp | null>(null);
  if (app) return <ScanStep app={app} focusAfter={focusAfter} onAdded={onAdded} onClose={onClose} />;
  return <NameStep suggestion={unusedName('Authenticator app', takenNames)} onNamed={setApp} onClose={onClose} />;
}

interface NameStepProps {
  suggestion: string;
  onNamed: (app: NewApp) => void;
  onClose: () => void;
}

function NameStep({ suggestion, onNamed, onClose }: NameStepProps) {
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(nameSchema),
    defaultValues: { name: suggestion },
  });
  const enrol = useMutationWithToasts({ mutationFn: enrolApp, onSuccess: onNamed }, { failure: () => null });
  const onSubmit = handleSubmit(({ name }) =>
    enrol.mutate(name, {
      onError: (error) => setError('name', { message: messageOf(error) }, { shouldFocus: true }),
    }),
  );
  return (
    <FormDialog
      title="Add an authenticator app"
      description="Use any app that shows six-digit codes, for example on your phone, in your browser or in your password manager."
      submitLabel="Continue"
      isPending={enrol.isPending}
      onClose={onClose}
      onSubmit={onSubmit}
    >
      <Field label="Name" help="Helps you recognise this app in the list." error={formState.errors.name?.message}>
        <Input data-initial-focus autoComplete="off" {...register('name')} />
      </Field>
    </FormDialog>
  );
}

interface ScanStepProps extends Omit<AddAppDialogProps, 'takenNames'> {
  app: NewApp;
}

function ScanStep({ app, focusAfter, onAdded, onClose }: ScanStepProps) {
  return (
    <CodeStep
      title="Scan this QR code with the app"
      description="Then enter the six digits that the app shows."
      submitLabel="Add app"
      success="Authenticator app added"
      rejectionText="This code is wrong. Check the clock of the device and wait for the next code."
      verify={(code) => verifyAppCode({ factorId: app.id, code })}
      onVerified={async () => {
        await onAdded();
        onClose();
      }}
      onClose={onClose}
      focusAfter={focusAfter}
      above={
        <div className="flex flex-wrap items-center gap-5">
          <QrCode text={app.uri} label="QR code for the authenticator app" />
          <div className="grid min-w-0 flex-1 basis-48 gap-2">
            <p className="text-sm text-muted">No camera? Enter this key in the app:</p>
            <p className="font-mono text-sm tracking-wide [overflow-wrap:anywhere]">{formatGroups(app.secret)}</p>
            <Button
              variant="secondary"
              size="sm"
              className="justify-self-start"
              onClick={() => void copyText(app.secret, 'Key copied to clipboard')}
            >
              Copy key
            </Button>
          </div>
        </div>
      }
    />
  );
}

function formatGroups(secret: string): string {
  return secret.replace(/.{4}(?=.)/g, '$& ');
}
