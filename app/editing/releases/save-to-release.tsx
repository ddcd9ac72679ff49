import { Layers, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type FieldValues, useFormContext } from 'react-hook-form';
import { Button, COMPACT_LABEL_CLASS } from '../../ui/button.tsx';
import { LoadFailure, lazy } from '../../ui/lazy.tsx';
import { showError } from '../../ui/show-error.ts';
import type { ReleaseDialogProps } from './release-dialog.tsx';
import type { NewChange } from './releases.ts';

const ReleaseDialog = lazy<ReleaseDialogProps>(() => import('./release-dialog.tsx'), { Failed: ReleaseFailed });

interface SaveToReleaseProps {
  /** Singular noun for messages: 'post', 'section', 'setting'. */
  singular: string;
  /** Builds the change from the validated form values. */
  buildChange: (values: FieldValues) => NewChange | Promise<NewChange>;
  onSaved: () => void;
  /** Compact variant for screens with many forms. */
  size?: 'sm' | 'md' | undefined;
}

/** Validates the surrounding form and saves it to a release instead of the site. */
export function SaveToRelease({ singular, buildChange, onSaved, size = 'md' }: SaveToReleaseProps) {
  const form = useFormContext();
  const [change, setChange] = useState<NewChange | null>(null);
  const openDialog = async (values: FieldValues) => {
    try {
      setChange(await buildChange(values));
    } catch (error) {
      showError('Could not save to a release', error);
    }
  };
  return (
    <>
      <Button
        variant={size === 'sm' ? 'ghost' : 'secondary'}
        size={size}
        onPointerEnter={ReleaseDialog.preload}
        onClick={() => void form.handleSubmit(openDialog)()}
      >
        <Layers aria-hidden="true" />
        <span className={COMPACT_LABEL_CLASS}>Save to a release…</span>
      </Button>
      {change && (
        <ReleaseDialog
          singular={singular}
          change={change}
          onClose={() => setChange(null)}
          onSlugTaken={(message) => {
            setChange(null);
            form.setError('slug', { message }, { shouldFocus: true });
          }}
          onSaved={() => {
            setChange(null);
            onSaved();
          }}
        />
      )}
    </>
  );
}

interface DeleteInReleaseProps {
  singular: string;
  change: NewChange;
}

/** Adds the deletion of an item to a release. The item is deleted when the release is published. */
export function DeleteInRelease({ singular, change }: DeleteInReleaseProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="secondary" size="sm" onPointerEnter={ReleaseDialog.preload} onClick={() => setOpen(true)}>
        <Trash2 aria-hidden="true" />
        <span className={COMPACT_LABEL_CLASS}>Delete in a release…</span>
      </Button>
      {isOpen && <ReleaseDialog singular={singular} change={change} onClose={close} onSaved={close} />}
    </>
  );
}

function ReleaseFailed({ onRetry, onClose }: ReleaseDialogProps & { onRetry: () => void }) {
  return <LoadFailure onRetry={onRetry} onClose={onClose} />;
}
