import { useNavigate } from '@tanstack/react-router';
import { CalendarClock, Eye, Pencil, Rocket, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import {
  changeReleaseMutation,
  deleteReleaseMutation,
  publishReleaseMutation,
  type Release,
  undoReleaseMutation,
} from '../../editing/releases/releases.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { NameDialog } from './name-dialog.tsx';
import { PlanDialog } from './plan-dialog.tsx';

interface OpenReleaseActionsProps {
  release: Release;
  /** True if the release has changes and no problems. */
  canPublish: boolean;
}

export function OpenReleaseActions({ release, canPublish }: OpenReleaseActionsProps) {
  return (
    <div className="flex flex-wrap gap-2">
      <PublishAction release={release} canPublish={canPublish} />
      <PlanActions release={release} canPublish={canPublish} />
      <ButtonLink to="/admin/previews" variant="secondary">
        <Eye aria-hidden="true" />
        Preview…
      </ButtonLink>
      <RenameAction release={release} />
      <DeleteAction release={release} />
    </div>
  );
}

export function PublishedReleaseActions({ release }: { release: Release }) {
  return (
    <div className="flex flex-wrap gap-2">
      <UndoAction release={release} />
      <DeleteAction release={release} />
    </div>
  );
}

function PublishAction({ release: { id, name }, canPublish }: OpenReleaseActionsProps) {
  const [isConfirming, setConfirming] = useState(false);
  const publish = useMutationWithToasts(publishReleaseMutation, {
    success: 'Release published',
    failure: 'The release was not published',
  });
  return (
    <>
      <Button disabled={!canPublish} onClick={() => setConfirming(true)}>
        <Rocket aria-hidden="true" />
        Publish now
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Publish this release?"
        description={`All changes in “${name}” are published immediately.`}
        confirmLabel="Publish"
        loading={publish.isPending}
        onConfirm={() => publish.mutate(id, { onSettled: () => setConfirming(false) })}
      />
    </>
  );
}

function PlanActions({ release: { id, publish_at }, canPublish }: OpenReleaseActionsProps) {
  const [isOpen, setOpen] = useState(false);
  const change = useMutationWithToasts(changeReleaseMutation, {
    success: (_nothing, { publish_at: time }) =>
      time ? ['Release planned', `It will be published on ${formatTime(time)}.`] : 'Plan removed',
    failure: 'Could not plan the release',
  });
  return (
    <>
      <Button variant="secondary" disabled={!canPublish} onClick={() => setOpen(true)}>
        <CalendarClock aria-hidden="true" />
        {publish_at ? 'Change the time…' : 'Plan…'}
      </Button>
      {publish_at && (
        <Button variant="secondary" loading={change.isPending} onClick={() => change.mutate({ id, publish_at: null })}>
          Remove plan
        </Button>
      )}
      {isOpen && (
        <PlanDialog
          publishAt={publish_at}
          isSaving={change.isPending}
          onClose={() => setOpen(false)}
          onSave={(time) => change.mutate({ id, publish_at: time }, { onSuccess: () => setOpen(false) })}
        />
      )}
    </>
  );
}

function RenameAction({ release: { id, name } }: { release: Release }) {
  const [isOpen, setOpen] = useState(false);
  const change = useMutationWithToasts(changeReleaseMutation, {
    success: 'Release renamed',
    failure: 'Could not rename the release',
  });
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        <Pencil aria-hidden="true" />
        Rename…
      </Button>
      {isOpen && (
        <NameDialog
          title="Rename the release"
          name={name}
          saveLabel="Rename"
          isSaving={change.isPending}
          onClose={() => setOpen(false)}
          onSave={(next) => change.mutate({ id, name: next }, { onSuccess: () => setOpen(false) })}
        />
      )}
    </>
  );
}

function DeleteAction({ release: { id, name, published_at } }: { release: Release }) {
  const navigate = useNavigate();
  const [isConfirming, setConfirming] = useState(false);
  const remove = useMutationWithToasts(deleteReleaseMutation, {
    success: 'Release deleted',
    failure: 'Could not delete the release',
  });
  return (
    <>
      <Button variant="danger-outline" onClick={() => setConfirming(true)}>
        <Trash2 aria-hidden="true" />
        {published_at ? 'Delete the record' : 'Delete'}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Delete this release?"
        description={
          published_at
            ? `The site does not change, but you can no longer see what “${name}” changed, or undo it.`
            : `The changes in “${name}” are lost. The site stays as it is.`
        }
        confirmLabel="Delete"
        destructive
        loading={remove.isPending}
        onConfirm={() =>
          remove.mutate(id, {
            onSuccess: () => void navigate({ to: '/admin/releases' }),
            onError: () => setConfirming(false),
          })
        }
      />
    </>
  );
}

function UndoAction({ release: { id, name } }: { release: Release }) {
  const navigate = useNavigate();
  const [isConfirming, setConfirming] = useState(false);
  const undo = useMutationWithToasts(undoReleaseMutation, {
    success: ['New release created', 'It reverts this one. Review it, then publish it like any other release.'],
    failure: 'The release could not be undone',
  });
  return (
    <>
      <Button variant="secondary" onClick={() => setConfirming(true)}>
        <Undo2 aria-hidden="true" />
        Undo…
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Undo this release?"
        description={`This creates a new release that reverts “${name}”. Nothing changes until you publish it. If something has changed since then, you choose which version to keep.`}
        confirmLabel="Create release"
        loading={undo.isPending}
        onConfirm={() =>
          undo.mutate(id, {
            onSuccess: (newReleaseId) => void navigate({ to: '/admin/releases/$id', params: { id: newReleaseId } }),
            onError: () => setConfirming(false),
          })
        }
      />
    </>
  );
}
