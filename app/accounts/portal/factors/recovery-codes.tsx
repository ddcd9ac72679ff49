import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useMutationWithToasts } from '../../../ui/use-mutation-with-toasts.ts';
import { factorsQuery, makeRecoveryCodes, recoveryCodesQuery } from '../../factors.ts';
import { RowsToCome } from '../rows.tsx';
import { copyText } from './copy-text.ts';

/** The codes for when every other factor is lost: how many are left, and a fresh set. */
export function RecoveryCodes() {
  const queryClient = useQueryClient();
  const query = useQuery(recoveryCodesQuery);
  const { data } = query;
  const [asks, setAsks] = useState(false);
  const [codes, setCodes] = useState<string[] | null>(null);
  const make = useMutationWithToasts(
    {
      mutationFn: makeRecoveryCodes,
      onSuccess: async (made) => {
        setAsks(false);
        setCodes(made);
        await Promise.all([
          queryClient.invalidateQueries({ queryKey: recoveryCodesQuery.queryKey }),
          queryClient.invalidateQueries({ queryKey: factorsQuery.queryKey }),
        ]);
      },
    },
    { failure: 'No recovery codes were made' },
  );

  return (
    <div className="grid gap-3 border-t border-line pt-5">
      <h3 className="font-semibold">Recovery codes</h3>
      <RowsToCome what="The recovery codes" query={query} />
      {data === null && (
        <p className="text-muted">
          Ten codes to write down. Each lets you in once when you have lost your other factors.
        </p>
      )}
      {data && (
        <p className="text-muted">
          {data.remaining === 0
            ? 'All codes are used. Make new ones.'
            : `${data.remaining} of ${data.total} codes are left. Each works once.`}
        </p>
      )}
      {data !== undefined && (
        <Button
          variant="secondary"
          className="justify-self-start"
          loading={make.isPending}
          onClick={() => (data ? setAsks(true) : make.mutate(false))}
        >
          {data ? 'Make new codes' : 'Make recovery codes'}
        </Button>
      )}
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title="Make new recovery codes?"
        description="The codes that you have now stop working."
        confirmLabel="Make new codes"
        loading={make.isPending}
        onConfirm={() => make.mutate(true)}
      />
      {codes && <CodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </div>
  );
}

function CodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const text = codes.map(inGroups).join('\n');
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`Recovery codes for ${window.location.host}\n\n${text}\n`)}`;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Your recovery codes"
      description="They are shown only now. Keep them where nobody else looks, and not on the device of the app."
      footer={<Button onClick={onClose}>I have kept them</Button>}
    >
      <div className="grid gap-5 pt-1">
        <ol className="grid grid-cols-1 gap-x-8 gap-y-2 rounded-md bg-sunken p-5 font-mono text-[0.9375rem] sm:grid-cols-2">
          {codes.map((code) => (
            <li key={code}>{inGroups(code)}</li>
          ))}
        </ol>
        <div className="flex flex-wrap gap-3">
          <Button variant="secondary" size="sm" onClick={() => void copyText(text, 'Codes copied to clipboard')}>
            Copy
          </Button>
          <a href={file} download="recovery-codes.txt" className="self-center text-accent underline underline-offset-4">
            Download as a text file
          </a>
        </div>
      </div>
    </Dialog>
  );
}

function inGroups(code: string): string {
  return code.replace(/.{4}(?=.)/g, '$&-');
}
