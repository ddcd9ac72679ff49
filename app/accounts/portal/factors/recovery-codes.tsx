import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useMutationWithToasts } from '../../../ui/use-mutation-with-toasts.ts';
import { createRecoveryCodes, factorsQuery, recoveryCodesQuery } from '../../factors.ts';
import { RowsPlaceholder } from '../rows.tsx';
import { copyText } from './copy-text.ts';

/** Shows the number of unused recovery codes and a button to create a new set. */
export function RecoveryCodes() {
  const queryClient = useQueryClient();
  const query = useQuery(recoveryCodesQuery);
  const { data } = query;
  const [isConfirming, setIsConfirming] = useState(false);
  const [codes, setCodes] = useState<string[] | null>(null);
  const createCodes = useMutationWithToasts(
    {
      mutationFn: createRecoveryCodes,
      onSuccess: async (newCodes) => {
        setIsConfirming(false);
        setCodes(newCodes);
        await Promise.all([
          queryClient.invalidateQueries({ queryKey: recoveryCodesQuery.queryKey }),
          queryClient.invalidateQueries({ queryKey: factorsQuery.queryKey }),
        ]);
      },
    },
    { failure: 'Could not create recovery codes' },
  );

  return (
    <div className="grid gap-3 border-t border-line pt-5">
      <h3 className="font-semibold">Recovery codes</h3>
      <RowsPlaceholder subject="The recovery codes" query={query} />
      {data === null && (
        <p className="text-muted">
          Ten codes to store safely. Each lets you sign in once if you lose your other factors.
        </p>
      )}
      {data && (
        <p className="text-muted">
          {data.remaining === 0
            ? 'All codes have been used. Create new ones.'
            : `${data.remaining} of ${data.total} codes left. Each works once.`}
        </p>
      )}
      {data !== undefined && (
        <Button
          variant="secondary"
          className="justify-self-start"
          loading={createCodes.isPending}
          onClick={() => (data ? setIsConfirming(true) : createCodes.mutate(false))}
        >
          {data ? 'Create new codes' : 'Create recovery codes'}
        </Button>
      )}
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setIsConfirming}
        title="Create new recovery codes?"
        description="Your current codes stop working."
        confirmLabel="Create new codes"
        loading={createCodes.isPending}
        onConfirm={() => createCodes.mutate(true)}
      />
      {codes && <CodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </div>
  );
}

function CodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const text = codes.map(formatGroups).join('\n');
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`Recovery codes for ${window.location.host}\n\n${text}\n`)}`;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Your recovery codes"
      description="These codes will not be shown again. Store them somewhere safe, but not on the device with the app."
      footer={<Button onClick={onClose}>I have saved them</Button>}
    >
      <div className="grid gap-5 pt-1">
        <ol className="grid grid-cols-1 gap-x-8 gap-y-2 rounded-md bg-sunken p-5 font-mono text-[0.9375rem] sm:grid-cols-2">
          {codes.map((code) => (
            <li key={code}>{formatGroups(code)}</li>
          ))}
        </ol>
        <div className="flex flex-wrap gap-3">
          <Button variant="secondary" size="sm" onClick={() => void copyText(text, 'Codes copied to clipboard')}>
            Copy
          </Button>
          <a href={file} download="recovery-codes.txt" className="self-center text-accent underline underline-offset-4">
            Download as text file
          </a>
        </div>
      </div>
    </Dialog>
  );
}

function formatGroups(code: string): string {
  return code.replace(/.{4}(?=.)/g, '$&-');
}
