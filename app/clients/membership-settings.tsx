import { Card } from '../ui/card.tsx';
import { keysOf } from '../ui/lib/keys-of.ts';
import { Switch } from '../ui/switch.tsx';
import { useMutationWithToasts } from '../ui/use-mutation-with-toasts.ts';
import { type MemberKind, NOTIFICATIONS, type NotificationKind, setNotificationsMutation } from './client-people.ts';

interface MembershipSettingsProps {
  clientId: string;
  kind: MemberKind;
  notifications: readonly NotificationKind[];
}

/** Describes the user's role at a client. Shows switches for email notifications, which are saved immediately. */
export function MembershipSettings({ clientId, kind, notifications }: MembershipSettingsProps) {
  const saveNotifications = useMutationWithToasts(setNotificationsMutation, {
    success: 'Email settings saved',
    failure: 'Could not save your email settings',
  });
  const enabled = saveNotifications.isPending ? saveNotifications.variables.mails : notifications;
  return (
    <section aria-label="Email notifications">
      <Card className="grid max-w-160 grid-cols-1 gap-4 p-5">
        <h3 className="text-lg font-semibold">Email notifications</h3>
        <p className="measure text-muted">
          {kind === 'approver'
            ? 'You can approve or decline requests, change leads, accept or dispute meetings, and report their results. We email you:'
            : 'You can read everything here. Only approvers can approve or decline requests, change leads, accept or dispute meetings, and report their results. We email you:'}
        </p>
        <div className="grid justify-items-start gap-3">
          {keysOf(NOTIFICATIONS)
            .filter((mail) => kind === 'approver' || mail !== 'waiting')
            .map((mail) => (
              <Switch
                key={mail}
                label={NOTIFICATIONS[mail]}
                checked={enabled.includes(mail)}
                disabled={saveNotifications.isPending}
                onChange={({ target }) =>
                  saveNotifications.mutate({
                    clientId,
                    mails: target.checked ? [...notifications, mail] : notifications.filter((other) => other !== mail),
                  })
                }
              />
            ))}
        </div>
      </Card>
    </section>
  );
}
