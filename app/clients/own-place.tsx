import { Card } from '../ui/card.tsx';
import { keysOf } from '../ui/lib/keys-of.ts';
import { Switch } from '../ui/switch.tsx';
import { useMutationWithToasts } from '../ui/use-mutation-with-toasts.ts';
import { MAILS, type MailKind, type MemberKind, setMailsMutation } from './client-people.ts';

interface OwnPlaceProps {
  clientId: string;
  kind: MemberKind;
  told_of: readonly MailKind[];
}

/** Says what the person may do for a client, and switches at once which mails they get about it. */
export function OwnPlace({ clientId, kind, told_of }: OwnPlaceProps) {
  const set = useMutationWithToasts(setMailsMutation, {
    success: 'Your mails are changed',
    failure: 'Your mails were not changed',
  });
  const shown = set.isPending ? set.variables.toldOf : told_of;
  return (
    <section aria-label="Your mails">
      <Card className="grid grid-cols-1 gap-4 p-5">
        <h3 className="text-lg font-semibold">Your mails</h3>
        <p className="measure text-muted">
          {kind === 'approver'
            ? 'You decide on texts and answer meetings. We write to you:'
            : 'You read everything here; approvers decide on texts and answer meetings. We write to you:'}
        </p>
        <div className="grid justify-items-start gap-3">
          {keysOf(MAILS)
            .filter((mail) => kind === 'approver' || mail !== 'waiting')
            .map((mail) => (
              <Switch
                key={mail}
                label={MAILS[mail]}
                checked={shown.includes(mail)}
                disabled={set.isPending}
                onChange={({ target }) =>
                  set.mutate({
                    clientId,
                    toldOf: target.checked ? [...told_of, mail] : told_of.filter((other) => other !== mail),
                  })
                }
              />
            ))}
        </div>
      </Card>
    </section>
  );
}
