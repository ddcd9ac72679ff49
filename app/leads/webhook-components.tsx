/** Components of the webhook screens for the signing secret and the log. */
import { type ReactNode, useState } from 'react';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { copyText } from '../ui/lib/copy-text.ts';
import { formatTime } from '../ui/lib/format-time.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { toast } from '../ui/toast.ts';
import type { DeliveryStatus } from './lead-webhook.ts';

interface SigningSecretProps {
  /** Undefined while it is loading. */
  secret: string | undefined;
  isRenewing: boolean;
  /** Creates a new secret, then calls `onSettled`. */
  onRenew: (onSettled: () => void) => void;
}

/** Shows the signing secret, which is hidden at first, and creates a new one. */
export function SigningSecret({ secret, isRenewing, onRenew }: SigningSecretProps) {
  const [isShown, setShown] = useState(false);
  const [isDialogOpen, setDialogOpen] = useState(false);
  const copy = (text: string) =>
    copyText(text).then(
      () => toast.success('Secret copied to clipboard'),
      () => toast.error('Could not copy the secret'),
    );
  return (
    <>
      <p className="text-muted">
        Signs every request as specified by standardwebhooks.com, in the headers webhook-id, webhook-timestamp and
        webhook-signature. Any Standard Webhooks library can verify it.
      </p>
      {secret && (
        <>
          <p className="font-mono text-sm [overflow-wrap:anywhere]">
            {isShown ? secret : `${secret.slice(0, 6)}${'•'.repeat(24)}`}
          </p>
          <div className="flex flex-wrap gap-3">
            <Button size="sm" variant="secondary" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
              {isShown ? 'Hide' : 'Show'}
            </Button>
            <Button size="sm" variant="secondary" onClick={() => void copy(secret)}>
              Copy
            </Button>
            <Button size="sm" variant="secondary" onClick={() => setDialogOpen(true)}>
              Create new secret
            </Button>
          </div>
        </>
      )}
      <ConfirmDialog
        open={isDialogOpen}
        onOpenChange={setDialogOpen}
        title="Create a new secret?"
        description="All further requests are signed with the new secret. Update your program right away."
        confirmLabel="Create new secret"
        loading={isRenewing}
        onConfirm={() => onRenew(() => setDialogOpen(false))}
      />
    </>
  );
}

export const DELIVERY_BADGES: Record<DeliveryStatus, ReactNode> = {
  waiting: <Badge tone="warning">Queued</Badge>,
  delivered: <Badge tone="accent">Delivered</Badge>,
  failed: <Badge tone="danger">Failed</Badge>,
};

interface DeliveryRowProps {
  delivery: {
    status: DeliveryStatus;
    attempts: number;
    last_error: string | null;
    created_at: string;
    next_attempt_at: string;
  };
  title: ReactNode;
  children?: ReactNode;
}

/** Shows a request in the log with its number of attempts and its result. */
export function DeliveryRow({ delivery, title, children }: DeliveryRowProps) {
  const { status, attempts, last_error, created_at, next_attempt_at } = delivery;
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5 px-5 py-3">
      <div className="grid min-w-0 gap-0.5">
        <p>{title}</p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          <RelativeTime at={created_at} />
          <span>{attempts > 1 && `, ${attempts} attempts`}</span>
          <span>{last_error && `. ${last_error}`}</span>
          <span>{status === 'waiting' && attempts > 0 && ` Next attempt ${formatTime(next_attempt_at)}.`}</span>
        </p>
      </div>
      {DELIVERY_BADGES[status]}
      {children}
    </div>
  );
}
